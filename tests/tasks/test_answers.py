"""Every wrong answer loses points under its own name; every right answer loses none."""

from __future__ import annotations

import pytest

from tests.answer_notebooks import identity, verdicts
from tests.answers import Answer, right_answers, wrong_answers
from tests.chosen import EXERCISES, TASK, chosen_tasks

WRONG = [(exercise, one) for exercise in EXERCISES for one in wrong_answers(exercise) if TASK in ("", one.task)]
RIGHT = [(exercise, one) for exercise in EXERCISES for one in right_answers(exercise) if TASK in ("", one.task)]


def _id(value: object) -> str:
    return f"{value.task}-{value.name}" if isinstance(value, Answer) else str(value)


@pytest.mark.parametrize(("exercise", "answer"), WRONG, ids=_id)
def test_a_wrong_answer_loses_points_under_its_own_name(exercise: str, answer: Answer) -> None:
    verdict = verdicts(exercise, TASK)[identity(answer)]
    assert verdict.points < verdict.maximum
    assert all(result.kind != "defect" for result in verdict.results), verdict
    assert answer.endless == any(result.kind == "time" for result in verdict.results), verdict
    named = {result.mistake or result.kind.replace("_", " ") for result in verdict.results}
    assert answer.diagnosed in named, verdict
    if answer.loses:
        assert {r.title for r in verdict.results if r.kind != "passed"} == set(answer.loses)


@pytest.mark.parametrize(("exercise", "answer"), RIGHT, ids=_id)
def test_a_right_answer_loses_nothing(exercise: str, answer: Answer) -> None:
    verdict = verdicts(exercise, TASK)[identity(answer)]
    assert verdict.points == verdict.maximum, verdict


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_task_has_answers_enough(exercise: str) -> None:
    for name in chosen_tasks(exercise):
        assert len({a.source for a in wrong_answers(exercise) if a.task == name}) >= 5, name
        assert len({a.source for a in right_answers(exercise) if a.task == name}) >= 2, name
