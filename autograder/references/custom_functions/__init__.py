"""References of exercise 06: each Function once from ordinary operations, and once by hand.

`compositions` lets autograd differentiate operations that it knows; `by_hand` computes gradients in NumPy, from
closed forms or by differences, and uses a Function for nothing but to carry them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from autograder.probes.programs import Program
from autograder.references.custom_functions import by_hand, compositions, judges
from autograder.references.reference import Reference
from autograder.references.replay import under

AUTOGRAD = "autograd in float64, from ordinary operations"


def _reference(name: str, oracle: Any, second: Any, second_by: str, oracle_by: str = AUTOGRAD) -> Reference:
    return Reference(shown_by(name, oracle), oracle_by, shown_by(name, second), second_by)


def shown_by(name: str, implementation: Any) -> Callable[[Program], dict[str, Any]]:
    """What a program shows beside an implementation; nothing of `also`, since no two have the same `grad_fn`."""
    return lambda program: under(name, implementation)(dataclasses.replace(program, also=()))


cube = _reference("Cube", compositions.Cube, by_hand.Cube, "closed forms in NumPy")
gradient_extractor = _reference(
    "GradientExtractor", compositions.GradientExtractor, by_hand.GradientExtractor, "central differences in NumPy"
)
stable_softplus = _reference(
    "StableSoftplus", compositions.StableSoftplus, by_hand.StableSoftplus, "closed forms in NumPy"
)
straight_through_sign = _reference(
    "StraightThroughSign", compositions.StraightThroughSign, by_hand.StraightThroughSign, "the definition, in NumPy"
)
gradient_reversal = _reference(
    "GradientReversal", compositions.GradientReversal, by_hand.GradientReversal, "the definition, in NumPy"
)
mat_mul = _reference("MatMul", compositions.MatMul, by_hand.MatMul, "central differences in NumPy")
max_with_index = _reference(
    "MaxWithIndex", compositions.MaxWithIndex, by_hand.MaxWithIndex, "NumPy's argmax, and a row with a single 1"
)
passes_gradcheck = _reference(
    "passes_gradcheck",
    judges.by_gradcheck,
    judges.by_tables,
    "tables of derivatives, row by row and by differences",
    "torch.autograd.gradcheck",
)
