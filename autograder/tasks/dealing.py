"""Deal the versions of tasks to students, and make each student's cells from the released ones.

Which version a student gets follows from a salt and the student's name alone, so grading deals again and trusts nothing
that stands in a submission. The salt is made from the course's secret seed, tells nothing about it, and is published
with the exercise.
"""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from autograder.tasks.folders import exercise_folder
from autograder.tasks.versions import Versions, versions_of

SETUP = "setup"
"""The grade_id of the cell that imports the course's functions."""
ABOUT = "about_"
"""Begins the grade_id of a task's statement."""
TRY = "try-"
"""Begins the id of a task's ungraded cell, which has no grade_id."""
LINES = "\n\nfrom autograder import my_versions\n\nmy_versions({})"
"""Ends the setup cell of a dealt notebook."""
CALL = re.compile(r"^my_versions\(([\w=, ]*)\)\s*$", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Deal:
    """How an exercise is dealt.

    Attributes:
        salt: decides, with a student's name, which versions the student gets.
        counts: by task, how many versions are dealt; one that is added later is not dealt in a running course.
    """

    salt: str
    counts: Mapping[str, int]

    @staticmethod
    def of(exercise: str, secret: bytes) -> Deal:
        """Return the deal of an exercise in a course with this secret seed."""
        salt = hmac.new(secret, f"versions\0{exercise}".encode(), hashlib.sha256).hexdigest()
        return Deal(salt, {name: one.count for name, one in task_versions(exercise).items()})

    @staticmethod
    def from_data(data: Any) -> Deal:
        """Return the deal that `as_data` turned into this.

        Raises:
            ValueError: if it is anything else.
        """
        salt, counts = (data.get("salt"), data.get("counts")) if isinstance(data, dict) else (None, None)
        if not isinstance(salt, str) or not salt or not isinstance(counts, dict):
            raise ValueError("these are not the salt and the counts of a deal")
        if not all(type(count) is int and count > 0 for count in counts.values()):
            raise ValueError("a deal counts the versions of each task")
        return Deal(salt, counts)

    def as_data(self) -> dict[str, Any]:
        """Return the deal as JSON data."""
        return {"salt": self.salt, "counts": dict(self.counts)}

    def versions(self, student: str) -> dict[str, int]:
        """Return the version of each task that a student gets."""

        def drawn(task: str, count: int) -> int:
            digest = hmac.new(self.salt.encode(), f"{task}\0{student}".encode(errors="replace"), hashlib.sha256)
            return 1 + int.from_bytes(digest.digest()) % count

        return {task: drawn(task, count) for task, count in self.counts.items()}


def task_versions(exercise: str) -> dict[str, Versions]:
    """Return the versions of each task of an exercise that has several.

    Raises:
        TaskFolderError: if a `versions.toml` cannot be used.
    """
    folder = exercise_folder(exercise)
    found = {name: versions_of(folder.path / name) for name in folder.tasks} if folder is not None else {}
    return {name: one for name, one in found.items() if one is not None}


def other_versions(exercise: str) -> Iterator[dict[str, int]]:
    """Yield deals of an exercise in which, together, each task stands in each version but its first.

    Raises:
        TaskFolderError: if a `versions.toml` cannot be used.
    """
    counts = {name: one.count for name, one in task_versions(exercise).items()}
    for version in range(2, 1 + max(counts.values(), default=1)):
        yield {task: min(version, count) for task, count in counts.items()}


def dealt_source(name: str, source: str, exercise: str, versions: Mapping[str, int]) -> str:
    """Return the source of a released cell as it stands in the notebook of a student.

    Args:
        name: the cell's grade_id; the id of a cell without one.
        source: its source in the released notebook.
        exercise: "01_doubling".
        versions: by task, the version that was dealt to the student.
    """
    if not versions:
        return source
    if name == SETUP:
        return source + LINES.format(", ".join(f"{task}={version}" for task, version in versions.items()))
    for task, known in task_versions(exercise).items():
        if name in (task, ABOUT + task, TRY + task.lower().replace("_", "-")):
            return known.text(source, versions.get(task, 0))
    return source


def deal_cells(cells: Iterable[Any], exercise: str, versions: Mapping[str, int]) -> None:
    """Change the cells of a released notebook, in place, to those of a student's notebook."""
    for cell in cells:
        name = str(cell.metadata.get("nbgrader", {}).get("grade_id", cell.get("id", "")))
        cell.source = dealt_source(name, cell.source, exercise, versions)


def versions_in(cells: Iterable[Mapping[str, Any]], exercise: str) -> dict[str, int]:
    """Read which versions a notebook says that it holds; entries that the exercise does not have are left out.

    Args:
        cells: the cells of a notebook from an untrusted file.
        exercise: "01_doubling".
    """
    said = [found[1] for cell in cells if cell["cell_type"] == "code" and (found := CALL.search(str(cell["source"])))]
    given = dict(re.findall(r"(\w+)=(\d{1,2})\b", said[0])) if said else {}
    known = task_versions(exercise) if given else {}
    return {name: int(given[name]) for name, one in known.items() if 1 <= int(given.get(name, 0)) <= one.count}


def disagreement(written: Mapping[str, int], dealt: Mapping[str, int]) -> str:
    """Say which versions, dealt to a notebook's author and graded, it does not hold; empty if it holds them all."""
    other = [f"`{task}` in version {version}" for task, version in dealt.items() if written.get(task) != version]
    return ", ".join(other)
