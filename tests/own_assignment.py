"""An assignment of the instructor's own: asserts, a written question, and a check that the course does not have."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tests.submissions import cell_of

OWN = "99_own"
SOLUTION = "### BEGIN SOLUTION\ndef double(x):\n    return 2 * x\n### END SOLUTION"
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def marked(cell: NotebookNode, grade_id: str, points: float | None = None, **kind: bool) -> NotebookNode:
    """A cell with nbgrader's metadata."""
    meta = {"schema_version": 3, "grade_id": grade_id, "grade": False, "solution": False, "locked": False}
    meta |= {"task": False} | kind | ({} if points is None else {"points": points})
    cell.metadata["nbgrader"], cell.id = meta, grade_id
    return cell


def asserts(points: float = 3) -> NotebookNode:
    """A graded cell with an assert, as nbgrader's own documentation has them."""
    return marked(new_code_cell("assert double(2) == 4"), "test_double", points, grade=True, locked=True)


def essay(points: float = 2) -> NotebookNode:
    """A written question, which only a person can grade."""
    return marked(new_markdown_cell("Write here why 2x has the slope 2."), "essay", points, grade=True, solution=True)


def lost_check(points: float = 1) -> NotebookNode:
    """A graded cell that asks for a check which is no task of any exercise."""
    return marked(new_code_cell('check("lost")'), "check_lost", points, grade=True, locked=True)


def write_own_assignment(course: Path) -> None:
    """Put it into a course's solutions."""
    answer = marked(new_code_cell(SOLUTION), "double", solution=True)
    first = marked(new_code_cell("from autograder import check"), "first", locked=True)
    cells = [first, answer, asserts(), essay(), lost_check()]
    notebook = new_notebook(cells=cells, metadata={"kernelspec": KERNEL})
    path = course / "solutions" / OWN / f"{OWN}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)


def add_own_cells(course: Path, exercise: str) -> None:
    """Put an assert and a written question into an exercise that the project knows."""
    path = course / "solutions" / exercise / f"{exercise}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    double = marked(new_code_cell("def double(x):\n    return 2 * x"), "double", locked=True)
    notebook.cells += [double, asserts(), essay()]
    nbformat.write(notebook, path)


def answered(course: Path, essay: str = "Each step of x is counted twice.") -> bytes:
    """What a student hands in who solved all of it."""
    notebook = nbformat.read(course / "exercises" / OWN / f"{OWN}.ipynb", as_version=4)
    cell_of(notebook, "double").source = "def double(x):\n    return x + x"
    cell_of(notebook, "essay").source = essay
    return nbformat.writes(notebook).encode()
