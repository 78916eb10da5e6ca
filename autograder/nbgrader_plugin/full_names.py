"""The students of a gradebook by their full names: what Moodle writes before the number in the name of a folder.

Moodle's number says nothing: it is another one for each assignment.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable

from nbgrader.api import Gradebook

GROUP = "full_name"
"""The named group of a `named_regexp` that stands for a full name."""


class FullNames:
    """Who has which name; first and last name in either order, or the `id`, by which a person may replace them."""

    def __init__(self, students: Iterable[tuple[str, str | None, str | None]]) -> None:
        """
        Args:
            students: the `id`, first and last name of each.
        """
        self._students = defaultdict[str, set[str]](set)
        for student, first, last in students:
            for name in (student, f"{first or ''} {last or ''}", f"{last or ''} {first or ''}"):
                if plain := _plain(name):
                    self._students[plain].add(student)

    @classmethod
    def of(cls, db_url: str) -> FullNames:
        """Read the students of a gradebook."""
        with Gradebook(db_url) as gradebook:
            return cls((one.id, one.first_name, one.last_name) for one in gradebook.students)

    def student(self, name: str) -> str:
        """Return the `id` of the student of this name.

        Raises:
            LookupError: if the gradebook has none, or several.
        """
        found = sorted(self._students.get(_plain(name), ()))
        if not found:
            raise LookupError(f"the class list has no {name!r}: put the student's id in place of the name")
        if len(found) > 1:
            raise LookupError(f"{name!r} may be {' or '.join(found)}: put the student's id in place of the name")
        return found[0]


def _plain(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
