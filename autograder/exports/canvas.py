"""Scores for Canvas: the gradebook that Canvas exported, with our columns filled in.

    nbgrader export --exporter=autograder.exports.canvas.Canvas --Canvas.roster=exported.csv

What Canvas reads is described in its guides ("How do I import grades in the Gradebook?") and in its source,
lib/gradebook_importer.rb and lib/gradebook_exporter.rb. Three things there decide how this file is made:

- A line whose ID Canvas knows belongs to that student, whatever else it says; without an ID Canvas compares login
  ids and finally *names*. So ids come from Canvas's own export, and a line without an ID is not written.
- An empty cell deletes the score that Canvas has. So students without a score have no line, and any other cell
  keeps what Canvas exported.
- The line "Points Possible" sets an assignment's points. So Canvas's own number is kept.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from nbgrader.api import Assignment, Gradebook
from traitlets import Dict, Enum, Unicode

from autograder.exports.canvas_roster import POSSIBLE, Roster, RosterError
from autograder.exports.csv_cells import text, write
from autograder.exports.plug_in import ExportError, ScoreExport, named
from autograder.names import with_nearest
from autograder.standings.number_text import number

KEPT = ("EX", "N/A")
"""What Canvas writes for an excused student, and for a student without the assignment."""

HEADS = 2
"""Lines before those of students."""


class Canvas(ScoreExport):
    """Plug-in of `nbgrader export` for Canvas's "Import Grades"."""

    roster = Unicode("", help="The file that Canvas exported: Grades, Export, Export Entire Gradebook.").tag(
        config=True
    )
    student_column = Enum(
        ["SIS Login ID", "SIS User ID", "Integration ID", "ID"],
        default_value="SIS Login ID",
        help="The roster's column that holds nbgrader's student ids. An lms_user_id in the gradebook goes before it.",
    ).tag(config=True)
    columns = Dict(
        value_trait=Unicode(),
        key_trait=Unicode(),
        help="For an assignment whose title in Canvas is another: that title, or title and id, 'Exercise 1 (4711)'.",
    ).tag(config=True)

    def export(self, gradebook: Gradebook) -> None:
        """Write the CSV file.

        Raises:
            ExportError: there is no roster, or none of its students is in the gradebook.
        """
        if not self.roster:
            raise ExportError(
                "Canvas knows students by ids of its own: in Canvas, open Grades and choose Export, Export Entire "
                "Gradebook, then name that file with --Canvas.roster=FILE"
            )
        try:
            self._export(gradebook, Roster.read(Path(self.roster)))
        except RosterError as error:
            raise ExportError(str(error)) from None

    def _export(self, gradebook: Gradebook, roster: Roster) -> None:
        lines = self._lines(gradebook, roster)
        known = {one.name for one in gradebook.assignments}
        for name in sorted(self.columns.keys() - known):
            self.say(
                f"Canvas.columns names an assignment that the gradebook does not know: {with_nearest(name, known)}."
            )
        assignments = self.chosen_assignments(gradebook)
        cells = {one.name: self._column(gradebook, roster, one, lines) for one in assignments}
        who, possible = roster.headers[: roster.section + 1], [f"    {POSSIBLE}"] + [""] * roster.section
        titles, most = zip(*(self._heads(roster, one) for one in assignments), strict=True) if assignments else ((), ())
        rows = [[*who, *titles], [*possible, *most]]
        for student, line in lines.items():
            if any(student in scores for scores in cells.values()):
                scores = [column.get(student, self._kept(roster, line, name)) for name, column in cells.items()]
                rows.append(self._identity(line, roster.section) + scores)
        path = self.destination("canvas.csv")
        if len(rows) == HEADS:
            self.write_nothing(path)
            return
        write(path, rows)
        self.log.info("Wrote %d students to %s: in Canvas, Grades, Import, choose this file", len(rows) - HEADS, path)

    def _lines(self, gradebook: Gradebook, roster: Roster) -> dict[str, list[str]]:
        """Return the roster's line of each chosen student that has one there without another student."""
        by_id, by_column = roster.by("ID"), roster.by(self.student_column)
        lines, unknown = {}, []
        for name, student in sorted(self.chosen_students(gradebook).items()):
            found = by_id.get(student.lms_user_id or "") or by_column.get(name, [])
            if len(found) > 1:
                raise RosterError(f"{named([name])} is in {len(found)} lines of {self.roster}")
            if found:
                lines[name] = found[0]
            else:
                unknown.append(name)
        if not lines:
            raise RosterError(
                f"no student of the gradebook is in the column {self.student_column!r} of {self.roster}: "
                "choose another with --Canvas.student_column"
            )
        if unknown:
            self.say(f"Not in the roster, left out: {named(unknown)}.")
        if others := len(roster.students) - len({id(line) for line in lines.values()}):
            self.say(f"In the roster and not among the chosen students, left as they are in Canvas: {others}.")
        counted = Counter(id(line) for line in lines.values())
        if shared := {name for name, line in lines.items() if counted[id(line)] > 1}:
            self.say(
                f"In one line of the roster with another student, left out: {named(shared)} (correct an lms_user_id "
                "with `nbgrader db student add`, or run `autograder forget` for an id that is no longer used)."
            )
        return {name: line for name, line in lines.items() if name not in shared}

    def _column(
        self, gradebook: Gradebook, roster: Roster, assignment: Assignment, lines: dict[str, list[str]]
    ) -> dict[str, str]:
        at, filled, kept = roster.column(self._title(assignment.name)), {}, []
        for score in self.sent(gradebook, assignment, lines):
            if at is not None and lines[score.student][at].strip().upper() in KEPT:
                kept.append(score.student)
            else:
                filled[score.student] = number(score.points)
        if kept:
            self.say(f"{assignment.name}: excused or not assigned in Canvas, and left so: {named(kept)}.")
        if at is None:
            self.say(
                f"{assignment.name}: the roster has no assignment of this title; Canvas will ask whether to create it "
                "(Canvas.columns in gradebook/settings.py names another title)."
            )
        elif roster.possible[at].strip() not in ("", number(assignment.max_score), f"{assignment.max_score:.2f}"):
            self.say(
                f"{assignment.name}: {number(assignment.max_score)} points here and {roster.possible[at].strip()} in "
                "Canvas; points are written as they are, so make the two agree in Canvas."
            )
        return filled

    def _heads(self, roster: Roster, assignment: Assignment) -> tuple[str, str]:
        at = roster.column(self._title(assignment.name))
        if at is None:
            return text(self._title(assignment.name)), number(assignment.max_score)
        return roster.headers[at], roster.possible[at].strip()

    def _kept(self, roster: Roster, line: list[str], assignment: str) -> str:
        at = roster.column(self._title(assignment))
        return "" if at is None else line[at].strip()

    def _title(self, assignment: str) -> str:
        return str(self.columns.get(assignment, assignment))

    @staticmethod
    def _identity(line: list[str], section: int) -> list[str]:
        cells = [text(cell) for cell in line[: section + 1]]
        # Canvas takes a line with these words in its name for the assignments' points.
        return [cell.replace(POSSIBLE, "(name left out)") for cell in cells]
