"""Every written answer that builds an engine is stepped through: right ones never differ, wrong ones truly do."""

from __future__ import annotations

import pytest

from tests.answers import Answer, right_answers, wrong_answers
from tests.depth import exhaustive, one_of_each
from tests.stepping_survey import EXERCISE, LONG, NOT_FOUND, PARTS, stepped, texts


def engines(answers: list[Answer]) -> list[Answer]:
    """Of the answers to the parts of the engine, those whose graphs are small, the pass's own first."""
    return sorted(
        (one for one in answers if one.task in PARTS and one.task != LONG), key=lambda one: -PARTS.index(one.task)
    )


@pytest.mark.parametrize(
    "answer",
    one_of_each(engines(right_answers(EXERCISE)), lambda one: one.kind),
    ids=lambda one: f"{one.task}-{one.name}",
)
def test_no_right_engine_is_said_to_differ(answer: Answer) -> None:
    for text in texts(answer.task):
        seen = stepped(answer, text)
        assert seen.sweep is not None
        assert seen.sweep.first is None, f"{text}\n{seen.sweep.summary()}"
        assert seen.falsehoods == []


@pytest.mark.parametrize(
    "answer",
    one_of_each(engines(wrong_answers(EXERCISE)), lambda one: one.kind, rest=exhaustive),
    ids=lambda one: f"{one.task}-{one.name}",
)
def test_a_wrong_engine_differs_where_autograd_says_so_too(answer: Answer) -> None:
    found = False
    for text in texts(answer.task):
        seen = stepped(answer, text)
        found = found or (seen.sweep is not None and seen.sweep.first is not None)
        assert seen.falsehoods == [] or NOT_FOUND.get(answer.name, "").startswith("another number")
    assert found == (answer.name not in NOT_FOUND)
