"""A wrong program of a mistake, the line that makes it wrong, and a right program of the same task."""

from __future__ import annotations

import dataclasses
import difflib
import random
from collections.abc import Iterator
from typing import Any

from autograder.checks.catalogue import cells_before
from autograder.checks.task import Task
from autograder.grader.live import judge_namespace
from autograder.practising.plain_programs import Lines, plain_lines, renamed
from autograder.tasks.answers import AnswerKind

MOST_LINES, WIDEST = 24, 100
MOST_JUDGED = 6
"""Changed programs that are judged before a wrong one is given up."""


@dataclasses.dataclass(frozen=True)
class Pair:
    """Two programs for one task.

    Attributes:
        task: the task.
        mistake: the name of the mistake that the wrong program makes.
        sentence: what a check says about it.
        wrong, right: the programs' lines.
        line: the index of the wrong line.
        suspects: indices of all lines of the wrong program of which one alone, changed, makes it right.
    """

    task: Task
    mistake: str
    sentence: str
    wrong: Lines
    right: Lines
    line: int
    suspects: frozenset[int]


def pair_of(task: Task, mistake: str, source: random.Random) -> Pair | None:
    """Return a pair for a mistake of a task; None if no wrong program of it is wrong in one line alone.

    Args:
        task: the task.
        mistake: the mistake's name.
        source: chooses among several.
    """
    declared = task.answers.named(mistake)
    if declared is None:
        return None
    answers = [one for one in task.answers.answers if one.diagnosed == mistake and not one.endless]
    source.shuffle(answers)
    right = [plain_lines(task.solution)]
    right += [plain_lines(one.source) for one in task.answers.answers if one.kind is AnswerKind.RIGHT]
    right = [one for one in right if _fits(one)]
    for answer in answers:
        wrong = plain_lines(answer.source)
        if not _fits(wrong):
            continue
        suspects = {place for place, _ in _repairs(task, wrong, right)}
        if len(suspects) == 1:
            # A right program that is written otherwise shows less of where to look.
            near = sorted(right, key=lambda one: difflib.SequenceMatcher(None, renamed(one, wrong), wrong).ratio())
            shown = near[len(near) // 2]
            return Pair(task, mistake, declared.sentence, wrong, shown, min(suspects), frozenset(suspects))
    return None


def _repairs(task: Task, wrong: Lines, right: list[Lines]) -> Iterator[tuple[int, Lines]]:
    """Yield the lines of a wrong program whose change alone makes it right, with the program that results."""
    judged = 0
    for other in right:
        own = renamed(other, wrong)
        changes = [
            one for one in difflib.SequenceMatcher(None, wrong, own, autojunk=False).get_opcodes() if one[0] != "equal"
        ]
        for _, a, b, c, d in changes:
            if b - a != 1 or wrong[a].lstrip().startswith(("def ", "class ", "import ", "from ")):
                continue
            repaired = [*wrong[:a], *own[c:d], *wrong[b:]]
            if len(changes) > 1:
                if judged >= MOST_JUDGED:
                    continue
                judged += 1
                if not is_right(task, repaired):
                    continue
            yield a, repaired


def is_right(task: Task, lines: Lines) -> bool:
    """Return whether a program of the course's own gets all points."""
    names: dict[str, Any] = {"__name__": "__main__"}
    try:
        for cell in [*cells_before(task), "\n".join(lines)]:
            exec(compile(cell, f"<a program for {task.name}>", "exec", dont_inherit=True), names)
    except Exception:
        return False
    return judge_namespace(task.name, names)[0].passed


def _fits(lines: Lines) -> bool:
    return len(lines) <= MOST_LINES and max(map(len, lines)) <= WIDEST
