"""How far a number may be off.

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
    """How far a number may be off.

    Attributes:
        relative: of the expected number.
        of_scale: of the largest expected number around it: what float32 loses by cancellation.
        absolute: in the units of the answer; for contracts that state one.
    """

    relative: float = 1e-5
    of_scale: float = 8 * SINGLE
    absolute: float = 0.0

    @property
    def is_exact(self) -> bool:
        """Whether the bits must be the same: then -0.0 is not 0.0."""
        return not (self.relative or self.of_scale or self.absolute)

    def for_dtype(self, dtype: torch.dtype) -> Tolerance:
        """The same, as wide as a dtype coarser than float32 asks: a result is rounded to it once or twice."""
        if self.is_exact or not dtype.is_floating_point or torch.finfo(dtype).eps <= SINGLE:
            return self
        eps = torch.finfo(dtype).eps
        return Tolerance(max(self.relative, 2 * eps), max(self.of_scale, 2 * eps), self.absolute)

    def room(self, expected: Any, scale: float) -> Any:
        """How far a number, or each number of a tensor, may be off."""
        return self.relative * abs(expected) + self.of_scale * scale + self.absolute

    def allows(self, got: float, expected: float, scale: float) -> bool:
        """Whether `got` may stand for `expected`. Infinities must be equal; nan agrees with nothing."""
        if not math.isfinite(expected):
            return got == expected
        same_sign = not self.is_exact or math.copysign(1.0, got) == math.copysign(1.0, expected)
        return same_sign and abs(got - expected) <= self.room(expected, scale)


CONTRACT = Tolerance()
EXACT = Tolerance(0.0, 0.0, 0.0)
