"""Gradescope's results.json for every submission of a class that was graded here.

    nbgrader export --exporter=autograder.exports.gradescope.Gradescope

writes `gradebook/gradescope/<assignment>/<student>/results.json`: nbgrader's points, so points given by hand, extra
credit and late penalties are in them, and the text of each verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nbgrader.api import Gradebook
from traitlets import Enum

from autograder.exports.plug_in import ScoreExport, named
from autograder.exports.results_json import VISIBILITIES, TaskScore, results_json, write_json
from autograder.grader.graded_notebook import verdicts_in
from autograder.grader.verdict import Verdict
from autograder.notebooks.submission_files import STUDENT
from autograder.report.text import points, verdict_as_text
from autograder.standings.cell_score import CellScore
from autograder.standings.numbers import DECIMALS
from autograder.standings.standing import Standing


class Gradescope(ScoreExport):
    """nbgrader's exporter for files as a Gradescope autograder writes them."""

    visibility = Enum(VISIBILITIES, default_value="visible", help="When students see the tests.").tag(config=True)

    def export(self, gradebook: Gradebook) -> None:
        """Write the files."""
        students = self.chosen_students(gradebook)
        if strange := [name for name in students if not STUDENT.fullmatch(name)]:
            self.say(f"left out, for no folder can be named like them: {named(strange)}.")
        to = self.destination("gradescope")
        for assignment in self.chosen_assignments(gradebook):
            count = 0
            for standing in self.sent(gradebook, assignment, set(students) - set(strange)):
                tasks = list(self._tasks(standing, assignment.name))
                said = "" if standing.submission else "Nothing was handed in."
                made = results_json(
                    assignment.name, tasks, visibility=self.visibility, penalty=standing.penalty, said=said
                )
                write_json(to / assignment.name / standing.student / "results.json", made)
                count += 1
            self.log.info("Wrote %d files below %s", count, to / assignment.name)

    def _tasks(self, standing: Standing, assignment: str) -> Iterator[TaskScore]:
        verdicts, comments = dict[str, Verdict](), dict[str, str]()
        for notebook in standing.submission.notebooks if standing.submission else []:
            verdicts |= self._verdicts(standing.student, assignment, notebook.name)
            comments |= {row.cell.name: row.comment for row in notebook.comments if row.comment}
        for cell in standing.cells:
            yield _task(cell, verdicts.get(cell.task), comments)

    def _verdicts(self, student: str, assignment: str, notebook: str) -> dict[str, Verdict]:
        """By task, in the notebook's order, from the graded notebook, which nbgrader wrote."""
        course = self.parent.coursedir
        path = Path(course.format_path(course.autograded_directory, student, assignment)) / f"{notebook}.ipynb"
        return {task: Verdict.from_data(data) for task, data in verdicts_in(path).items()}


def _task(cell: CellScore, verdict: Verdict | None, comments: dict[str, str]) -> TaskScore:
    said = [verdict_as_text(verdict)] if verdict else []
    if cell.by_hand is not None:
        said.append(f"Graded by hand: {points(cell.by_hand)}.")
    if cell.extra:
        said.append(f"Extra credit: {points(cell.extra)}.")
    said += [comments[key] for key in dict.fromkeys((cell.cell, cell.task)) if key in comments]
    section = verdict.section if verdict else ""
    return TaskScore(cell.task, round(cell.points, DECIMALS), cell.maximum, "\n".join(said), section)
