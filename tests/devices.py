"""All written answers on another device: `python -m tests.devices lazy [EXERCISE ...]`.

An answer agrees where it wins all its points there as on the CPU, or loses points under the name that it must be given.
Each runs in a sandbox of its own, with the published solutions of the tasks that it uses.
"""

from __future__ import annotations

import functools
import sys

import pytest

from autograder.checks.catalogue import exercises, find_task
from autograder.classroom.executors import Cores
from autograder.grader.custody import NotebookRun
from autograder.judging.judge import judge
from autograder.probes.devices import DeviceError, resolve
from autograder.sandbox.limits import Limits
from autograder.tasks.answers import AnswerKind
from autograder.tasks.cells import needed
from autograder.verdicts.verdict import Verdict
from tests.answer_notebooks import SEED
from tests.answers import Answer, right_answers, wrong_answers
from tests.submissions import solution_sources

LIMITS = Limits(cell=20.0, question=10.0)
"""The first operation of each shape takes its time on other devices."""


def verdict(exercise: str, answer: Answer, device: str) -> Verdict:
    """What the student of an answer gets there."""
    published = solution_sources(exercise)
    sources = [*needed(answer.task, published), answer.source]
    cells = [{"cell_type": "code", "source": source, "metadata": {}} for source in sources]
    custody = NotebookRun(cells, {answer.task: find_task(answer.task)}, SEED, LIMITS, device).custody()
    return judge().verdicts([answer.task], custody.evidence)[answer.task]


def here_or_skipped(kind: str) -> str:
    """The device of that kind, or a skipped test."""
    try:
        return resolve(kind)
    except DeviceError as error:
        pytest.skip(str(error))


def disagreement(exercise: str, answer: Answer, device: str) -> str:
    """How a verdict there is not what the answer deserves; empty where it is."""
    found = verdict(exercise, answer, device)
    if answer.kind is AnswerKind.RIGHT:
        return found.reason
    if found.points == found.maximum:
        return "wrong, and keeps its points"
    named = {result.mistake or result.kind.replace("_", " ") for result in found.results}
    return "" if answer.diagnosed in named else f"not diagnosed as {answer.diagnosed!r}: {found.reason}"


def main(device: str, names: list[str]) -> int:
    """Print a line for each exercise and each answer that disagrees; returns how many of these there are."""
    count, device = 0, resolve(device)
    with Cores().open() as pool:
        for exercise in names or exercises():
            answers = [*right_answers(exercise), *wrong_answers(exercise)]
            told = list(pool.map(functools.partial(disagreement, exercise, device=device), answers))
            print(f"{exercise} on {device}: {told.count('')} of {len(told)} answers agree", flush=True)
            for answer, how in zip(answers, told, strict=True):
                if how:
                    print(f"  {answer.kind} {answer.task} {answer.name}: {how}", flush=True)
            count += len(told) - told.count("")
    return count


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1], sys.argv[2:]) else 0)
