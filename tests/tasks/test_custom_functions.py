"""The Functions of exercise 06 against finite differences: derived gradients agree, defined ones do not."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest
import torch

from autograder.checks.catalogue import find_task
from autograder.references import numeric
from autograder.tasks.modules import module
from tests.submissions import COURSE

POINT = torch.tensor([0.3, -0.7, 2.5, -1.4], dtype=torch.float64)
UPSTREAM = torch.tensor([1.0, -2.0, 0.5, 3.0], dtype=torch.float64)
MATRIX = torch.tensor([[1.0, -2.0], [0.5, 3.0], [0.0, 1.5], [-1.0, 2.0]], dtype=torch.float64)


def composed(task: str) -> type:
    """What stands in for a task's Function, from operations that autograd knows."""
    return references(task).Composed


def by_hand(task: str) -> type:
    """The same, with a gradient from NumPy."""
    return references(task).ByHand


def references(task: str) -> ModuleType:
    return module(COURSE / "solutions" / "06_custom_functions" / "_tasks" / task / "task.py")


DERIVED = {
    "Cube": lambda kind: kind("Cube").apply,
    "StableSoftplus": lambda kind: kind("StableSoftplus").apply,
    "GradientExtractor": lambda kind: lambda x: kind("GradientExtractor").apply(x, -2).reshape(1),
    "MatMul, left": lambda kind: lambda x: kind("MatMul").apply(x.reshape(1, 4), MATRIX).reshape(2),
    "MatMul, right": lambda kind: lambda x: kind("MatMul").apply(MATRIX.T, x.reshape(4, 1)).reshape(2),
    "MaxWithIndex": lambda kind: lambda x: kind("MaxWithIndex").apply(x)[0].reshape(1),
}
DEFINED = {
    "StraightThroughSign": lambda kind: kind("StraightThroughSign").apply,
    "GradientReversal": lambda kind: lambda x: kind("GradientReversal").apply(x, 0.5),
}


def gradients(function: Callable) -> tuple[torch.Tensor, torch.Tensor]:
    """What backward says at POINT, and what finite differences say."""
    leaf = POINT.clone().requires_grad_()
    output = function(leaf)
    upstream = UPSTREAM[: len(output)]
    (gradient,) = torch.autograd.grad(output, leaf, upstream)
    return gradient, numeric.gradient(function, POINT, upstream)


@pytest.mark.parametrize("kind", [composed, by_hand])
@pytest.mark.parametrize("name", DERIVED)
def test_a_derived_gradient_is_that_of_finite_differences(kind: Callable, name: str) -> None:
    gradient, nudged = gradients(DERIVED[name](kind))
    torch.testing.assert_close(gradient, nudged, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("kind", [composed, by_hand])
@pytest.mark.parametrize("name", DEFINED)
def test_a_defined_gradient_is_not(kind: Callable, name: str) -> None:
    gradient, nudged = gradients(DEFINED[name](kind))
    assert (gradient - nudged).abs().max() > 0.5


@pytest.mark.parametrize("kind", [composed, by_hand])
def test_the_slope_of_softplus_is_differentiated_as_finite_differences_do(kind: Callable) -> None:
    def slope(x: torch.Tensor) -> torch.Tensor:
        leaf = x.detach().clone().requires_grad_()
        return torch.autograd.grad(kind("StableSoftplus").apply(leaf).sum(), leaf, create_graph=True)[0]

    leaf = POINT.clone().requires_grad_()
    (first,) = torch.autograd.grad(kind("StableSoftplus").apply(leaf).sum(), leaf, create_graph=True)
    (second,) = torch.autograd.grad(first, leaf, UPSTREAM)
    torch.testing.assert_close(second, numeric.gradient(slope, POINT, UPSTREAM), rtol=1e-7, atol=1e-8)


def test_the_defined_gradients_are_their_definitions() -> None:
    inside = (POINT.abs() <= 1).double()
    for kind in (composed, by_hand):
        assert torch.equal(gradients(DEFINED["StraightThroughSign"](kind))[0], UPSTREAM * inside)
        assert torch.equal(gradients(DEFINED["GradientReversal"](kind))[0], -0.5 * UPSTREAM)


@pytest.mark.parametrize("name", sorted({name.partition(",")[0] for name in (*DERIVED, *DEFINED)}))
def test_a_second_pass_over_one_graph_is_asked_of_every_function(name: str) -> None:
    programs = [case.inputs[0].text for check in find_task(name).checks for case in check.public_cases]
    assert any("retain_graph=True" in text for text in programs)
