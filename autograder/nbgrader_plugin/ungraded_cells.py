"""nbgrader's step after scores are saved, which leaves ungraded cells without points, waiting for a person.

nbgrader would give 0 to a cell with an exception.
"""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade

from autograder.grader.fingerprint import identity, unreadable
from autograder.grader.sandbox_outputs import NOT_A_CHECK
from autograder.standings.handed_in import digest
from autograder.verdicts.verdict import VERDICT
from autograder.wire.outcome import Outcome


class LeaveUngraded(NbGraderPreprocessor):
    """The step that removes the points of cells that no check has judged, and records a digest of the graded code."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Correct the gradebook's rows for one notebook."""
        code = identity(nb.cells, unreadable(nb))
        nb.metadata.setdefault("autograder", {})["graded"] = digest(code)
        cells = [cell for cell in nb.cells if is_grade(cell) and cell.cell_type == "code"]
        unjudged = [cell for cell in cells if is_unjudged(cell)]
        broken = [cell for cell in cells if is_broken(cell)]
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
                if row.manual_score is None:  # otherwise a person has looked at the cell
                    row.needs_manual_grade = True
            gradebook.db.commit()


def is_unjudged(cell: NotebookNode) -> bool:
    """Tell whether no check has judged a cell, according to its outputs."""
    return any(output.get("ename") == NOT_A_CHECK for output in cell.get("outputs", []))


def is_broken(cell: NotebookNode) -> bool:
    """Tell whether a cell shows the verdict of a check that failed through its own defect."""
    verdicts = [output.get("data", {}).get(VERDICT) for output in cell.get("outputs", [])]
    return any(result["kind"] == Outcome.DEFECT for one in verdicts if one is not None for result in one["results"])
