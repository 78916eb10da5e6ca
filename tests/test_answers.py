"""Every wrong answer loses points under its own name; every right answer loses none."""

from __future__ import annotations

import pytest
from nbformat.v4 import new_code_cell

from autograder.checks.catalogue import exercises, tasks_of
from autograder.checks.task import PUBLIC_SEED
from autograder.grader.custody import Limits, NotebookRun
from autograder.grader.judge import judge
from autograder.grader.verdict import Verdict
from tests.answers import Answer, right_answers, wrong_answers
from tests.submissions import solution_sources

LIMITS = Limits(cell=10, question=3, notebook=120)
WRONG = [(exercise, answer) for exercise in exercises() for answer in wrong_answers(exercise)]
RIGHT = [(exercise, answer) for exercise in exercises() for answer in right_answers(exercise)]


def _id(value: object) -> str:
    return f"{value.task}-{value.name}" if isinstance(value, Answer) else str(value)


def judged(exercise: str, answer: Answer, seed: bytes) -> Verdict:
    """The verdict on a notebook whose other tasks are solved as published."""
    task = tasks_of(exercise)[answer.task]
    sources = solution_sources(exercise) | {answer.task: answer.source}
    needed = [new_code_cell(source) for name, source in sources.items() if name == answer.task or name == "Value"]
    custody = NotebookRun(needed, {task.name: task}, seed, LIMITS).custody()
    return judge().verdicts([task.name], custody.evidence)[task.name]


@pytest.mark.parametrize(("exercise", "answer"), WRONG, ids=_id)
def test_a_wrong_answer_loses_points_under_its_own_name(exercise: str, answer: Answer) -> None:
    verdict = judged(exercise, answer, PUBLIC_SEED)
    assert verdict.points < verdict.maximum
    assert answer.diagnosed in {result.mistake for result in verdict.results}, verdict
    if answer.loses:
        assert {r.title for r in verdict.results if r.kind != "passed"} == set(answer.loses)


@pytest.mark.parametrize(("exercise", "answer"), RIGHT, ids=_id)
def test_a_right_answer_loses_nothing(exercise: str, answer: Answer) -> None:
    verdict = judged(exercise, answer, b"some submission's seed")
    assert verdict.points == verdict.maximum, verdict


@pytest.mark.parametrize("exercise", exercises())
def test_every_task_has_answers_enough(exercise: str) -> None:
    for name in tasks_of(exercise):
        assert len({a.source for a in wrong_answers(exercise) if a.task == name}) >= 5, name
        assert len({a.source for a in right_answers(exercise) if a.task == name}) >= 2, name
