"""Derivatives by central differences, for second sources; nothing here uses autograd."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import torch

STEP = 1e-5


def gradient(
    f: Callable[[torch.Tensor], torch.Tensor],
    x: torch.Tensor,
    upstream: torch.Tensor | None = None,
    step: float | None = None,
) -> torch.Tensor:
    """Compute the gradient of sum(upstream * f(x)) with respect to x.

    Args:
        f: any function of a tensor like x.
        x: float64, any shape; left unchanged.
        upstream: like f(x); ones by default.
        step: how far each element is moved, where `moved_both_ways` does not choose well: next to a kink.

    Returns:
        A tensor like x.
    """

    def value(moved: torch.Tensor) -> float:
        output = f(moved).detach()
        return float((output if upstream is None else output * upstream).sum())

    found = torch.empty(x.shape, dtype=x.dtype)
    for index, up, down in moved_both_ways(x, step):
        found[index] = (value(up) - value(down)) / float(up[index] - down[index])
    return found


def jacobian(f: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor, step: float | None = None) -> torch.Tensor:
    """Compute the Jacobian of f at x; its shape is the shape of f(x) followed by the shape of x."""
    output = f(x.detach()).detach()
    found = torch.empty(*output.shape, *x.shape, dtype=x.dtype)
    for index, up, down in moved_both_ways(x, step):
        found[(..., *index)] = (f(up).detach() - f(down).detach()) / (up[index] - down[index])
    return found


def moved_both_ways(
    x: torch.Tensor, step: float | None = None
) -> Iterator[tuple[tuple[int, ...], torch.Tensor, torch.Tensor]]:
    """Yield for each element of x its index and two copies of x, with that element moved up and down.

    By `STEP`; if the largest element is beyond 1 by this fraction of it, because rounding would swallow less.
    """
    start = x.detach().clone()
    far = step or STEP * max(1.0, float(start.abs().max()) if start.numel() else 0.0)
    for index in itertools.product(*map(range, start.shape)):
        up, down = start.clone(), start.clone()
        up[index] += far
        down[index] -= far
        yield index, up, down
