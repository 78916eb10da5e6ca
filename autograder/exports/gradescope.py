"""Gradescope's results.json for every submission of a class that was graded here.

    nbgrader export --exporter=autograder.exports.gradescope.Gradescope

writes `gradebook/gradescope/<assignment>/<student>/results.json`: nbgrader's points, so points given by hand, extra
credit and late penalties are in them, and the text of each verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nbgrader.api import Grade, Gradebook
from traitlets import Enum

from autograder.exports.final_scores import Score
from autograder.exports.plug_in import ScoreExport, named
from autograder.exports.results_json import VISIBILITIES, TaskScore, results_json, write_json
from autograder.grader.graded_notebook import verdicts_in
from autograder.grader.verdict import Verdict
from autograder.notebooks.submission_files import STUDENT
from autograder.report.text import points, verdict_as_text


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
            for score in self.sent(gradebook, assignment, set(students) - set(strange)):
                tasks = list(self._tasks(score, assignment.name)) if score.submission else []
                said = "" if score.submission else "Nothing was handed in."
                made = results_json(
                    assignment.name, tasks, visibility=self.visibility, penalty=score.penalty, said=said
                )
                write_json(to / assignment.name / score.student / "results.json", made)
                count += 1
            self.log.info("Wrote %d files below %s", count, to / assignment.name)

    def _tasks(self, score: Score, assignment: str) -> Iterator[TaskScore]:
        for notebook in score.submission.notebooks:
            verdicts = self._verdicts(score.student, assignment, notebook.name)
            comments = {row.cell.name: row.comment for row in notebook.comments if row.comment}
            order = list(verdicts)
            rows = {row.cell.name.removeprefix("check_"): row for row in notebook.grades}
            for name in sorted(rows, key=lambda name: order.index(name) if name in order else len(order)):
                yield _task(rows[name], name, verdicts.get(name), comments)

    def _verdicts(self, student: str, assignment: str, notebook: str) -> dict[str, Verdict]:
        """By task, in the notebook's order, from the graded notebook, which nbgrader wrote."""
        course = self.parent.coursedir
        path = Path(course.format_path(course.autograded_directory, student, assignment)) / f"{notebook}.ipynb"
        return {task: Verdict.from_data(data) for task, data in verdicts_in(path).items()}


def _task(row: Grade, name: str, verdict: Verdict | None, comments: dict[str, str]) -> TaskScore:
    said = [verdict_as_text(verdict)] if verdict else []
    if row.manual_score is not None:
        said.append(f"Graded by hand: {points(row.manual_score)}.")
    if row.extra_credit:
        said.append(f"Extra credit: {points(row.extra_credit)}.")
    said += [comments[key] for key in dict.fromkeys((row.cell.name, name)) if key in comments]
    section = verdict.section if verdict else ""
    return TaskScore(name, row.score, row.max_score, "\n".join(said), section)
