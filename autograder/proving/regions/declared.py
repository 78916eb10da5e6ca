"""Read a task's `regions.toml`: its own regions, those that its statement excludes, and mutants that it allows.

Of a class also which of its methods have regions, and how what a method gives is spoilt.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from autograder.checks.task import Task
from autograder.tasks.tables import TaskFolderError, read_table
from autograder.tasks.versions import source_of_version

FILE = "regions.toml"
KEYS = {"own": dict, "excluded": dict, "allowed": dict, "class": dict}


@dataclasses.dataclass(frozen=True)
class OfClass:
    """What is said of a class, whose methods are watched and spoilt one by one.

    Attributes:
        methods: their names.
        number: the attribute that holds an object's number, which has the regions of a float.
        spoilt: from a place ("its slopes") to statements that put `spoil(...)` of each number there, written with the
            method's parameters, with `arguments`, which has all of them, and with `result`.
        helpers: functions that regions and these statements use, as source.
    """

    methods: tuple[str, ...]
    number: str
    spoilt: dict[str, str]
    helpers: str = ""


@dataclasses.dataclass(frozen=True)
class Declared:
    """What a task declares about its regions.

    Attributes:
        file: its `regions.toml`.
        own: regions that arguments of this kind do not have everywhere, as expressions of the arguments' names.
        excluded: patterns of regions that the statement excludes, each with the statement's words.
        allowed: patterns of region mutants that may keep all points, each with the statement's words.
        of_class: what is said of the task's class; None if the task is a function.
        quoted: words of the statement that stand with an empty list, because they concern no argument.
    """

    file: Path
    own: dict[str, str]
    excluded: dict[str, str]
    allowed: dict[str, str]
    of_class: OfClass | None = None
    quoted: tuple[str, ...] = ()

    def excludes(self, region: str) -> bool:
        """Whether the statement excludes a region."""
        return any(matches(region, pattern) for pattern in self.excluded)

    def allows(self, mutant: str) -> bool:
        """Whether a mutant of this name may keep all points."""
        return any(matches(mutant, pattern) for pattern in self.allowed)


def declared(task: Task) -> Declared | None:
    """Read what a task declares; None if it declares nothing yet.

    Raises:
        TaskFolderError: if the file is malformed, or quotes words that neither the statement nor the opening has.
    """
    file = task.folder / FILE
    if not file.exists():
        return None
    given = read_table(file, {}, KEYS)
    texts = [task.folder / "statement.md", source_of_version(task.folder)[0].parent / "opening.md"]
    said = plain(" ".join(text.read_text(encoding="utf-8") for text in texts))
    found: dict[str, dict[str, str]] = {"excluded": {}, "allowed": {}}
    for part, patterns in found.items():
        for words, these in given.get(part, {}).items():
            if plain(words) not in said:
                raise TaskFolderError(f"{file}: neither the statement nor opening.md says {words!r}")
            if not (isinstance(these, list) and all(isinstance(one, str) for one in these)):
                raise TaskFolderError(f"{file}: after {words!r} stands no list of names")
            patterns.update(dict.fromkeys(these, words))
    for name, text in given.get("own", {}).items():
        try:
            compile(text, name, "eval")
        except (SyntaxError, TypeError):
            raise TaskFolderError(f"{file}: the region {name!r} is no Python expression: {text!r}") from None
    quoted = tuple(plain(words) for words, these in given.get("excluded", {}).items() if not these)
    return Declared(file, given.get("own", {}), **found, of_class=_of_class(file, given.get("class")), quoted=quoted)


def _of_class(file: Path, given: dict[str, Any] | None) -> OfClass | None:
    if given is None:
        return None
    try:
        found = OfClass(**{**given, "methods": tuple(given["methods"])})
        compile(found.helpers, str(file), "exec")
        for place, statements in found.spoilt.items():
            compile(statements, place, "exec")
    except (KeyError, TypeError, SyntaxError) as error:
        raise TaskFolderError(
            f"{file}: [class] has methods (a list), number, spoilt (a table of statements) and helpers: {error}"
        ) from None
    return found


def undeclared(task: Task) -> Iterator[str]:
    """List what is left to do for a task without `regions.toml`."""
    if not (task.folder / FILE).exists():
        yield f"{task.folder / FILE}, which says what the statement lets vary, is not there yet"


def matches(name: str, pattern: str) -> bool:
    """Whether a name fits a pattern with `*` for any text."""
    return fnmatchcase(name, pattern.replace("[", "[[]"))


def plain(text: str) -> str:
    """Return a text with single spaces in the place of line breaks."""
    return re.sub(r"\s+", " ", text).strip()
