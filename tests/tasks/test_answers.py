"""Every wrong answer loses points under its own name; every right answer loses none."""

from __future__ import annotations

import pytest

from autograder.proving.written_answers import verdict_problems
from tests.answer_notebooks import identity, verdicts
from tests.answers import Answer, few, right_answers, wrong_answers
from tests.chosen import EXERCISES, TASK
from tests.depth import proof


def _judged() -> list:
    """Of each exercise and task the answers, in two parts: one for each mistake, and the rest in `make proof`."""
    found = []
    for exercise in EXERCISES:
        answers = [one for one in (*right_answers(exercise), *wrong_answers(exercise)) if TASK in ("", one.task)]
        kept = few(answers)
        for one in answers:
            part, marks = ("few", ()) if one in kept else ("rest", proof)
            found.append(pytest.param(exercise, one, part, marks=marks, id=f"{one.task}-{one.kind}-{one.name}"))
    return found


@pytest.mark.parametrize(("exercise", "answer", "part"), _judged())
def test_an_answer_gets_what_it_must(exercise: str, answer: Answer, part: str) -> None:
    assert list(verdict_problems(answer, verdicts(exercise, TASK, part)[identity(answer)])) == []
