"""nbgrader's step after scores are saved: what nobody has graded stays without points, and waits for a person.

nbgrader calls a cell with an exception a 0, and the formgrader shows it as one.
"""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade

from autograder.grader.fingerprint import identity, unreadable
from autograder.grader.outputs import NOT_A_CHECK
from autograder.grader.verdict import VERDICT
from autograder.standings.handed_in import digest


class LeaveUngraded(NbGraderPreprocessor):
    """Takes the points from cells that no check has judged; notes in the notebook what was graded."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Correct the gradebook's rows of one notebook."""
        code = identity(nb.cells, unreadable(nb))
        nb.metadata.setdefault("autograder", {})["graded"] = digest(code)
        cells = [cell for cell in nb.cells if is_grade(cell) and cell.cell_type == "code"]
        unjudged = [cell for cell in cells if is_unjudged(cell)]
        broken = [cell for cell in cells if any(map(_is_broken, cell.outputs))]
        if unjudged or broken:
            self._correct(unjudged, broken, resources["nbgrader"])
        return nb, resources

    def _correct(self, unjudged: list[NotebookNode], broken: list[NotebookNode], about: dict[str, str]) -> None:
        place = about["notebook"], about["assignment"], about["student"]
        with Gradebook(about["db_url"]) as gradebook:
            for cell in [*unjudged, *broken]:
                row = gradebook.find_grade(cell.metadata.nbgrader["grade_id"], *place)
                if cell in unjudged:
                    row.auto_score = None
                if row.manual_score is None:  # who gave points by hand has looked at it
                    row.needs_manual_grade = True
            gradebook.db.commit()


def is_unjudged(cell: NotebookNode) -> bool:
    """Tell whether a graded notebook says of a cell that no check has judged it."""
    return any(output.get("ename") == NOT_A_CHECK for output in cell.get("outputs", []))


def _is_broken(output: NotebookNode) -> bool:
    """Whether it is a verdict of a check that failed by itself, which is no mistake of the student's."""
    verdict = output.get("data", {}).get(VERDICT)
    return verdict is not None and any(result["kind"] == "defect" for result in verdict["results"])
