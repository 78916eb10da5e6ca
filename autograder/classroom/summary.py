"""Summary of a class run: scores by task, common reasons for missing points, slow and failed submissions."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable
from typing import Any

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from autograder.classroom.changes import other_points
from autograder.classroom.done import Done, State
from autograder.classroom.gradebook_notes import GradebookNotes
from autograder.standings.course_changes import told
from autograder.standings.number_text import submissions
from autograder.supervisor.tiers import MEANING
from autograder.verdicts.plain_text import asserted_notice
from autograder.visible_text import visible
from autograder.wire.outcome import Outcome

COMMONEST = 8
LEAST = 10
"""Submissions below whose number shares are given as counts."""
SLOWEST = 3


@dataclasses.dataclass
class _Task:
    """Scores of a class for one task: numbers of submissions, and the sum of their points."""

    maximum: float
    seen: int = 0
    full: int = 0
    none: int = 0
    points: float = 0.0
    asserted: bool = False


class Summary:
    """Counts of results, with only as much of each submission as the summary names, because a class may be large.

    Attributes:
        seen: number of submissions.
        changed: submissions that had other points before.
        gradebook: notes on the gradebook.
    """

    def __init__(self, several: bool = False) -> None:
        """
        Args:
            several: whether the run has several assignments, so that a student's name needs the assignment's.
        """
        self._several = several
        self.seen, self.changed = 0, list[Done]()
        self._states, self._reasons = Counter[State](), Counter[tuple[str, str]]()
        self._tasks: dict[str, _Task] = {}
        self._slowest: list[tuple[float, str]] = []
        self._ended, self._repaired, self._failed, self._waits = list[str](), list[str](), list[str](), list[str]()
        self._unseen, self._other_versions = list[str](), list[str]()
        self._failures, self._changed = list[tuple[str, str]](), list[str]()
        self._hosts: dict[str, Counter[str]] = {}
        self._changes: dict[str, list[list[str]]] = {}
        self._outdated, self._updated, self.gradebook = False, 0, GradebookNotes(several)

    def add(self, done: Done) -> None:
        """Count the result for one submission."""
        student = done.named(with_assignment=self._several)
        self.seen += 1
        self._states[done.state] += 1
        self._outdated |= done.outdated and not done.changes
        if done.changes:
            self._changes.setdefault(done.submission.assignment, []).append(done.changes)
        for verdict in done.before if done.state == State.HELD_BACK else done.verdicts:
            self._count(verdict, done.submission.assignment)
            if verdict.get("changed"):
                self._changed.append(_line(student, f"{verdict['task']}: {', '.join(map(str, verdict['changed']))}"))
        if any(other_points(done)):
            self.changed.append(done)
        self.gradebook.add(done)
        if done.seconds:
            self._slowest = sorted([*self._slowest, (done.seconds, student)], key=lambda one: -one[0])[:SLOWEST]
        ended = done.ended.items()
        self._ended += [_line(student, f"{_place(where)} ended its sandbox: {why}") for where, why in ended]
        self._updated += bool(done.repaired.updated)
        if done.repaired.tampered:
            self._repaired.append(_line(student, ", ".join(done.repaired.tampered)))
        if done.repaired.other_versions:
            self._other_versions.append(_line(student, done.repaired.other_versions))
        if done.state == State.FAILED:
            self._failed.append(_line(student, done.reason.strip().splitlines()[-1]))
            self._failures.append((done.submission.assignment, done.submission.student))
        if done.tier:
            self._hosts.setdefault(done.tier, Counter())[done.host] += 1

    def _count(self, verdict: dict[str, Any], assignment: str) -> None:
        named = _named(verdict, assignment if self._several else "")
        task = self._tasks.setdefault(named, _Task(verdict["maximum"]))
        task.asserted |= bool(verdict.get("cell"))
        task.seen += 1
        task.full += verdict["points"] == verdict["maximum"]
        task.none += verdict["points"] == 0 < verdict["maximum"]
        task.points += verdict["points"]
        missed = (result for result in verdict["results"] if result["kind"] != Outcome.PASSED)
        for reason in {result["mistake"] or result["kind"].replace("_", " ") for result in missed}:
            self._reasons[named, reason] += 1

    def waits(self, lines: list[str]) -> None:
        """Note cells that nobody has graded or that wait for a person, a line each."""
        self._waits += [visible(f"  {line}", kept="") for line in lines]

    def unseen(self, assignment: str, lines: Iterable[str]) -> None:
        """Note files of submissions that do not reach their notebooks, a line for each student."""
        self._unseen += [_line(assignment, line) for line in lines]

    def failures(self, assignment: str) -> list[str]:
        """Return the students whose submissions for an assignment could not be graded."""
        return [student for name, student in self._failures if name == assignment]

    @property
    def failed(self) -> int:
        """Return the number of submissions that could not be graded."""
        return self._states[State.FAILED]

    @property
    def held_back(self) -> int:
        """Return the number of submissions whose points would change, and were not written without a reason."""
        return self._states[State.HELD_BACK]

    @property
    def left_out(self) -> int:
        """Return the number of submissions without answers to today's questions, which were not judged."""
        return self._states[State.UNANSWERED]

    def states(self) -> str:
        """Return the counts in words, such as "12 graded, 3 unchanged"."""
        return ", ".join(f"{self._states[state]} {state}" for state in State if self._states[state])

    def show(self, console: Console, seconds: float) -> None:
        """Print the summary.

        Args:
            console: where to print it.
            seconds: wall time of the run.
        """
        rate = f", {self.seen / seconds:.1f} a second" if seconds > 1 and self.seen else ""
        states = self.states() or "none"
        console.print(Text(f"{self.seen} submissions in {seconds:.1f} s{rate}: {states}", style="bold"))
        slowest = ", ".join(f"{student} {took:.1f} s" for took, student in self._slowest)
        parts = [
            self._points(),
            self._asserted(),
            self._diagnoses(),
            Text(f"Slowest: {slowest}") if slowest else None,
            _listed("Stopped or crashed:", self._ended),
            _updated(self._updated),
            _listed("Changed beneath asserts, and put back; look at these by hand:", self._changed),
            _listed("Files beside notebooks that did not reach them (Grade.handed_in_files):", self._unseen),
            _listed("Cells that were edited, deleted or doubled, restored:", self._repaired),
            _listed("Not the versions that were dealt to them, in which they were graded:", self._other_versions),
            _listed("Cells that are not graded, or wait for a person:", self._waits),
            _listed("Not graded:", self._failed, style="red"),
            *self.gradebook.texts(),
            self._tiers(),
        ]
        console.print(Group(*(part for part in parts if part is not None)))
        for assignment, changes in self._changes.items():
            console.print(Text("\n".join(f"{one}." for one in told(assignment, changes))))
        if self._outdated:
            console.print("Checks have changed since some of these were judged: `autograder grade --rejudge --diff`.")

    def _points(self) -> Table | None:
        if not self._tasks:
            return None
        table = Table("task", "full", "part", "none", "mean", title="Points by task", title_justify="left")
        for name, task in self._tasks.items():
            counts = (task.full, task.seen - task.full - task.none, task.none)
            shares = (_share(count, task.seen) for count in counts)
            table.add_row(name, *shares, f"{task.points / task.seen:.2f} of {task.maximum:g}")
        return table

    def _asserted(self) -> Text | None:
        judged = {name: task.asserted for name, task in self._tasks.items()}
        return Text(asserted_notice(judged)) if any(judged.values()) else None

    def _diagnoses(self) -> Table | None:
        if not self._reasons:
            return None
        table = Table("task", "diagnosis", "submissions", title="Commonest reasons", title_justify="left")
        commonest = sorted(self._reasons.items(), key=lambda one: (-one[1], one[0]))[:COMMONEST]
        for (task, reason), count in commonest:
            table.add_row(task, Text(reason), str(count))
        return table

    def _tiers(self) -> Text | None:
        several = len(set().union(*self._hosts.values())) > 1
        lines = []
        for tier, counted in sorted(self._hosts.items()):
            where = ", ".join(f"{count} on {host}" for host, count in sorted(counted.items()))
            lines.append(f"{where}: {MEANING[tier]}" if several else MEANING[tier])
        return Text("\n".join(lines)) if lines else None


def _named(verdict: dict[str, Any], assignment: str) -> str:
    """Name a verdict's task; a cell's grade_id may stand in several notebooks, a task's name in one."""
    if not verdict.get("cell"):
        return str(verdict["task"])
    place = "/".join(dict.fromkeys(filter(None, [assignment, verdict["exercise"]])))
    return f"{place}: {verdict['cell']}"


def _share(count: int, seen: int) -> str:
    return f"{count} of {seen}" if seen < LEAST else f"{count / seen:.0%}"


def _line(student: str, said: str) -> str:
    return visible(f"  {student}: {said}", kept="")


def _listed(title: str, lines: list[str], style: str = "") -> Text | None:
    return Text("\n".join([title, *lines]), style=style) if lines else None


def _updated(count: int) -> Text | None:
    if not count:
        return None
    return Text(f"Cells of another release of the exercise, brought to this one: in {submissions(count)}.")


def _place(place: str) -> str:
    return f"cell {int(place) + 1}" if place.isdigit() else place
