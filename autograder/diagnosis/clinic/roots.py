"""Mistakes of distance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.comparison import agree
from autograder.diagnosis.custom_functions.functions import NothingArrived
from autograder.diagnosis.hypothesis import CONFIRMED, Mistake
from autograder.diagnosis.jacobians.shared import mistakes_of
from autograder.diagnosis.structures import tensor_of

_mistake = mistakes_of("distance")
SMALL = (1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e-14, 1e-15, 1e-16)
"""What people add or compare with, so that nothing is 0."""
TINY = (*SMALL, 1e-18, 1e-20, 1e-24, 1e-30)
"""The same where any size shows: in the distance of rows that coincide."""


def _squared(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return ((a - b) ** 2).sum(1)


def _with(root: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[torch.Tensor, torch.Tensor], torch.Tensor]:
    return lambda a, b: root(_squared(a, b))


class NanMistake(Mistake):
    """Wherever the answer is wrong there is nan, in a gradient; everything else is right."""

    def predict(self, inputs: tuple, expected: Any, got: Any) -> Any:
        """Confirmed by what was seen."""
        if not isinstance(expected, dict) or not isinstance(got, dict):
            return None
        wrong = [key for key, right in expected.items() if not agree(got.get(key), right)]
        holds = wrong and all(
            key.endswith(".grad") and _right_but_for_nan(got.get(key), expected[key]) for key in wrong
        )
        return CONFIRMED if holds else None


def _right_but_for_nan(got: Any, right: torch.Tensor) -> bool:
    seen = tensor_of(got)
    if seen is None or seen.shape != right.shape:
        return False
    return agree(torch.where(seen.isnan(), right.to(seen.dtype), seen), right)


def _where(apart: torch.Tensor, squared: torch.Tensor) -> torch.Tensor:
    return torch.where(apart, torch.where(apart, squared, 1.0).sqrt(), 0.0)


DISTANCE = (
    NanMistake(
        "as given: nan where rows coincide",
        "The distances are right, and the gradient is nan where two rows coincide. Let `detect_anomaly` name the "
        "operation. See lesson 11, “nan from the branch not taken”.",
    ),
    *_mistake(
        "a small number in the way",
        "Rows that nearly coincide have a distance or a gradient that is not theirs: some small number was added, or "
        "taken for a limit. Only rows that do coincide are a case of their own.",
        *(_with(lambda squared, small=small: (squared + small).sqrt()) for small in TINY),
        *(_with(lambda squared, small=small: squared.clamp(min=small).sqrt()) for small in TINY),
        *(_with(lambda squared, small=small: squared.sqrt() + small) for small in SMALL),
        *(_with(lambda squared, small=small: _where(squared > small, squared)) for small in SMALL),
    ),
    *_mistake(
        "something added to the difference",
        "Where two rows coincide, neither the distance nor the gradient is 0. Some library functions add a little to "
        "every difference.",
        lambda a, b: torch.nn.functional.pairwise_distance(a, b),
    ),
    *_mistake(
        "1 where rows coincide",
        "Where two rows coincide the distance is 1, or that of ones: the numbers that keep the root away from 0.",
        _with(lambda squared: torch.where(squared > 0, squared, 1.0).sqrt()),
        lambda a, b: torch.where((a == b).all(1)[:, None], 1.0, a - b).pow(2).sum(1).sqrt(),
    ),
    *_mistake(
        "root forgotten",
        "These are the squares of the distances.",
        _with(lambda squared: squared),
    ),
    *_mistake(
        "sizes added up",
        "These are sums of absolute differences. A diagonal is shorter than the way around the corner.",
        lambda a, b: (a - b).abs().sum(1),
    ),
    *_mistake(
        "mean under the root",
        "Each distance is too small by the root of the number of columns.",
        lambda a, b: torch.linalg.vector_norm(a - b, dim=1) / a.shape[1] ** 0.5,
    ),
    NothingArrived(
        "connected to less than both",
        "Nothing leads back from the distances to one of the two, or to both. A distance depends on both its ends.",
        raises="RuntimeError: element \\d+ of tensors does not require",
    ),
    Mistake(
        "no number for each row",
        "The result is not one number for each row. Over which axis was summed?",
        raises="RuntimeError: (Mismatch in shape: grad_output|grad can be implicitly created only for scalar)",
    ),
)
