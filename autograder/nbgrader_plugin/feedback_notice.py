"""Tell a student, at the top of a feedback page, which cells nobody has graded: nbgrader's page shows 0 for them."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.nbgrader_plugin.repair import known_cells
from autograder.standings.cell_score import CellScore
from autograder.standings.standing import cell_scores
from autograder.standings.state import State


class FeedbackNotice(NbGraderPreprocessor):
    """A step of `nbgrader generate_feedback`."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Put a note above the notebook where its score is not final."""
        about = resources["nbgrader"]
        with Gradebook(about["db_url"]) as gradebook:
            row = gradebook.find_submission_notebook(about["notebook"], about["assignment"], about["student"])
            cells = cell_scores(row, known_cells(row.notebook))
        if unsettled := [cell for cell in cells if cell.state is not State.GRADED]:
            nb.cells.insert(0, new_markdown_cell(_note(unsettled), id="not-final"))
            named = ", ".join(f"{cell.task} ({cell.state.value})" for cell in unsettled)
            self.log.warning("%s: the page is made and the score is not final: %s", about["student"], named)
        return nb, resources


def _note(cells: list[CellScore]) -> str:
    lines = [f"- `{cell.cell.replace('`', '?')}`: {cell.state.value}" for cell in cells]
    head = "**This score is not final.** On this page, these cells count 0 until they are graded:\n"
    return "\n".join([head, *lines])
