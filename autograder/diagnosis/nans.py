"""Mistakes that make nan. It equals nothing, not even itself, so they are known by where the nans are."""

from __future__ import annotations

import dataclasses
from typing import Any

import torch

from autograder.comparison import agree
from autograder.diagnosis.hypothesis import CONFIRMED, Mistake
from autograder.diagnosis.structures import tensor_of


@dataclasses.dataclass(frozen=True)
class NanMistake(Mistake):
    """A mistake whose answer holds nan."""

    def predict(self, inputs: tuple, expected: Any, got: Any) -> Any:
        """The answer; confirmed where it holds nan, and what was seen holds it in the same places."""
        predicted = super().predict(inputs, expected, got)
        if got is None or not any(_has_nan(value) for value in predicted.values()):
            return predicted
        same = all(agree(_without_nan(got.get(key)), _without_nan(value)) for key, value in predicted.items())
        return CONFIRMED if same else None


def _has_nan(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and bool(value.isnan().any())


def _without_nan(value: Any) -> Any:
    """A tensor with a number of no meaning in the place of nan."""
    tensor = tensor_of(value)
    return value if tensor is None else tensor.nan_to_num(nan=-12345.0)
