"""Predictions are counted: how many are wrong is said, and never which."""

from __future__ import annotations

from typing import Any

import pytest

from autograder.checks.answer import Answer
from autograder.checks.answers import Answers
from autograder.checks.task import Case, Check, Task
from autograder.comparison import count_wrong, misshapen
from autograder.comparison.tolerance import CONTRACT
from autograder.diagnosis import Finding, Mistake
from autograder.probes.question import Question
from autograder.references import Reference
from autograder.wire.plain import encode

RIGHT = {"A": [True, False], "B": [True, True], "C": [False, True]}
MIXED = {"A": [1, {"x": 2.5}], "B": [], "C": [3]}


@pytest.mark.parametrize(
    ("got", "said"),
    [
        (None, "is None, expected a dict with the keys 'A', 'B', 'C'"),
        ([[True, False]] * 3, "is a list of 3, expected a dict"),
        ({"A": [True, True], "B": [True, True]}, "lacks the key 'C'"),
        (RIGHT | {"B": [1, 1]}, "['B'] holds 1, expected a sequence of True or False"),
        (RIGHT | {"B": ["works", "fails"]}, "['B'] holds the text 'works', expected a sequence of True or False"),
        (RIGHT | {"C": True}, "['C'] is True, expected a sequence of True or False"),
        (RIGHT | {"C": [True]}, "['C'] is a list of 1, expected a sequence of 2"),
        (RIGHT | {"C": [[True], False]}, "['C'] holds a list of 1, expected a sequence of True or False"),
    ],
)
def test_what_is_no_prediction_is_said(got: Any, said: str) -> None:
    found = misshapen(got, RIGHT, length=2)
    assert found is not None
    assert f"{found.place} {found.problem}".strip().startswith(said)


@pytest.mark.parametrize(
    "got",
    [RIGHT, dict.fromkeys(RIGHT, (True, True)), RIGHT | {"Z": None}],
)
def test_every_prediction_of_the_right_form_is_one(got: Any) -> None:
    assert misshapen(got, RIGHT, length=2) is None


@pytest.mark.parametrize("entry", [[], [7], [1, 2, 3], [{"x": 1}], [{"y": 0.5}, 2]])
def test_form_gives_nothing_away(entry: Any) -> None:
    """What stands in one case may stand in every case, in any number."""
    assert misshapen(MIXED | {"B": entry}, MIXED) is None


def test_wrong_predictions_are_counted() -> None:
    assert count_wrong(RIGHT, RIGHT, CONTRACT) == 0
    assert count_wrong(dict.fromkeys(RIGHT, (True, True)), RIGHT, CONTRACT) == 2


def answers(first: Any, second: Any) -> Answers:
    """A task's answers: the first call and the second."""
    reference = Reference(lambda: RIGHT, "one way", lambda: RIGHT, "another")
    works = Mistake("all work", "Every call is taken to work.").made_by(lambda: dict.fromkeys(RIGHT, (True, True)))
    task = object.__new__(Task)  # it has no folder
    task.__dict__ |= {"name": "predict", "reference": reference, "mistakes": (works,), "tolerance": CONTRACT}
    question = Question("call", {"target": "predict", "arguments": []})
    tree, blob = encode({"result": first, "again": second})
    check = Check(task, "title", 1, [], None, 0, task.question, test_wrong_predictions_are_counted)
    return Answers(check, [Case((), question, False, RIGHT)], [Answer({"error": None, "seen": tree}, blob)])


def test_right_predictions_pass() -> None:
    answers(RIGHT, RIGHT).tally(length=2)


def test_some_may_be_wrong() -> None:
    wrong = RIGHT | {"A": [False, False]}
    answers(wrong, wrong).tally(allowed=1)
    with pytest.raises(Finding):
        answers(wrong, wrong).tally()


def test_the_finding_says_how_many_and_not_which() -> None:
    messages = set()
    for case in RIGHT:
        wrong = RIGHT | {case: [False, False]}
        with pytest.raises(Finding) as caught:
            answers(wrong, wrong).tally(length=2)
        messages.add(caught.value.seen)
        assert caught.value.mistake is None
    assert messages == {"1 of 3 predictions is wrong; the check does not say which."}


def test_a_mistake_that_explains_all_predictions_is_named() -> None:
    wrong = dict.fromkeys(RIGHT, (True, True))
    with pytest.raises(Finding, match="2 of 3 predictions are wrong") as caught:
        answers(wrong, wrong).tally()
    assert caught.value.mistake.name == "all work"


def test_the_second_call_counts_too() -> None:
    with pytest.raises(Finding):
        answers(RIGHT, RIGHT | {"A": [False, False]}).tally()
