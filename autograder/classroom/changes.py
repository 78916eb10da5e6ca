"""The table of `autograder grade --diff`: which scores judging again, or restoring gradebook rows, would change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.table import Table
from rich.text import Text

from autograder.classroom.done import Done, State
from autograder.terminal import add_names

GONE = "the course no longer has this task, so its cell would not be graded"
JUDGED = (State.GRADED, State.JUDGED, State.HELD_BACK)
"""States in which a submission has all verdicts of today's checks."""
NOTHING = "No score would change."


def changes(done: list[Done], left_out: int = 0) -> Table | str:
    """Return a table of the scores that would change, by how much and why, or a sentence if none would.

    Args:
        done: submissions whose points differ.
        left_out: number of submissions that were not judged.
    """
    if not done:
        return f"No score would change, of those that were judged; {left_out} were not." if left_out else NOTHING
    several = len({one.submission.assignment for one in done}) > 1
    table = Table(title="What would change", title_justify="left")
    add_names(table, "student")
    for title in ("task", "was", "would be", "why"):
        table.add_column(title, overflow="fold")
    for one in done:
        for old, new in other_points(one):
            why = Text(_why(old, new))
            if one.stale:
                why = Text("the gradebook does not hold what was graded")
            points = "none" if new["points"] is None else f"{new['points']:g}"
            table.add_row(one.named(with_assignment=several), new["task"], f"{old['points']:g}", points, why)
    return table


def _why(old: dict[str, Any], new: dict[str, Any]) -> str:
    if "maximum" in new and old.get("maximum") != new["maximum"]:
        return f"the task is worth {new['maximum']:g} points, and was worth {old.get('maximum', 0):g}"
    return str(new["reason"] or "nothing is missing any more")


def other_points(done: Done) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield the earlier and the present verdict of each task whose points differ.

    The present verdict of a task that the course no longer has holds None in place of points.
    """
    now = {verdict["task"]: verdict for verdict in done.verdicts}
    for old in done.before:
        verdict = now.get(old["task"])
        if verdict is None and done.state in JUDGED:
            yield old, {"task": old["task"], "points": None, "reason": GONE}
        elif verdict is not None and old["points"] != verdict["points"]:
            yield old, verdict
