"""Hypotheses predict, differ from what is right and from each other, and choose by all cases."""

from __future__ import annotations

import pytest

from autograder.checks.catalogue import exercises, tasks_of
from autograder.checks.task import PUBLIC_SEED, Task
from autograder.comparison import agree
from autograder.diagnosis.general import GENERAL
from autograder.diagnosis.hypothesis import Finding, Judged, Mistake, explain

TASKS = [task for exercise in exercises() for task in tasks_of(exercise).values()]


def predictions(task: Task, mistake: Mistake) -> list:
    """What a mistake predicts on every case of a task; None where it has no answer there."""
    predicted = []
    for check in task.checks:
        for case in check.cases(PUBLIC_SEED):
            try:
                predicted.append(mistake.predict(case.inputs, None, None))
            except (ArithmeticError, ValueError, TypeError):
                predicted.append(None)
    return predicted


def right_answers(task: Task) -> list:
    """What is right on every case of a task."""
    cases = [case for check in task.checks for case in check.cases(PUBLIC_SEED)]
    return [task.reference.oracle(*case.inputs) for case in cases]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_inputs_separate_every_mistake_from_the_right_answer(task: Task) -> None:
    right = right_answers(task)
    for mistake in task.mistakes:
        if mistake.answer is None:
            continue
        predicted = predictions(task, mistake)
        differ = [p is not None and not agree(p, r, task.tolerance) for p, r in zip(predicted, right, strict=True)]
        assert any(differ), f"{task.name}: no input shows the mistake {mistake.name!r}"


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_no_two_names_predict_the_same_everywhere(task: Task) -> None:
    known = [(m, predictions(task, m)) for m in task.mistakes if m.answer is not None]
    for index, (one, first) in enumerate(known):
        for other, second in known[index + 1 :]:
            if one.name == other.name:
                continue
            pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None or b is not None]
            same = all(a is not None and b is not None and agree(a, b, task.tolerance) for a, b in pairs)
            assert not same, f"{task.name}: {one.name!r} and {other.name!r} cannot be told apart"


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_sentences_are_for_a_person(task: Task) -> None:
    for mistake in task.mistakes:
        assert mistake.sentence[0].isupper() or mistake.sentence[0] == "`"
        assert mistake.sentence.rstrip()[-1] in ".?"
        assert "!" not in mistake.sentence
        assert len(mistake.sentence) < 220


@pytest.mark.parametrize(
    ("expected", "got", "name"),
    [
        ({"x": 2.0, "w": 3.0}, {"x": -2.0, "w": -3.0}, "sign"),
        ({"x": 2.0, "w": 3.0}, {"x": 3.0, "w": 2.0}, "under another name"),
        ([2.0, 3.0], [0.0, 0.0], "always zero"),
        ([2.0, -3.0], [6.0, -9.0], "a constant factor"),
        ([2.0, -3.0], [0.5, -0.75], "a constant factor"),
        ([2.0, -3.0], [2.0, 3.0], "absolute value"),
        ([2.0, -3.0], [2.0, float("nan")], "not a number"),
        ([2.0, -3.0], [2.5, -3.0], None),
    ],
)
def test_general_mistakes_are_recognised(expected: object, got: object, name: str | None) -> None:
    found = explain([Judged((), expected, got, is_right=False)], GENERAL)
    assert (found.name if found else None) == name


def test_a_hypothesis_must_fit_the_right_answers_too() -> None:
    always = Mistake("always 1", "It is 1.", lambda v: 1.0)
    at_zero = Mistake("1 at zero", "It is 1 at 0.", lambda v: 1.0 if v == 0 else 0.0)
    cases = [Judged((0,), 0.0, 1.0, is_right=False), Judged((-1,), 0.0, 0.0, is_right=True)]
    assert explain(cases, [always, at_zero]) is at_zero


def test_a_hypothesis_that_raises_explains_nothing() -> None:
    broken = Mistake("broken", "It breaks.", lambda v: 1 / 0)
    assert explain([Judged((0,), 0.0, 1.0, is_right=False)], [broken]) is None


def test_a_finding_is_an_assertion() -> None:
    assert issubclass(Finding, AssertionError)
