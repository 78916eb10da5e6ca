"""What a class run says at its end: scores by task, why points are missing, what was slow or went wrong."""

from __future__ import annotations

from collections import Counter

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from autograder.classroom.run import Done
from autograder.supervisor.tiers import MEANING

STATES = ("graded", "judged", "unchanged", "failed")
COMMONEST = 8
SLOWEST = 3


class Summary:
    """Collects what became of each submission."""

    def __init__(self) -> None:
        self.done: list[Done] = []

    def add(self, done: Done) -> None:
        """One more."""
        self.done.append(done)

    @property
    def failed(self) -> list[Done]:
        """Those that could not be graded."""
        return [one for one in self.done if one.state == "failed"]

    def states(self) -> str:
        """ "12 graded, 3 unchanged"."""
        counted = Counter(one.state for one in self.done)
        return ", ".join(
            f"{counted[state]} {state}" for state in ("graded", "judged", "unchanged", "failed") if counted[state]
        )

    def show(self, console: Console, seconds: float) -> None:
        """Print it."""
        rate = f", {len(self.done) / seconds:.1f} a second" if seconds > 1 and self.done else ""
        console.print(
            Text(f"{len(self.done)} submissions in {seconds:.1f} s{rate}: {self.states() or 'none'}", style="bold")
        )
        parts = [self._tasks(), self._diagnoses(), self._slowest(), self._ended(), self._repaired()]
        parts += [self._failed(), self._tiers()]
        console.print(Group(*(part for part in parts if part is not None)))
        if any(one.outdated for one in self.done):
            console.print("Checks have changed since some of these were judged: `autograder grade --rejudge --diff`.")

    def _verdicts(self) -> list[dict]:
        return [verdict for one in self.done for verdict in one.verdicts]

    def _tasks(self) -> Table | None:
        tasks: dict[str, list[dict]] = {}
        for verdict in self._verdicts():
            tasks.setdefault(verdict["task"], []).append(verdict)
        if not tasks:
            return None
        table = Table("task", "full", "part", "none", "mean", title="Points by task", title_justify="left")
        for name, found in tasks.items():
            full = sum(one["points"] == one["maximum"] for one in found)
            none = sum(one["points"] == 0 for one in found)
            mean = sum(one["points"] for one in found) / len(found)
            shares = (full, len(found) - full - none, none)
            table.add_row(
                name, *(f"{share / len(found):.0%}" for share in shares), f"{mean:.2f} of {found[0]['maximum']:g}"
            )
        return table

    def _diagnoses(self) -> Table | None:
        counted = Counter(
            (verdict["task"], reason)
            for verdict in self._verdicts()
            for reason in {
                result["mistake"] or result["kind"].replace("_", " ")
                for result in verdict["results"]
                if result["kind"] != "passed"
            }
        )
        if not counted:
            return None
        table = Table("task", "diagnosis", "submissions", title="Commonest reasons", title_justify="left")
        for (task, reason), count in counted.most_common(COMMONEST):
            table.add_row(task, Text(reason), str(count))
        return table

    def _slowest(self) -> Text | None:
        ran = sorted((one for one in self.done if one.seconds), key=lambda one: -one.seconds)[:SLOWEST]
        if not ran:
            return None
        return Text("Slowest: " + ", ".join(f"{one.submission.student} {one.seconds:.1f} s" for one in ran))

    def _ended(self) -> Text | None:
        lines = [
            f"  {one.submission.student}: {_place(place)} ended its sandbox: {reason}"
            for one in self.done
            for place, reason in one.ended.items()
        ]
        return Text("\n".join(["Stopped or crashed:", *lines])) if lines else None

    def _repaired(self) -> Text | None:
        lines = [f"  {one.submission.student}: {', '.join(one.repaired)}" for one in self.done if one.repaired]
        return Text("\n".join(["Repaired cells:", *lines])) if lines else None

    def _tiers(self) -> Text | None:
        hosts: dict[str, Counter[str]] = {}
        for one in self.done:
            if one.tier:
                hosts.setdefault(one.tier, Counter())[one.host] += 1
        several = len(set().union(*hosts.values())) > 1
        lines = []
        for tier, counted in sorted(hosts.items()):
            where = ", ".join(f"{count} on {host}" for host, count in sorted(counted.items()))
            lines.append(f"{where}: {MEANING[tier]}" if several else MEANING[tier])
        return Text("\n".join(lines)) if lines else None

    def _failed(self) -> Text | None:
        lines = [f"  {one.submission.student}: {one.reason.strip().splitlines()[-1]}" for one in self.failed]
        return Text("\n".join(["Not graded:", *lines]), style="red") if lines else None


def _place(place: str) -> str:
    return f"cell {int(place) + 1}" if place.isdigit() else place


def changes(done: list[Done]) -> Table:
    """Whose score would change, by how much and why."""
    table = Table("student", "task", "was", "would be", "why", title="What would change", title_justify="left")
    for one in done:
        before = {verdict["task"]: verdict for verdict in one.before}
        for verdict in one.verdicts:
            old = before.get(verdict["task"])
            if old is None or old["points"] == verdict["points"]:
                continue
            why = verdict["reason"] or "nothing is missing any more"
            table.add_row(
                one.submission.student, verdict["task"], f"{old['points']:g}", f"{verdict['points']:g}", Text(why)
            )
    return table
