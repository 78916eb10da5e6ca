"""Warnings, when an assignment is generated or released, about cells that no check will grade."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution, is_task

from autograder.grader.sandbox_outputs import NO_CHECK
from autograder.notebooks.asserted_cells import asks_for_a_check
from autograder.notebooks.grade_cells import GRADE_ID, task_of_grade_cell
from autograder.standings.number_text import number
from autograder.standings.state import State
from autograder.tasks.folders import exercise_folder
from autograder.verdicts.plain_text import ASSERTED, asserted_notice
from autograder.visible_text import visible

ASKED = re.compile(r"""\s*check\(\s*["'](\w+)["']\s*\)\s*""")
PERSON = "an answer for a person to grade in the formgrader"


class GradingNotice(NbGraderPreprocessor):
    """The last step of `nbgrader generate_assignment`: warns about cells that no check grades."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Log a warning for each cell that no check grades."""
        for line in notices(resources["nbgrader"]["notebook"], nb):
            self.log.warning("%s", line)
        return nb, resources


def notices(exercise: str, notebook: NotebookNode) -> Iterator[str]:
    """Say for each graded cell without a check how it will be graded, and why, one line per cell.

    Args:
        exercise: the notebook's name.
        notebook: the released notebook.
    """
    folder = exercise_folder(exercise)
    tasks, judged = folder.tasks if folder is not None else (), dict[str, bool]()
    for cell in notebook.cells:
        if not (is_grade(cell) or is_task(cell)):
            continue
        said = _said(cell, notebook, tasks)
        if said in (None, ASSERTED):
            judged[cell.metadata.nbgrader["grade_id"]] = said == ASSERTED
        else:
            meta = cell.metadata.nbgrader
            points = number(float(meta.get("points") or 0))
            yield visible(f"{exercise}: {meta['grade_id']} ({points} points): {said}", kept="")
    if any(judged.values()):
        yield visible(f"{exercise}: {asserted_notice(judged)}", kept="")


def _said(cell: NotebookNode, notebook: NotebookNode, tasks: Collection[str]) -> str | None:
    """Say how a graded cell without a check will be graded; None if a check grades it."""
    if is_task(cell) or is_solution(cell) or cell.cell_type != "code":
        return f"{State.BY_HAND.value}: {PERSON}"
    if task_of_grade_cell(cell) in tasks:
        return None
    if not asks_for_a_check(cell, notebook.cells, tasks):
        return ASSERTED
    asked = ASKED.fullmatch(cell.source)
    if asked and asked[1] in tasks:
        return f"{State.NOT_GRADED.value}: a cell that asks for this check is named {GRADE_ID}{asked[1]}"
    return f"{State.NOT_GRADED.value}: {NO_CHECK}"
