"""Mistakes that produce nan. nan equals nothing, not even itself, so these are recognised by where the nans are."""

from __future__ import annotations

from typing import Any

import torch

from autograder.comparison import agree
from autograder.diagnosis.hypothesis import CONFIRMED, Mistake
from autograder.diagnosis.structures import tensor_of


class NanMistake(Mistake):
    """A mistake whose answer contains nan; its answer is a dict."""

    def predict(self, inputs: tuple[Any, ...], expected: Any, got: Any) -> Any:
        """Return the mistake's answer; if it contains nan, CONFIRMED if `got` has nan in the same places, else None."""
        predicted = super().predict(inputs, expected, got)
        if got is None or not any(_has_nan(value) for value in predicted.values()):
            return predicted
        same = all(agree(_without_nan(got.get(key)), _without_nan(value)) for key, value in predicted.items())
        return CONFIRMED if same else None


def _has_nan(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and bool(value.isnan().any())


def _without_nan(value: Any) -> Any:
    """Replace nan in a tensor by an arbitrary number that no answer contains."""
    tensor = tensor_of(value)
    return value if tensor is None else tensor.nan_to_num(nan=-12345.0)
