"""Scores for Moodle: a file for each assignment, for "Grades, Import, CSV file".

    nbgrader export --exporter=autograder.exports.moodle.Moodle --Moodle.identifier=useremail

What Moodle reads is described in its documentation (docs.moodle.org, "Grade import") and in its source,
grade/import/csv/classes/load_data.php. Three things there decide how these files are made:

- A line with an empty identifier goes to the student of the line before, and an unknown identifier stops the whole
  import. So no line without an identifier is written, nor two with the same.
- An empty grade deletes the grade in Moodle. So each assignment has a file of its own, and students without a score
  have no line in it.
- A grade is in points of the grade item, cut off at its maximum, and refused above the site's (100 unless changed).
"""

from __future__ import annotations

from collections import Counter

from nbgrader.api import Assignment, Gradebook, Student
from traitlets import Bool, Dict, Enum, Unicode

from autograder.exports.csv_cells import html, is_plain, text, write
from autograder.exports.plug_in import ScoreExport, named
from autograder.standings.number_text import number
from autograder.standings.standing import Standing
from autograder.standings.state import State

HEADERS = {"username": "Username", "useremail": "Email address", "useridnumber": "ID number"}
"""By Moodle's name of an identifier, the header of its column in Moodle's exports."""
SITE_MAXIMUM = 100


class Moodle(ScoreExport):
    """Plug-in of `nbgrader export` for Moodle's CSV import."""

    identifier = Enum(
        list(HEADERS),
        default_value="username",
        help="By what Moodle knows students: username (nbgrader's id), useremail (email), useridnumber (lms_user_id, "
        "or nbgrader's id where that is empty).",
    ).tag(config=True)
    columns = Dict(
        value_trait=Unicode(), key_trait=Unicode(), help="For an assignment whose grade item has another name."
    ).tag(config=True)
    feedback = Bool(True, help="A column that says which tasks lack points, and why.").tag(config=True)

    def export(self, gradebook: Gradebook) -> None:
        """Write a CSV file for each assignment."""
        students = self._identified(self.chosen_students(gradebook))
        for assignment in self.chosen_assignments(gradebook):
            self._export(gradebook, assignment, students)

    def _identified(self, students: dict[str, Student]) -> dict[str, list[str]]:
        """Return identifier, first and last name of each student with an unambiguous identifier in Moodle."""
        identifiers = {name: self._identifier(student) for name, student in students.items()}
        counted = Counter(identifiers.values())
        usable = {name for name, found in identifiers.items() if is_plain(found) and counted[found] == 1}
        if others := set(students) - usable:
            self.say(
                f"Without an identifier of their own ({HEADERS[self.identifier]}), left out: {named(others)} "
                "(`nbgrader db student add` gives one; Moodle.identifier chooses another)."
            )
        return {
            name: [identifiers[name], text(students[name].first_name), text(students[name].last_name)]
            for name in sorted(usable)
        }

    def _identifier(self, student: Student) -> str:
        by_kind = {
            "username": student.id,
            "useremail": student.email,
            "useridnumber": student.lms_user_id or student.id,
        }
        return (by_kind[self.identifier] or "").strip()

    def _export(self, gradebook: Gradebook, assignment: Assignment, students: dict[str, list[str]]) -> None:
        title = text(self.columns.get(assignment.name, assignment.name))
        sent = list(self.sent(gradebook, assignment, students))
        path = self.destination("moodle") / f"{assignment.name}.csv"
        if not sent:
            self.write_nothing(path)
            return
        head = [HEADERS[self.identifier], "First name", "Last name", title]
        rows = [head + ([f"{title} (feedback)"] if self.feedback else [])]
        for score in sent:
            said = [_said(score)] if self.feedback else []
            rows.append([*students[score.student], number(score.points), *said])
        write(path, rows)
        self.log.info("Wrote %d students to %s", len(sent), path)
        self._warn(assignment, sent)

    def _warn(self, assignment: Assignment, sent: list[Standing]) -> None:
        above = [score.student for score in sent if score.points > assignment.max_score]
        if above:
            self.say(
                f"{assignment.name}: {named(above)} have more than {number(assignment.max_score)} points; Moodle cuts "
                "them off unless the site allows grades over the maximum (unlimitedgrades)."
            )
        if any(score.points > SITE_MAXIMUM for score in sent):
            self.say(
                f"{assignment.name}: Moodle refuses a file with a grade above {SITE_MAXIMUM} unless the site's "
                "unlimitedgrades and gradepointmax allow it."
            )


def _said(standing: Standing) -> str:
    """Return the feedback as HTML, which Moodle expects, with students' text escaped."""
    if standing.state is State.MISSING:
        return "Nothing was handed in."
    account = f": {standing.breakdown}" if standing.breakdown else ""
    lines = [f"{number(standing.points)} of {number(standing.maximum)} points{account}."]
    for cell in standing.cells:
        if cell.points < cell.maximum:
            why = f": {cell.why}" if cell.why else ""
            lines.append(f"{cell.task} {number(cell.points)} of {number(cell.maximum)}{why}")
    return html(lines)
