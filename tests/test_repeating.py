"""What is said of answers that differ from call to call, or that were given before."""

from __future__ import annotations

import pytest
import torch

from autograder.checks.repeating import Repeats, earlier_answers, told
from autograder.diagnosis.explaining import Judged
from tests.plain_values import seen

SAME, OTHER, DRAWN = Repeats(False, False), Repeats(True, False), Repeats(False, True)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ([(True, SAME), (False, OTHER)], "Your second call with the same arguments gave another result."),
        ([(True, SAME), (False, DRAWN), (False, DRAWN)], "Your function draws random numbers"),
        ([(False, DRAWN), (False, SAME)], ""),  # it is wrong without them, too
        ([(True, DRAWN), (True, DRAWN), (False, DRAWN)], ""),  # and right with them
        ([(True, OTHER), (False, SAME)], ""),
    ],
)
def test_what_is_said_of_repetitions(asked: list[tuple[bool, Repeats]], said: str) -> None:
    assert told(asked).startswith(said)
    assert said or not told(asked)


def answered(right: list[float], got: list[float]) -> Judged:
    """A question with a tensor as its answer."""
    return Judged((), torch.tensor(right), seen(torch.tensor(got)), got == right)


FIRST, SECOND, THIRD = [1.0, 2.5, -4.0], [0.5, 3.0, 7.0], [2.0, 2.0, 9.0]


@pytest.mark.parametrize(
    ("got", "is_said"),
    [
        ([FIRST, FIRST, FIRST], True),
        ([FIRST, FIRST, THIRD], True),
        ([FIRST, FIRST, [0.0, 0.0, 1.0]], False),  # one answer has another reason
        ([SECOND, FIRST, FIRST], False),  # nothing that was right comes again
    ],
)
def test_an_answer_that_comes_again_is_said(got: list[list[float]], is_said: bool) -> None:
    judged = [answered(*pair) for pair in zip([FIRST, SECOND, THIRD], got, strict=True)]
    assert bool(earlier_answers(judged, list)) is is_said


@pytest.mark.parametrize(
    ("got", "is_said"),
    [
        ([2.0, 2.0, 2.0, 2.0, 1.0], True),  # as with a `memo={}`
        ([2.0, 8.5, 2.0, 2.0, 1.0], False),  # two come again by chance
        ([2.0, 2.0, 2.0, -3.0, 1.0], False),  # one is not the answer to anything
        ([-3.0, -3.0, -3.0, -3.0, 1.0], False),  # the answer to a later question
    ],
)
def test_single_numbers_tell_together(got: list[float], is_said: bool) -> None:
    right = [2.0, 8.5, -6.5, -3.0, 1.0]
    judged = [Judged((), one, number, one == number) for one, number in zip(right, got, strict=True)]
    assert bool(earlier_answers(judged, list)) is is_said


def test_few_numbers_come_again_by_chance() -> None:
    judged = [answered([1.0, 1.0], [1.0, 1.0]), answered([2.0, 0.0], [1.0, 1.0])]
    assert earlier_answers(judged, list) == ""
