"""Where no mistake has a name, a card says how and where numbers are wrong; other arguments are recognised."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch

from autograder.checks.contrasting import Contrasts
from autograder.checks.task import Task
from autograder.diagnosis.explaining import Judged
from autograder.grader.live import judge_namespace
from autograder.tasks.altered_arguments import altered_arguments
from autograder.verdicts.verdict import Result
from tests.chosen import CHOOSING
from tests.plain_values import seen

whole_course = pytest.mark.skipif(CHOOSING, reason="asks tasks of several exercises")


def first_missed(task: str, source: str) -> Result:
    """The first check that an answer does not pass."""
    names: dict[str, Any] = {"torch": torch}
    exec(source, names)
    return next(result for result in judge_namespace(task, names)[0].results if not result.points)


SCORED = "def smallest_epsilon(w, b, x):\n    right = (x @ w + b).abs() / w.abs().sum()\n"


@whole_course
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("return right * (1 + 3 * b)", ""),  # nothing that is short fits
        ("return right + b", "Each wrong number is the right one plus `b`."),
        ("return -2 * right + b", ""),
    ],
)
def test_what_has_no_name_is_related_to_what_was_handed_over(wrong: str, said: str) -> None:
    missed = first_missed("smallest_epsilon", f"{SCORED}    {wrong}\n")
    assert missed.mistake == ""
    assert said in missed.seen
    assert said or "Each wrong number" not in missed.seen


SQUARE = cast(Task, SimpleNamespace(name="Cube", target="square", solution="def square(x): return x * x"))


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        (lambda x: x < 0, " Numbers are wrong only where `x` is negative."),
        (lambda x: x == x, ""),  # everywhere is no place
    ],
)
def test_what_has_a_name_without_a_cause_is_placed(spoilt: Callable[[torch.Tensor], torch.Tensor], said: str) -> None:
    judged = []
    for seed in range(3):
        x = torch.randn(9, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
        got = torch.where(spoilt(x), -x * x, x * x)
        judged.append(Judged((x,), x * x, seen(got), is_right=False))
    assert Contrasts(SQUARE, judged).placed() == said


def right(x: torch.Tensor, other: torch.Tensor, times: int, scale: float) -> torch.Tensor:
    """A solution with arguments of three kinds."""
    return scale * (x - other) * times


def predicted(name: str) -> list[Any]:
    """What the mistakes of a name predict for two tensors, 2 and 0.5."""
    inputs = torch.tensor([5.0, 7.0]), torch.tensor([1.0, 4.0]), 2, 0.5
    mistakes = [one for one in altered_arguments(right, lambda way: way) if one.name == name]
    return [one.answer(*inputs).tolist() for one in mistakes if one.answer is not None]


@pytest.mark.parametrize(
    ("name", "predictions"),
    [
        ("x and other exchanged", [[-4.0, -3.0]]),
        ("times: off by one", [[6.0, 4.5], [2.0, 1.5]]),
        ("scale: a number squared", [[2.0, 1.5]]),
        ("x: only the first row", [[4.0, 1.0]]),
        ("other and times exchanged", []),
        ("times: a number squared", []),
        ("scale: off by one", []),
        ("x: in reverse order", []),
    ],
)
def test_the_right_answer_for_altered_arguments(name: str, predictions: list[Any]) -> None:
    assert predicted(name) == predictions


def test_what_may_be_anything_is_altered_in_every_way_that_applies() -> None:
    names = {one.name for one in altered_arguments(lambda x: x, lambda way: way)}
    assert {"x: off by one", "x: in reverse order", "x: probability for logit"} <= names


def test_a_class_has_no_altered_arguments() -> None:
    assert list(altered_arguments(dict, lambda way: way)) == []
