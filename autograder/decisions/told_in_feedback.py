"""The note on a student's feedback page about decisions that concern the student: appeals, and corrected checks."""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Iterator
from pathlib import Path

from autograder.decisions.contests import DECIDED
from autograder.decisions.log import Decision, DecisionLog, Kind, log_file
from autograder.visible_text import visible

MARKED = re.compile(r"([\\`*_\[\]$~|#])")
"""Characters that mean something in Markdown or LaTeX."""


def decisions_note(gradebook: Path, assignment: str, student: str) -> str:
    """Return the note as Markdown; empty if nothing was decided.

    Args:
        gradebook: the gradebook's folder.
        assignment: the assignment's name.
        student: the student's id.
    """
    made = _log(gradebook).of(assignment, student)
    latest = {(one.task, one.appeal): one for one in made if one.kind in DECIDED}
    undone = {one.undoes for one in made if one.kind is Kind.UNDONE}
    changed = [one for one in made if one.kind is Kind.REJUDGED and one.number not in undone]
    said = sorted([*latest.values(), *changed], key=lambda one: one.at)
    return "\n\n".join(line for one in said for line in _lines(one))


def _log(gradebook: Path) -> DecisionLog:
    """Return the log, read again only if it has changed: a class has as many pages as the log has lines."""
    try:
        status = log_file(gradebook).stat()
    except FileNotFoundError:
        return DecisionLog(gradebook)
    return _read(gradebook, status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=1)
def _read(gradebook: Path, _changed: int, _size: int) -> DecisionLog:
    return DecisionLog(gradebook)


def _lines(one: Decision) -> Iterator[str]:
    if one.kind is Kind.REJUDGED:
        points = "; ".join(f"{plain(task)}: {_points(was)}, now {_points(now)}" for task, was, now in one.changes)
        yield f"**Points changed on {plain(one.day)}** ({points}). {plain(one.reason)}"
    else:
        yield f"**Your appeal about {plain(one.task)} was {one.kind.value} on {plain(one.day)}.** {plain(one.reason)}"


def plain(text: str) -> str:
    """Return a text as Markdown that shows it, on one line, and nothing else."""
    line = " ".join(visible(text).split())
    return MARKED.sub(r"\\\1", html.escape(line, quote=False))


def _points(points: float | None) -> str:
    return "not graded" if points is None else f"{round(points, 2):g}"
