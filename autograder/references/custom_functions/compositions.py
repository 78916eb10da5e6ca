"""The tasks' Functions as compositions of ordinary operations, which autograd differentiates by itself.

They have `apply` and nothing else: to the numbers, that is all a Function is.
"""

from __future__ import annotations

import torch
from torch.nn import functional


class Cube:
    """x cubed."""

    @staticmethod
    def apply(x: torch.Tensor) -> torch.Tensor:
        return x * x * x


class GradientExtractor:
    """One element of a vector."""

    @staticmethod
    def apply(x: torch.Tensor, index: int) -> torch.Tensor:
        return x[index]


class StableSoftplus:
    """ln(1 + exp(x)); from 40 on it is x to the last digit."""

    @staticmethod
    def apply(x: torch.Tensor) -> torch.Tensor:
        return functional.softplus(x, threshold=40.0)


class StraightThroughSign:
    """The sign, and a difference that is 0 and carries the gradient.

    The slope of `clamp`, which would be shorter, is 1 at its limits in torch 2.13 and 0 in 2.15.
    """

    @staticmethod
    def apply(x: torch.Tensor) -> torch.Tensor:
        passing = torch.where(x.abs() <= 1, x, 0.0)
        return x.sign().detach() + (passing - passing.detach())


class GradientReversal:
    """x, with a gradient of -strength: a difference that is 0 carries it."""

    @staticmethod
    def apply(x: torch.Tensor, strength: float) -> torch.Tensor:
        return x.detach() - strength * (x - x.detach())


class MatMul:
    """The matrix product, batched and broadcast."""

    @staticmethod
    def apply(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return torch.matmul(a, b)


class MaxWithIndex:
    """The largest element by indexing, and where it stands first."""

    @staticmethod
    def apply(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        index = (x == x.max()).nonzero()[0, 0]
        return x[index], index
