"""Functions and models that travel as data: the name of a family and the coefficients of one member.

Both sides build the same callable from a specimen: the sandbox to pass it to the student's function, the
references to compute the right answer. A family is a function from coefficients to a callable.
"""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from autograder.wire.plain import SeenTensor, Specimen

FAMILIES: dict[str, Callable[..., Any]] = {}


def family(make: Callable[..., Any]) -> Callable[..., Any]:
    """Register a family under its function's name."""
    FAMILIES[make.__name__] = make
    return make


def build(specimen: Specimen) -> Any:
    """Build the function or model that a specimen describes.

    Raises:
        KeyError: if its family is not registered.
    """
    return FAMILIES[specimen.family](**specimen.coefficients)


def tensor_as_code(value: torch.Tensor) -> str:
    """Return code that makes a tensor with its numbers and dtype."""
    return f"torch.tensor({value.tolist()}, dtype={value.dtype})"


def as_code(specimen: Specimen) -> str:
    """Return the lines of a cell that define a specimen's function as `f`; empty if its family makes no lambda."""
    formula = _formula(specimen.family)
    if not formula:
        return ""
    lines = ["import torch"]
    for name, value in specimen.coefficients.items():
        lines.append(f"{name} = {tensor_as_code(value) if isinstance(value, torch.Tensor) else repr(value)}")
    return "\n".join([*lines, f"def f({formula}"])


@functools.cache
def _formula(name: str) -> str:
    """Return the text of a family's lambda as the end of a definition: "x):\\n    return 2 * x"; empty without one."""
    nodes = ast.walk(ast.parse(inspect.getsource(FAMILIES[name])))
    made = next((node for node in nodes if isinstance(node, ast.Lambda)), None)
    return f"{ast.unparse(made.args)}):\n    return {ast.unparse(made.body)}" if made else ""


def real_tensor(device: str, seen: SeenTensor) -> torch.Tensor:
    """Return the tensor that a question carries as a leaf on the question's device."""
    return seen.data.to(device).requires_grad_(seen.requires_grad)


# They call functions of torch, which refuse an array or a list in the place of a tensor.
@family
def sine_sum(a: torch.Tensor, k: torch.Tensor, c: float) -> Callable[[torch.Tensor], torch.Tensor]:
    """Return f(x) = sum(a * sin(k * x)) + c * x[0] * x[-1]: smooth, depends on every element, not separable."""
    return lambda x: (a * torch.sin(torch.mul(k, x))).sum() + c * x[0] * x[-1]


@family
def cubic(a: torch.Tensor, b: torch.Tensor) -> Callable[[torch.Tensor], torch.Tensor]:
    """Return f(x) = sum(a * x**3) + (b * x).sum()**2, on which one-sided differences are visibly inexact."""
    return lambda x: (a * x**3).sum() + torch.mul(b, x).sum() ** 2


@family
def exponential(b: torch.Tensor) -> Callable[[torch.Tensor], torch.Tensor]:
    """Return f(x) = exp((b * x).sum()), which is not a polynomial."""
    return lambda x: torch.exp(torch.mul(b, x).sum())


@family
def layers(weights: list[torch.Tensor], biases: list[torch.Tensor | None], activation: str) -> nn.Sequential:
    """Return a model of linear layers with these weights and biases, and an `activation` ("Tanh") between them."""
    parts: list[nn.Module] = []
    for weight, bias in zip(weights, biases, strict=True):
        linear = nn.Linear(weight.shape[1], weight.shape[0], bias is not None, dtype=weight.dtype)
        linear.weight.data.copy_(weight)
        if bias is not None:
            linear.bias.data.copy_(bias)
        parts += [linear, getattr(nn, activation)()]
    return nn.Sequential(*parts[:-1])
