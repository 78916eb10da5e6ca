"""Gradescope's results.json for every graded submission of a class.

    nbgrader export --exporter=autograder.exports.gradescope.Gradescope

writes `gradebook/gradescope/<assignment>/<student>/results.json` with the text of each verdict and nbgrader's points,
which include points given by hand, extra credit and late penalties.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nbgrader.api import Gradebook
from traitlets import Enum

from autograder.exports.plug_in import ScoreExport, named
from autograder.exports.results_json import VISIBILITIES, TaskScore, results_json, write_json
from autograder.notebooks.submission_files import STUDENT
from autograder.standings.cell_score import CellScore
from autograder.standings.number_text import DECIMALS
from autograder.standings.standing import Standing
from autograder.standings.state import State
from autograder.verdicts.graded_notebook import verdicts_in
from autograder.verdicts.plain_text import verdict_as_text
from autograder.verdicts.telling import points
from autograder.verdicts.verdict import Verdict


class Gradescope(ScoreExport):
    """Plug-in of `nbgrader export` for files as a Gradescope autograder writes them."""

    visibility = Enum(VISIBILITIES, default_value="visible", help="When students see the tests.").tag(config=True)

    def export(self, gradebook: Gradebook) -> None:
        """Write a results.json for each submission."""
        students = self.chosen_students(gradebook)
        if strange := [name for name in students if not STUDENT.fullmatch(name)]:
            self.say(f"left out, because no folder can have their name: {named(strange)}.")
        to = self.destination("gradescope")
        for assignment in self.chosen_assignments(gradebook):
            count = 0
            for standing in self.sent(gradebook, assignment, set(students) - set(strange)):
                tasks = list(self._tasks(standing, assignment.name))
                said = "Nothing was handed in." if standing.state is State.MISSING else ""
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
            yield _task(cell, verdicts.get(cell.cell if cell.asserted else cell.task), comments)

    def _verdicts(self, student: str, assignment: str, notebook: str) -> dict[str, Verdict]:
        """Return the verdicts in the graded notebook that nbgrader wrote, by task, in the notebook's order."""
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
