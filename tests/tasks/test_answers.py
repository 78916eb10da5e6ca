"""Every wrong answer loses points under its own name; every right answer loses none."""

from __future__ import annotations

import re

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


JARGON = re.compile(
    r"`[^`]*( == | != | <=? | >=? | is | in |\bnot |\bbool\(|\.requires_grad|\.is_leaf)[^`]*` is (True|False)\b"
    r"|is the text '[^']*', expected the text|not there \("
)
"""What a test would report of an expression, and a sentence for a person would not."""
LOOKED_AT = re.compile(r"After the program below, `(\w+)` is (True|False|'\w*'), expected")
"""A name of the program's own, as far as it is not what the task returned."""


@pytest.mark.parametrize(
    ("exercise", "part"),
    [(one, "few") for one in EXERCISES] + [pytest.param(one, "rest", marks=proof) for one in EXERCISES],
)
def test_what_is_said_is_no_tests_report(exercise: str, part: str) -> None:
    for (task, name), verdict in verdicts(exercise, TASK, part).items():
        for result in verdict.results:
            said = f"{task}, {name}: {result.seen}"
            assert not JARGON.search(result.seen), said
            own = LOOKED_AT.match(result.seen)
            assert own is None or re.search(rf"^{own[1]} = .*\b{task}\(", result.example, re.MULTILINE), said
