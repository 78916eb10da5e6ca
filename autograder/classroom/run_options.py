"""Options of a class run, and the announcement of notebooks that it runs though they were to be judged only."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class RunOptions:
    """Options of a class run.

    Attributes:
        rejudge: judge stored answers again and write what changed; then run submissions whose stored answers do not
            answer today's questions.
        write: False to find out what would change: nothing is written and, without `force`, nothing is run.
        force: run and write everything again.
        reason: why points of work that was graded before may change; without one, such work is held back.
        by: who gives the reason.
    """

    rejudge: bool = False
    write: bool = True
    force: bool = False
    reason: str = ""
    by: str = ""


def announcement(count: int, seen: int, write: bool) -> str:
    """Say how many submissions have no answers to today's questions, before they are run or left out.

    Args:
        count: number of submissions without such answers.
        seen: number of all submissions.
        write: whether they are run.
    """
    told = f"{count} of {seen} submissions have no kept answers to today's questions"
    if write:
        return f"{told}: they are run now."
    return f"{told}: nothing is run for --diff, so they are left out; `autograder grade --rejudge` runs them."
