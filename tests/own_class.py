"""A class for any assignment: honest, wrong, raising, tampering, unreadable; made from its source and its release."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode

WRITTEN = "My own words."
NOISE = """
import sys
for number in range(3000): print("line", number)
print("careful", file=sys.stderr)
"""
HONEST, TEST_DELETED, ANSWER_DELETED = "honest", "test-deleted", "answer-deleted"
Change = Callable[[NotebookNode], None]


def marked(notebook: NotebookNode, *, grade: bool | None = None, solution: bool | None = None) -> list[NotebookNode]:
    """The cells of a notebook that nbgrader knows as graded, as answers, or both."""
    found = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
    wanted = {"grade": grade, "solution": solution}
    return [
        cell
        for cell in found
        if all(value is None or cell.metadata.nbgrader.get(key, False) == value for key, value in wanted.items())
    ]


def _answers(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in marked(notebook, solution=True) if cell.cell_type == "code"]


def _tests(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in marked(notebook, grade=True, solution=False) if cell.cell_type == "code"]


def _wrong(notebook: NotebookNode) -> None:
    for cell in _answers(notebook)[::2]:
        cell.source = "pass"


def _raising(notebook: NotebookNode) -> None:
    for cell in _answers(notebook)[-1:]:
        cell.source = "raise ValueError('not today')"


def _noisy(notebook: NotebookNode) -> None:
    for cell in _answers(notebook)[:1]:
        if not cell.source.startswith("%%"):
            cell.source = NOISE + cell.source


def _first_test_deleted(notebook: NotebookNode) -> None:
    for cell in _tests(notebook)[:1]:
        notebook.cells.remove(cell)


def _tests_edited(notebook: NotebookNode) -> None:
    for cell in _tests(notebook):
        cell.source = "pass"


def _answer_deleted(notebook: NotebookNode) -> None:
    for cell in _answers(notebook)[:1]:
        notebook.cells.remove(cell)


def _nothing(notebook: NotebookNode) -> None:
    pass


CHANGED: dict[str, Change] = {
    HONEST: _nothing,
    "wrong": _wrong,
    "raising": _raising,
    "noisy": _noisy,
    TEST_DELETED: _first_test_deleted,
    "tests-edited": _tests_edited,
    ANSWER_DELETED: _answer_deleted,
}
"""By student, what becomes of the instructor's own answers."""
UNTOUCHED, BROKEN, MISSING = "untouched", "broken-json", "missing"
"""Students who hand in the release; their first notebook as text that is not JSON; all notebooks but the first."""
EVERYONE = (*CHANGED, UNTOUCHED, BROKEN, MISSING)


def solved(release: NotebookNode, source: NotebookNode) -> NotebookNode:
    """A released notebook with the answers of its source, and words of a student's where a person grades."""
    notebook = copy.deepcopy(release)
    answers = {cell.metadata.nbgrader["grade_id"]: cell.source for cell in marked(source, solution=True)}
    for cell in marked(notebook, solution=True):
        name = cell.metadata.nbgrader["grade_id"]
        cell.source = answers[name] if cell.cell_type == "code" else f"{answers[name]}\n\n{WRITTEN}"
    return notebook


def submissions(source: Path, release: Path, students: tuple[str, ...]) -> Iterator[tuple[str, str, bytes]]:
    """Yield a student, a file's name and its content, for all that a class hands in.

    Args:
        source, release: the assignment's folders.
        students: some of `EVERYONE`. Without a second notebook, none is handed in of `MISSING`.
    """
    for number, path in enumerate(sorted(release.glob("*.ipynb"))):
        released = nbformat.read(path, as_version=4)
        right = solved(released, nbformat.read(source / path.name, as_version=4))
        for student in students:
            if student in CHANGED:
                notebook = copy.deepcopy(right)
                CHANGED[student](notebook)
                yield student, path.name, nbformat.writes(notebook).encode()
            elif student == UNTOUCHED:
                yield student, path.name, path.read_bytes()
            elif student == BROKEN:
                content = nbformat.writes(right).encode()
                yield student, path.name, content if number else content[: len(content) // 2]
            elif number:
                yield student, path.name, nbformat.writes(right).encode()
