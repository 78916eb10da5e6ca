"""Gradients that are defined and not derived: finite differences see the value alone, and must disagree."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
import torch

from autograder.checks.catalogue import find_task
from autograder.comparison import Tolerance, agree
from autograder.probes.programs import Program
from autograder.references import numeric

DIFFERENCES = Tolerance(relative=1e-6)
REFERENCE = find_task("stop_gradient").reference
SOURCES = {"oracle": REFERENCE.oracle, "second": REFERENCE.second}


def seen(source: Callable, text: str, expression: str, **given: torch.Tensor) -> torch.Tensor:
    """What an expression is after a program that may use these tensors."""
    return source(Program(text, (expression,), given=given))[expression].detach()


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("seed", range(20))
def test_a_stopped_gradient_is_half_of_what_differences_say(source: Callable, seed: int) -> None:
    draw = random.Random(seed)
    x, upstream = (torch.tensor([draw.uniform(0.5, 3) * draw.choice((-1, 1)) for _ in range(3)]).double() for _ in "xu")
    text = "x.requires_grad_()\nresult = stop_gradient(x)\nresult.backward(upstream)\n"
    stopped = seen(source, text, "x.grad", x=x, upstream=upstream)
    by_value = numeric.gradient(lambda t: seen(source, "result = stop_gradient(x)\n", "result", x=t), x, upstream)
    assert agree(stopped, x * upstream)
    assert agree(by_value, 2 * x * upstream, DIFFERENCES)
    assert not agree(stopped, by_value, DIFFERENCES)
