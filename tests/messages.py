"""`python -m tests.messages [EXERCISE [TASK ...]]`: what `check` says to every wrong answer, to be read in a row."""

from __future__ import annotations

import linecache
import sys
from typing import Any

from autograder.checks.catalogue import exercises
from autograder.grader.live import judge_namespace
from autograder.verdicts.plain_text import verdict_as_text
from tests.answers import Answer, wrong_answers
from tests.submissions import solution_sources


def message(answer: Answer, exercise: str) -> str:
    """The text of the check, with the tasks before it solved."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for task, source in (solution_sources(exercise) | {answer.task: answer.source}).items():
        file = f"<{task}>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)  # as a notebook keeps its cells
        exec(compile(source, file, "exec"), names)
        if task == answer.task:
            break
    return verdict_as_text(judge_namespace(answer.task, names)[0])


def main(exercise: str | None = None, *tasks: str) -> None:
    """Print them."""
    for one in [exercise] if exercise else exercises():
        for answer in wrong_answers(one):
            if not tasks or answer.task in tasks:
                print(f"{answer.name} [{answer.diagnosed}]\n{message(answer, one)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
