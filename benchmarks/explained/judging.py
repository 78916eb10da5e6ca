"""What a mutant is told, how long that takes, and whether another draw tells it the same."""

from __future__ import annotations

import contextlib
import dataclasses
import time
import warnings
from typing import Any

import torch

from autograder.own_gradients import Fault, GradientReport, NotExplainableError, explain_gradient
from autograder.own_gradients.trials import like

RAISES, EQUIVALENT, MISSED = "raises", "equivalent", "missed"
RELATED, PLACED, LOCATED, NUMBERS = "related", "placed", "located otherwise", "numbers only"
LOCATES = (
    "comes back",
    "whatever upstream gradient arrives",
    "For an upstream gradient",
    "Two passes with the same inputs",
    "All gradients would be right",
    "What comes through the output",
    "It is right ",
    "is changed in place",
)
OWN_DRAWS = 4


@dataclasses.dataclass(frozen=True)
class Told:
    """What a Function is told.

    Attributes:
        verdict: one of the words above.
        seconds: of CPU.
        sentences: of its faults.
        otherwise: the sentences that another draw gives, if it gives another relation; else empty.
        moved: the same for another place.
    """

    verdict: str
    seconds: float
    sentences: tuple[str, ...] = ()
    otherwise: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()


def told(function: Any, inputs: tuple[Any, ...], right: Any) -> Told:
    """Explain a Function, once more with another draw if a relation or a place was said.

    Args:
        function: the mutant.
        inputs: typical ones.
        right: the Function that it was made from, to see whether a wrong one is taken for right.
    """
    start = time.process_time()
    try:
        report = _explained(function, inputs, 0)
    except NotExplainableError as error:
        return Told(RAISES, time.process_time() - start, (str(error),))
    seconds = time.process_time() - start
    verdict, sentences = _verdict(report), tuple(one.sentence for one in report.faults)
    if verdict == EQUIVALENT and not _is_equivalent(function, inputs, right):
        verdict = MISSED
    if verdict not in (RELATED, PLACED):
        return Told(verdict, seconds, sentences)
    again = _explained(function, inputs, 1)
    others = tuple(one.sentence for one in again.faults)
    differs = {(one.argument, one.relation) for one in report.faults} != {
        (one.argument, one.relation) for one in again.faults
    }
    moved = {(one.argument, one.place, one.only) for one in report.faults} != {
        (one.argument, one.place, one.only) for one in again.faults
    }
    return Told(verdict, seconds, sentences, others if differs else (), others if moved else ())


def _explained(function: Any, inputs: tuple[Any, ...], seed: int) -> GradientReport:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return explain_gradient(function.apply, inputs, seed=seed)


def _verdict(report: GradientReport) -> str:
    faults = report.faults
    if not faults:
        return EQUIVALENT
    if any(one.sentence.startswith("The backward pass raises") for one in faults):
        return RAISES
    if any(one.relation for one in faults):
        return RELATED
    if any(one.place or one.only for one in faults):
        return PLACED
    return LOCATED if any(map(_locates, faults)) else NUMBERS


def _locates(fault: Fault) -> bool:
    return any(words in fault.sentence for words in LOCATES)


def _is_equivalent(function: Any, inputs: tuple[Any, ...], right: Any) -> bool:
    """Return whether a mutant gives the right Function's gradients for inputs that are drawn here."""
    source = torch.Generator().manual_seed(7)
    for _ in range(OWN_DRAWS):
        drawn = [
            like(one, list(one.shape), source) if isinstance(one, torch.Tensor) and one.is_floating_point() else one
            for one in inputs
        ]
        with contextlib.suppress(Exception):
            for mine, other in zip(_gradients(function, drawn), _gradients(right, drawn), strict=True):
                if not torch.allclose(mine, other, rtol=1e-3, atol=1e-6, equal_nan=True):
                    return False
    return True


def _gradients(function: Any, values: list[Any]) -> tuple[torch.Tensor, ...]:
    leaves = [
        one.detach().clone().requires_grad_() if isinstance(one, torch.Tensor) and one.is_floating_point() else one
        for one in values
    ]
    output = function.apply(*leaves)
    upstream = torch.randn(output.shape, generator=torch.Generator().manual_seed(8), dtype=output.dtype)
    wanted = [one for one in leaves if isinstance(one, torch.Tensor) and one.requires_grad]
    return torch.autograd.grad(output, wanted, upstream, materialize_grads=True)  # type: ignore[no-any-return]
