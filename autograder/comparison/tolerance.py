"""Numerical tolerance: how far a number of an answer may be off.

Tolerances come from a contract (1e-5 relative, so that an honest float32 answer passes), from the scale of
the expected numbers and from their dtype, never from a hand-picked constant per test.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import torch

SINGLE = torch.finfo(torch.float32).eps


@dataclasses.dataclass(frozen=True)
class Tolerance:
    """The sum of three allowances for the error of a number.

    Attributes:
        relative: as a fraction of the expected number.
        of_scale: as a fraction of the answer's largest expected number: what float32 loses by cancellation.
        absolute: in the units of the answer; for tasks that state one.
    """

    relative: float = 1e-5
    of_scale: float = 8 * SINGLE
    absolute: float = 0.0

    @property
    def is_exact(self) -> bool:
        """Whether the numbers must be equal and have the same sign: then -0.0 is not 0.0."""
        return not (self.relative or self.of_scale or self.absolute)

    def for_dtype(self, dtype: torch.dtype) -> Tolerance:
        """Return a tolerance widened for a dtype coarser than float32, to which a result is rounded once or twice."""
        if self.is_exact or not dtype.is_floating_point or torch.finfo(dtype).eps <= SINGLE:
            return self
        eps = torch.finfo(dtype).eps
        return Tolerance(max(self.relative, 2 * eps), max(self.of_scale, 2 * eps), self.absolute)

    def room(self, expected: Any, scale: float) -> Any:
        """Return how far a number, or each entry of a tensor, may be off."""
        return self.relative * abs(expected) + self.of_scale * scale + self.absolute

    def allows(self, got: float, expected: float, scale: float) -> bool:
        """Return whether `got` is close enough to `expected`. Infinities must be equal; nan agrees with nothing."""
        if not math.isfinite(expected):
            return got == expected
        same_sign = not self.is_exact or math.copysign(1.0, got) == math.copysign(1.0, expected)
        return same_sign and abs(got - expected) <= self.room(expected, scale)


CONTRACT = Tolerance()
EXACT = Tolerance(0.0, 0.0, 0.0)
