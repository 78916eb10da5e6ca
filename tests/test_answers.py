"""Every wrong answer loses points under its own name; every right answer loses none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.checks.catalogue import exercises, tasks_of
from autograder.grader.verdict import Verdict
from tests.answers import Answer, right_answers, wrong_answers
from tests.mutants.bench import Bench
from tests.submissions import solution_sources

WRONG = [(exercise, answer) for exercise in exercises() for answer in wrong_answers(exercise)]
RIGHT = [(exercise, answer) for exercise in exercises() for answer in right_answers(exercise)]


def _id(value: object) -> str:
    return f"{value.task}-{value.name}" if isinstance(value, Answer) else str(value)


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    """One warm sandbox for all answers, replaced where one of them takes it along."""
    with Bench(b"some submission's seed", question_seconds=3) as bench:
        yield bench


def judged(bench: Bench, exercise: str, answer: Answer) -> Verdict:
    """The verdict on an answer; what it needs of the notebook is solved as published."""
    before = [source for task, source in solution_sources(exercise).items() if task != answer.task]
    return bench.verdict(tasks_of(exercise)[answer.task], answer.source, before)


@pytest.mark.parametrize(("exercise", "answer"), WRONG, ids=_id)
def test_a_wrong_answer_loses_points_under_its_own_name(bench: Bench, exercise: str, answer: Answer) -> None:
    verdict = judged(bench, exercise, answer)
    assert verdict.points < verdict.maximum
    named = {result.mistake or result.kind.replace("_", " ") for result in verdict.results}
    assert answer.diagnosed in named, verdict
    if answer.loses:
        assert {r.title for r in verdict.results if r.kind != "passed"} == set(answer.loses)


@pytest.mark.parametrize(("exercise", "answer"), RIGHT, ids=_id)
def test_a_right_answer_loses_nothing(bench: Bench, exercise: str, answer: Answer) -> None:
    verdict = judged(bench, exercise, answer)
    assert verdict.points == verdict.maximum, verdict


@pytest.mark.parametrize("exercise", exercises())
def test_every_task_has_answers_enough(exercise: str) -> None:
    for name in tasks_of(exercise):
        assert len({a.source for a in wrong_answers(exercise) if a.task == name}) >= 5, name
        assert len({a.source for a in right_answers(exercise) if a.task == name}) >= 2, name
