"""What an instructor reads about one appeal, as lines of text, and the tables of appeals and decisions."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from autograder.decisions.contests import Appeal
from autograder.decisions.log import Decision
from autograder.terminal import add_names
from autograder.verdicts.plain_text import verdict_as_text

if TYPE_CHECKING:  # it loads torch
    from autograder.appeals.replaying import Replay

LONGEST_LINE = 60
INDENT = "    "


def appeals_table(appeals: Iterable[Appeal]) -> Table:
    """Return a table of appeals: student, task, state, and how the student's words begin."""
    table = Table(title="Appeals", title_justify="left")
    table.add_column("assignment", no_wrap=True)
    add_names(table, "student")
    for title in ("task", "state", "words"):
        table.add_column(title, overflow="fold")
    for one in appeals:
        state = "open" if one.decision is None else f"{one.decision.kind.value} on {one.decision.day}"
        words = " ".join(one.words.split())
        begin = words if len(words) <= LONGEST_LINE else f"{words[:LONGEST_LINE]}..."
        table.add_row(one.assignment, Text(one.student), Text(one.task), state, Text(begin))
    return table


def decisions_table(decisions: Iterable[Decision]) -> Table:
    """Return a table of the log: number, day, who, what and why."""
    table = Table(title="Decisions", title_justify="left")
    table.add_column("number", justify="right")
    for title in ("day", "by", "decision"):
        table.add_column(title, no_wrap=True)
    add_names(table, "student")
    for title in ("what", "reason"):
        table.add_column(title, overflow="fold")
    for one in decisions:
        undone = f"decision {one.undoes} undone: " if one.undoes else ""
        what = undone + (
            one.task or ", ".join(f"{task} {_points(was)} -> {_points(now)}" for task, was, now in one.changes)
        )
        words = Text(one.by), one.kind.value, Text(one.student), Text(f"{one.assignment}: {what}"), Text(one.reason)
        table.add_row(str(one.number), one.day, *words)
    return table


def appeal_shown(
    appeal: Appeal, verdict: Mapping[str, Any], changes: Iterable[str], replayed: Replay | None
) -> Iterator[str]:
    """Yield the lines about one appeal.

    Args:
        appeal: the appeal.
        verdict: the recorded verdict, in the form of `Verdict.as_data`; empty if there is none.
        changes: what has changed in the course since, a clause each.
        replayed: the replay of the stored answers; None if the task has none.
    """
    yield f"{appeal.student} contests {appeal.task} of {appeal.assignment}, {appeal.source}:"
    yield textwrap.indent(appeal.words, INDENT)
    if appeal.decision is not None:
        yield f"Decided on {appeal.decision.day}: {appeal.decision.kind.value}. {appeal.decision.reason}"
    if not verdict:
        yield "No check has judged this task: its points are given in the formgrader."
        return
    yield f"Recorded: {_points(verdict['points'])} of {_points(verdict['maximum'])} points."
    for result in verdict.get("results", []):
        yield from _result(result, replayed)
    if said := "; ".join(changes):
        yield f"Since it was graded: {said}."
    if replayed is not None and replayed.why_not:
        yield f"Not replayed, because {replayed.why_not}: `autograder grade {appeal.assignment} --student " + (
            f"{appeal.student} --diff --force` runs the notebook and writes nothing."
        )
    if replayed is not None and replayed.today is not None:
        same = replayed.today.points == verdict["points"] * (replayed.today.maximum / (verdict["maximum"] or 1))
        yield "Today's checks judge the same answers alike." if same else "Today's checks judge the same answers so:"
        if not same:
            yield textwrap.indent(verdict_as_text(replayed.today), INDENT)


def _result(result: Mapping[str, Any], replayed: Replay | None) -> Iterator[str]:
    """Yield the lines about one check: its recorded result, then its questions."""
    title = str(result.get("title", ""))
    points = f"{_points(result.get('points'))} of {_points(result.get('maximum'))}"
    why = " ".join(str(result.get(key) or "") for key in ("seen", "advice")).strip()
    yield f"- {title}: {points}. {why}".rstrip()
    if replayed is None or title not in replayed.checks:
        return
    count, wrong = replayed.counts[title]
    yield f"{INDENT}{count} questions were asked, and {wrong} of the answers differ from what was expected."
    for one in replayed.checks[title]:
        drawn = " (drawn for this submission; students never see its numbers)" if one.is_drawn else ""
        yield f"{INDENT}{'right' if one.is_right else 'wrong'}{drawn}:"
        yield textwrap.indent(f"asked     {one.question}\nexpected  {one.expected}\ngot       {one.got}", 2 * INDENT)


def _points(points: Any) -> str:
    return f"{round(points, 2):g}" if isinstance(points, int | float) else "none"
