"""What a class run says at its end: scores by task, why points are missing, what was slow or went wrong."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from autograder.classroom.done import Done
from autograder.classroom.gradebook_notes import GradebookNotes
from autograder.standings.numbers import submissions
from autograder.supervisor.tiers import MEANING
from autograder.terminal import add_names
from autograder.visible_text import visible

STATES = ("graded", "judged", "restored", "with a new penalty", "unchanged", "without answers", "failed")
COMMONEST = 8
SLOWEST = 3


@dataclasses.dataclass
class _Task:
    """What a class got for one task."""

    maximum: float
    seen: int = 0
    full: int = 0
    none: int = 0
    points: float = 0.0


class Summary:
    """Counts what became of each submission, and keeps only what is said of it by name: a class may be large.

    Attributes:
        seen: how many there were.
        changed: those that were judged before, with other points.
    """

    def __init__(self) -> None:
        self.seen, self.changed = 0, list[Done]()
        self._states, self._reasons = Counter[str](), Counter[tuple[str, str]]()
        self._tasks: dict[str, _Task] = {}
        self._slowest: list[tuple[float, str]] = []
        self._ended, self._repaired, self._failed, self._waits = list[str](), list[str](), list[str](), list[str]()
        self._failures = list[tuple[str, str]]()
        self._hosts: dict[str, Counter[str]] = {}
        self._outdated, self._updated, self._gradebook = False, 0, GradebookNotes()

    def add(self, done: Done) -> None:
        """One more."""
        student = done.submission.student
        self.seen += 1
        self._states[done.state] += 1
        self._outdated |= done.outdated
        for verdict in done.verdicts:
            self._count(verdict)
        if any(_other_points(done)):
            self.changed.append(done)
        self._gradebook.add(done)
        if done.seconds:
            self._slowest = sorted([*self._slowest, (done.seconds, student)], key=lambda one: -one[0])[:SLOWEST]
        ended = done.ended.items()
        self._ended += [_line(student, f"{_place(where)} ended its sandbox: {why}") for where, why in ended]
        self._updated += bool(done.repaired.updated)
        if done.repaired.tampered:
            self._repaired.append(_line(student, ", ".join(done.repaired.tampered)))
        if done.state == "failed":
            self._failed.append(_line(student, done.reason.strip().splitlines()[-1]))
            self._failures.append((done.submission.assignment, student))
        if done.tier:
            self._hosts.setdefault(done.tier, Counter())[done.host] += 1

    def _count(self, verdict: dict) -> None:
        task = self._tasks.setdefault(verdict["task"], _Task(verdict["maximum"]))
        task.seen += 1
        task.full += verdict["points"] == verdict["maximum"]
        task.none += verdict["points"] == 0
        task.points += verdict["points"]
        missed = (result for result in verdict["results"] if result["kind"] != "passed")
        for reason in {result["mistake"] or result["kind"].replace("_", " ") for result in missed}:
            self._reasons[verdict["task"], reason] += 1

    def waits(self, lines: list[str]) -> None:
        """Note which cells nobody has graded, or wait for a person, a line each."""
        self._waits += [visible(f"  {line}", kept="") for line in lines]

    def failures(self, assignment: str) -> list[str]:
        """Name the students whose submissions for an assignment could not be graded."""
        return [student for name, student in self._failures if name == assignment]

    @property
    def failed(self) -> int:
        """How many could not be graded."""
        return self._states["failed"]

    def states(self) -> str:
        """ "12 graded, 3 unchanged"."""
        return ", ".join(f"{self._states[state]} {state}" for state in STATES if self._states[state])

    def show(self, console: Console, seconds: float) -> None:
        """Print it."""
        rate = f", {self.seen / seconds:.1f} a second" if seconds > 1 and self.seen else ""
        states = self.states() or "none"
        console.print(Text(f"{self.seen} submissions in {seconds:.1f} s{rate}: {states}", style="bold"))
        slowest = ", ".join(f"{student} {took:.1f} s" for took, student in self._slowest)
        parts = [
            self._points(),
            self._diagnoses(),
            Text(f"Slowest: {slowest}") if slowest else None,
            _listed("Stopped or crashed:", self._ended),
            _updated(self._updated),
            _listed("Cells that were edited, deleted or doubled, restored:", self._repaired),
            _listed("Cells that are not graded, or wait for a person:", self._waits),
            _listed("Not graded:", self._failed, style="red"),
            *self._gradebook.texts(),
            self._tiers(),
        ]
        console.print(Group(*(part for part in parts if part is not None)))
        if self._outdated:
            console.print("Checks have changed since some of these were judged: `autograder grade --rejudge --diff`.")

    def _points(self) -> Table | None:
        if not self._tasks:
            return None
        table = Table("task", "full", "part", "none", "mean", title="Points by task", title_justify="left")
        for name, task in self._tasks.items():
            shares = (task.full, task.seen - task.full - task.none, task.none)
            mean = f"{task.points / task.seen:.2f} of {task.maximum:g}"
            table.add_row(name, *(f"{share / task.seen:.0%}" for share in shares), mean)
        return table

    def _diagnoses(self) -> Table | None:
        if not self._reasons:
            return None
        table = Table("task", "diagnosis", "submissions", title="Commonest reasons", title_justify="left")
        for (task, reason), count in self._reasons.most_common(COMMONEST):
            table.add_row(task, Text(reason), str(count))
        return table

    def _tiers(self) -> Text | None:
        several = len(set().union(*self._hosts.values())) > 1
        lines = []
        for tier, counted in sorted(self._hosts.items()):
            where = ", ".join(f"{count} on {host}" for host, count in sorted(counted.items()))
            lines.append(f"{where}: {MEANING[tier]}" if several else MEANING[tier])
        return Text("\n".join(lines)) if lines else None


def _line(student: str, said: str) -> str:
    return visible(f"  {student}: {said}", kept="")


def _listed(title: str, lines: list[str], style: str = "") -> Text | None:
    return Text("\n".join([title, *lines]), style=style) if lines else None


def _updated(count: int) -> Text | None:
    if not count:
        return None
    return Text(f"Cells of another release of the exercise, brought to this one: in {submissions(count)}.")


def _other_points(done: Done) -> Iterator[tuple[dict, dict]]:
    """Of each task that has other points than before: the verdict then, and now."""
    before = {verdict["task"]: verdict for verdict in done.before}
    for verdict in done.verdicts:
        old = before.get(verdict["task"])
        if old is not None and old["points"] != verdict["points"]:
            yield old, verdict


def _place(place: str) -> str:
    return f"cell {int(place) + 1}" if place.isdigit() else place


def changes(done: list[Done]) -> Table:
    """Whose score would change, by how much and why."""
    table = Table(title="What would change", title_justify="left")
    add_names(table, "student")
    for title in ("task", "was", "would be", "why"):
        table.add_column(title, overflow="fold")
    for one in done:
        for old, new in _other_points(one):
            why = Text(new["reason"] or "nothing is missing any more")
            if one.stale:
                why = Text("the gradebook does not hold what was graded")
            table.add_row(one.submission.student, new["task"], f"{old['points']:g}", f"{new['points']:g}", why)
    return table
