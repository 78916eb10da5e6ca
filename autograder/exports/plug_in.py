"""Base of the plug-ins of `nbgrader export`: the choice of assignments and students, and the messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from nbgrader.api import Assignment, Gradebook, Student
from nbgrader.plugins import ExportPlugin
from traitlets import Bool

from autograder.gradebook_access.folder import gradebook_folder
from autograder.standings.course_changes import told
from autograder.standings.last_seen import report_differences
from autograder.standings.participants import has_participants, unregistered
from autograder.standings.staleness import COURSE_CHANGED
from autograder.standings.standing import Standing, standings
from autograder.standings.state import State
from autograder.tasks.folders import exercises, is_left_out
from autograder.tasks.tables import TaskFolderError

MOST_NAMED = 12
WHAT_TO_DO = {
    State.BY_HAND: "finish them in the formgrader, export again",
    State.NOT_GRADED: "no check grades all of their cells: give those points in the formgrader, export again",
    State.WITHDRAWN: "put it back to send its points, or run `autograder forget` for a student who has left",
    State.MISSING: "{exporter}.zero_for_missing=True writes 0",
}
GRADE = "{reason}: run `autograder grade {assignment}`"
"""Advice for submissions without points, or with points of another version than was handed in."""
REJUDGE = "{reason}: `autograder grade {assignment} --rejudge --diff` says what judging again would change"
"""Advice for submissions that were graded before the exercise or its points were changed."""


class ExportError(SystemExit):
    """Nothing can be exported; nbgrader prints the message, which says why, and exits with status 1."""

    def __init__(self, message: str) -> None:
        super().__init__(f"nbgrader export: {message}")


class ChosenExport(ExportPlugin):  # type: ignore[misc]  # nbgrader has no types
    """Base class of all plug-ins: what `--assignment` and `--student` choose, whose names must be known."""

    def chosen_assignments(self, gradebook: Gradebook) -> list[Assignment]:
        """Return the assignments of `--assignment`, or all that the course file does not leave out.

        Raises:
            ExportError: the gradebook does not know one of the names, or a task folder cannot be used.
        """
        try:
            exercises()  # standings and points depend on the task folders, and fail half-way if one cannot be read
        except TaskFolderError as error:
            raise ExportError(str(error)) from None
        names = [str(name) for name in self.assignment]
        known = {one.name: one for one in sorted(gradebook.assignments, key=lambda one: one.name)}
        if unknown := set(names) - set(known):
            raise ExportError(f"the gradebook knows no assignment {named(unknown)}; it knows {named(known)}")
        return [known[name] for name in names or (name for name in known if not is_left_out(name))]

    def chosen_students(self, gradebook: Gradebook) -> dict[str, Student]:
        """Return nbgrader's students by id: those of `--student`, or all.

        Raises:
            ExportError: the gradebook does not know one of the ids.
        """
        ids = {str(name) for name in self.student}
        known = {one.id: one for one in gradebook.students}
        if unknown := ids - set(known):
            raise ExportError(f"the gradebook knows no student {named(unknown)}")
        return {name: one for name, one in known.items() if not ids or name in ids}


class ScoreExport(ChosenExport):
    """Base class of the plug-ins for platforms: exports final scores and says in a sentence what it leaves out."""

    zero_for_missing = Bool(False, help="Write 0 for a student who handed nothing in.").tag(config=True)

    def say(self, sentence: str) -> None:
        """Tell the instructor a sentence, through nbgrader's log."""
        self.log.warning("%s", sentence)

    def destination(self, usual: str) -> Path:
        """Return the path to write to: `--to`, else the usual name beside the gradebook."""
        course = self.parent.coursedir
        gradebook = gradebook_folder(course)
        return Path(self.to) if self.to else gradebook / usual

    def write_nothing(self, path: Path) -> None:
        """Say that there is no score for a file, and leave alone what an earlier export wrote."""
        left = ", and the file there is from an earlier export" if path.exists() else ""
        self.say(f"There is no final score to send, so {path} is not written{left}.")

    def sent(self, gradebook: Gradebook, assignment: Assignment, students: Iterable[str]) -> Iterator[Standing]:
        """Yield the standings whose points go out; say who is left out, and why."""
        if not has_participants(gradebook, self.parent.coursedir, assignment.name):
            self.say(f"{assignment.name}: it has no submission, so nothing is exported.")
            return
        left_out: dict[tuple[State, str], list[str]] = {}
        course = self.parent.coursedir
        for sentence in report_differences(gradebook, course, assignment.name):
            self.say(f"{sentence}.")
        strangers = () if self.student else unregistered(gradebook, course, assignment.name)
        changes = list[tuple[str, ...]]()
        for one in (*standings(gradebook, course, assignment.name, list(students)), *strangers):
            changes.append(one.changes)
            if one.state is State.GRADED or (one.state is State.MISSING and self.zero_for_missing):
                yield one
            else:
                left_out.setdefault((one.state, one.reason), []).append(one.student)
        for sentence in told(assignment.name, changes):
            self.say(f"{sentence}.")
        for (state, reason), names in left_out.items():
            place = {"reason": reason, "assignment": assignment.name, "exporter": type(self).__name__}
            grade = REJUDGE if reason.startswith(COURSE_CHANGED) else GRADE
            said = grade if reason and state is not State.WITHDRAWN else WHAT_TO_DO[state]
            advice = said.format(**place)
            self.say(f"{assignment.name}: {state.value}, left out: {named(names)} ({advice}).")


def named(names: Iterable[str]) -> str:
    """Return the first names, escaped, and how many more there are, on one line."""
    every = sorted(ascii(name)[1:-1] for name in names)
    more = f" and {len(every) - MOST_NAMED} more" if len(every) > MOST_NAMED else ""
    return (", ".join(every[:MOST_NAMED]) or "none") + more
