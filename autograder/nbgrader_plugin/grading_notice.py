"""Tell an instructor, when an assignment is generated or released, which of its cells no check will grade."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution, is_task

from autograder.checks.declared import declared_tasks
from autograder.grader.outputs import NO_CHECK
from autograder.notebooks.grade_cells import GRADE_ID, task_of_grade_cell
from autograder.standings.numbers import number
from autograder.standings.state import State
from autograder.visible_text import visible

ASKED = re.compile(r"""\s*check\(\s*["'](\w+)["']\s*\)\s*""")
PERSON = "an answer for a person to grade in the formgrader"


class GradingNotice(NbGraderPreprocessor):
    """The last step of `nbgrader generate_assignment`."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Log a line for each cell that no check grades; refuse nothing."""
        for line in notices(resources["nbgrader"]["notebook"], nb):
            self.log.warning("%s", line)
        return nb, resources


def notices(exercise: str, notebook: NotebookNode) -> Iterator[str]:
    """Say of each graded cell that no check grades what becomes of it, and why, a line each.

    Args:
        exercise: the notebook's name.
        notebook: as it is released.
    """
    for cell in notebook.cells:
        if not (is_grade(cell) or is_task(cell)):
            continue
        said = _said(exercise, cell)
        if said is not None:
            meta = cell.metadata.nbgrader
            points = number(float(meta.get("points") or 0))
            yield visible(f"{exercise}: {meta['grade_id']} ({points} points): {said}", kept="")


def _said(exercise: str, cell: NotebookNode) -> str | None:
    """What becomes of a graded cell; None where a check grades it."""
    if is_task(cell) or is_solution(cell) or cell.cell_type != "code":
        return f"{State.BY_HAND.value}: {PERSON}"
    known, name = declared_tasks(exercise), task_of_grade_cell(cell)
    if known is None:
        return f"{State.NOT_GRADED.value}: the course has no checks for an exercise {exercise!r}"
    if name in known:
        return None
    asked = ASKED.fullmatch(cell.source)
    if asked and asked[1] in known:
        return f"{State.NOT_GRADED.value}: a cell that asks for this check is named {GRADE_ID}{asked[1]}"
    return f"{State.NOT_GRADED.value}: {NO_CHECK}"
