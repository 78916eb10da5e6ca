"""What the plug-ins of `nbgrader export` share: the choice of assignments and students, and what they say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from nbgrader.api import Assignment, Gradebook, Student
from nbgrader.plugins import ExportPlugin
from traitlets import Bool

from autograder.standings.standing import Standing, standings, unregistered
from autograder.standings.state import State

MOST_NAMED = 12
WHAT_TO_DO = {
    State.BY_HAND: "finish them in the formgrader, export again",
    State.NOT_GRADED: "no check grades all of their cells: give those points in the formgrader, export again",
    State.MISSING: "{exporter}.zero_for_missing=True writes 0",
}
GRADE = "{reason}: run `autograder grade {assignment}`"
"""What is said of submissions whose points are not there, or not of what was handed in."""


class ExportError(SystemExit):
    """Nothing can be exported; the message says why. nbgrader prints it and ends with status 1."""

    def __init__(self, message: str) -> None:
        super().__init__(f"nbgrader export: {message}")


class ScoreExport(ExportPlugin):
    """Base of the plug-ins: final scores go out, everything else is named in a sentence."""

    zero_for_missing = Bool(False, help="Write 0 for a student who handed nothing in.").tag(config=True)

    def say(self, sentence: str) -> None:
        """Tell the instructor."""
        self.log.warning("%s", sentence)

    def destination(self, usual: str) -> Path:
        """Where to write: `--to`, or this name beside the gradebook."""
        course = self.parent.coursedir
        gradebook = Path(course.format_path(course.submitted_directory, ".", ".")).resolve().parent
        return Path(self.to) if self.to else gradebook / usual

    def chosen_assignments(self, gradebook: Gradebook) -> list[Assignment]:
        """Those of `--assignment`, or all.

        Raises:
            ExportError: for a name that the gradebook does not know.
        """
        names = [str(name) for name in self.assignment]
        known = {one.name: one for one in sorted(gradebook.assignments, key=lambda one: one.name)}
        if unknown := set(names) - set(known):
            raise ExportError(f"the gradebook knows no assignment {named(unknown)}; it knows {named(known)}")
        return [known[name] for name in names or known]

    def chosen_students(self, gradebook: Gradebook) -> dict[str, Student]:
        """nbgrader's students by id: those of `--student`, or all.

        Raises:
            ExportError: for an id that the gradebook does not know.
        """
        ids = {str(name) for name in self.student}
        known = {one.id: one for one in gradebook.students}
        if unknown := ids - set(known):
            raise ExportError(f"the gradebook knows no student {named(unknown)}")
        return {name: one for name, one in known.items() if not ids or name in ids}

    def sent(self, gradebook: Gradebook, assignment: Assignment, students: Iterable[str]) -> Iterator[Standing]:
        """Yield the standings whose points go out; say who is left out, and why."""
        left_out: dict[tuple[State, str], list[str]] = {}
        course = self.parent.coursedir
        strangers = () if self.student else unregistered(gradebook, course, assignment.name)
        for one in (*standings(gradebook, course, assignment.name, list(students)), *strangers):
            if one.state is State.GRADED or (one.state is State.MISSING and self.zero_for_missing):
                yield one
            else:
                left_out.setdefault((one.state, one.reason), []).append(one.student)
        for (state, reason), names in left_out.items():
            place = {"reason": reason, "assignment": assignment.name, "exporter": type(self).__name__}
            advice = (GRADE if reason else WHAT_TO_DO[state]).format(**place)
            self.say(f"{assignment.name}: {state.value}, left out: {named(names)} ({advice}).")


def named(names: Iterable[str]) -> str:
    """Some names and how many more, on one line."""
    every = sorted(ascii(name)[1:-1] for name in names)
    more = f" and {len(every) - MOST_NAMED} more" if len(every) > MOST_NAMED else ""
    return (", ".join(every[:MOST_NAMED]) or "none") + more
