"""nbgrader's step that puts a note on feedback pages whose score is not final, and takes off today's late penalty.

nbgrader's own page shows the gradebook's row: 0 for cells that nobody has graded, the points of an earlier submission,
the late penalty as of the day of grading, and totals below 0.
"""

from __future__ import annotations

import re
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader.api import Gradebook
from nbgrader.preprocessors import GetGrades, NbGraderPreprocessor
from traitlets import List

from autograder.decisions.told_in_feedback import decisions_note
from autograder.gradebook_access.folder import gradebook_folder
from autograder.gradebook_access.known_cells import known_cells
from autograder.gradebook_access.penalties import QUIET, LatePenalties, settings_of
from autograder.nbgrader_plugin.readiness import require_assignment
from autograder.standings.cell_score import CellScore, cell_scores
from autograder.standings.course_changes import sentence
from autograder.standings.last_seen import report_differences
from autograder.standings.number_text import number
from autograder.standings.standing import Standing, standings
from autograder.standings.state import State


class BringGrades(GetGrades):
    """nbgrader's step that reads the scores, silenced because it logs the late penalty as of the day of grading.

    Made before nbgrader deletes the earlier pages, it refuses a gradebook that knows nothing to make new ones from.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"log": QUIET})
        if (converter := getattr(self.parent, "parent", None)) is not None:
            require_assignment(converter)


class FeedbackNotice(NbGraderPreprocessor):
    """The step of `nbgrader generate_feedback` after the one that reads the scores."""

    display_data_priority = List(GetGrades.display_data_priority.default_value, config=True)
    """A trait that nbconvert sets for pages; it warns if a step lacks it."""
    _looked = False

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._told = set[tuple[str, ...]]()

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Put a note above the notebook if its score is not final, or does not belong to what is handed in now."""
        about, course = resources["nbgrader"], self.parent.parent.coursedir
        with Gradebook(about["db_url"]) as gradebook:
            if not self._looked:
                self._looked = True
                for difference in report_differences(gradebook, course, about["assignment"]):
                    self.log.warning("%s", difference)
            row = gradebook.find_submission_notebook(about["notebook"], about["assignment"], about["student"])
            cells = cell_scores(row, known_cells(row.notebook))
            (found,) = standings(gradebook, course, about["assignment"], [about["student"]])
            if found.changes and found.changes not in self._told:
                self._told.add(found.changes)
                self.log.warning("%s.", sentence(about["assignment"], found.changes))
            if not found.reason:
                penalties = LatePenalties(settings_of(course), about["assignment"])
                penalty = max(0.0, penalties.for_notebook(row) or 0.0)
                about["score"] += about["late_penalty"] - penalty
                about["late_penalty"] = penalty
                if penalty:
                    self.log.info("%s: %s off for lateness", about["student"], number(penalty))
        about["score"] = max(0.0, about["score"])  # as in every table, because points given by hand may be below 0
        if note := decisions_note(gradebook_folder(course), about["assignment"], about["student"]):
            nb.cells.insert(0, new_markdown_cell(note, id="decisions"))
        unsettled = [cell for cell in cells if cell.state is not State.GRADED]
        if found.reason:
            nb.cells.insert(0, new_markdown_cell(_not_current(found), id="not-final"))
            self.log.warning("%s: the page is made and the score is %s", about["student"], found.summary)
        elif unsettled:
            nb.cells.insert(0, new_markdown_cell(_not_final(unsettled), id="not-final"))
            named = ", ".join(f"{cell.task} ({cell.state.value})" for cell in unsettled)
            self.log.warning("%s: the page is made and the score is not final: %s", about["student"], named)
        return nb, resources


def _not_current(standing: Standing) -> str:
    """Say why a page's score is not current, without what the reason says in brackets for the instructor."""
    why = re.sub(r" \(.*\)$", "", standing.reason)
    return f"**This score is {standing.state.value}:** {why}. This page shows the points of what was graded."


def _not_final(cells: list[CellScore]) -> str:
    lines = [f"- `{cell.cell.replace('`', '?')}`: {cell.state.value}" for cell in cells]
    head = "**This score is not final.** On this page, these cells count 0 until they are graded:\n"
    return "\n".join([head, *lines])
