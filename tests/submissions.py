"""Make submissions: the released exercise with some answers written into it."""

from __future__ import annotations

import functools
from pathlib import Path

import nbformat
from nbformat import NotebookNode

COURSE = Path(__file__).resolve().parent.parent


@functools.cache
def _read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def released(exercise: str) -> NotebookNode:
    """A fresh copy of the exercise as students get it."""
    return nbformat.from_dict(_read(COURSE / "exercises" / exercise / f"{exercise}.ipynb"))


def solution_sources(exercise: str) -> dict[str, str]:
    """The published solution's source of each task."""
    cells = _read(COURSE / "solutions" / exercise / f"{exercise}.ipynb").cells
    return {_grade_id(cell): cell.source for cell in cells if cell.metadata.get("nbgrader", {}).get("solution")}


def _grade_id(cell: NotebookNode) -> str:
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def cell_of(notebook: NotebookNode, grade_id: str) -> NotebookNode:
    """The cell with that grade_id.

    Raises:
        LookupError: where there is none.
    """
    for cell in notebook.cells:
        if _grade_id(cell) == grade_id:
            return cell
    raise LookupError(f"no cell {grade_id}")


def submission(exercise: str, answers: dict[str, str]) -> NotebookNode:
    """The released exercise with these sources in its solution cells; the others stay untouched."""
    notebook = released(exercise)
    for task, source in answers.items():
        cell_of(notebook, task).source = source
    return notebook


def solved(exercise: str, **instead: str) -> NotebookNode:
    """The exercise solved as published, some tasks answered otherwise."""
    return submission(exercise, solution_sources(exercise) | instead)


def remarked(notebook: NotebookNode, remark: object) -> NotebookNode:
    """The notebook with a comment in its first answer: another submission, which draws inputs of its own."""
    cell = next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution"))
    cell.source += f"\n# {remark}"
    return notebook


def as_bytes(notebook: NotebookNode) -> bytes:
    """The file that a student would hand in."""
    return nbformat.writes(notebook).encode()
