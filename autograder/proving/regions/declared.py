"""Read a task's `regions.toml`: its own regions, those that its statement excludes, and mutants that it allows."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from autograder.checks.task import Task
from autograder.tasks.tables import TaskFolderError, read_table

FILE = "regions.toml"
KEYS = {"own": dict, "excluded": dict, "allowed": dict}


@dataclasses.dataclass(frozen=True)
class Declared:
    """What a task declares about its regions.

    Attributes:
        file: its `regions.toml`.
        own: regions that arguments of this kind do not have everywhere, as expressions of the arguments' names.
        excluded: patterns of regions that the statement excludes, each with the statement's words.
        allowed: patterns of region mutants that may keep all points, each with the statement's words.
    """

    file: Path
    own: dict[str, str]
    excluded: dict[str, str]
    allowed: dict[str, str]

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
    texts = [task.folder / "statement.md", task.folder.parent / "opening.md"]
    said = _plain(" ".join(text.read_text(encoding="utf-8") for text in texts))
    found: dict[str, dict[str, str]] = {"excluded": {}, "allowed": {}}
    for part, patterns in found.items():
        for words, these in given.get(part, {}).items():
            if _plain(words) not in said:
                raise TaskFolderError(f"{file}: neither the statement nor opening.md says {words!r}")
            if not (isinstance(these, list) and all(isinstance(one, str) for one in these)):
                raise TaskFolderError(f"{file}: after {words!r} stands no list of names")
            patterns.update(dict.fromkeys(these, words))
    for name, text in given.get("own", {}).items():
        try:
            compile(text, name, "eval")
        except (SyntaxError, TypeError):
            raise TaskFolderError(f"{file}: the region {name!r} is no Python expression: {text!r}") from None
    return Declared(file, given.get("own", {}), **found)


def undeclared(task: Task) -> Iterator[str]:
    """List what is left to do for a task without `regions.toml`."""
    if not (task.folder / FILE).exists():
        yield f"{task.folder / FILE}, which says what the statement lets vary, is not there yet"


def matches(name: str, pattern: str) -> bool:
    """Whether a name fits a pattern with `*` for any text."""
    return fnmatchcase(name, pattern.replace("[", "[[]"))


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
