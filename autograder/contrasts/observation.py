"""What was seen once: numbers beside the right ones, and everything that they may be related to."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping

import torch

RELATIVE = 1e-4
"""Numbers that differ by less than this fraction agree: finite differences and float32 are no more precise."""
OF_SCALE = 1e-5
"""The same as a fraction of the largest number."""
FINER = 1e-6
"""The same where all are nearly right."""
FINEST = 1e-9
"""The same where it is looked at how near numbers are."""
EXPLAINED = 0.05
"""What a relation may leave of an error, as a fraction of it: a factor of 0.9998 is not 0.9999."""
OF_A_ROUND_NUMBER, OF_ANY_NUMBER, ENOUGH = 1, 3, 7
"""Evidence: 2 or 0.5 agrees with much by chance, 0.7312 does not."""


@dataclasses.dataclass(frozen=True, eq=False)
class Observation:
    """Numbers that were seen beside the right ones.

    Attributes:
        right: what they should be, float64, any shape.
        seen: what they are, like `right`.
        quantities: what they may be related to, by the words for it: "`x`", "the upstream gradient".
        of: the name of the quantity whose gradient they are, "`x`"; empty if they are none.
        noise: how far a number may be off in any case, because the right ones were measured.
        instead: yields what known confusions give in their place, each with its words; called only when needed.
        relative: numbers that differ by less than this fraction agree.
    """

    right: torch.Tensor
    seen: torch.Tensor
    quantities: Mapping[str, torch.Tensor]
    of: str = ""
    noise: float = 0.0
    instead: Callable[[], Iterable[tuple[str, torch.Tensor]]] = tuple
    relative: float = RELATIVE

    @functools.cached_property
    def differs(self) -> torch.Tensor:
        """The mask of numbers that are not the right ones, however near."""
        near = (self.seen - self.right).abs() <= torch.clamp(FINEST * self.right.abs(), min=self.noise)
        return ~(near | (self.seen == self.right) | (self.seen.isnan() & self.right.isnan()))

    @functools.cached_property
    def wrong(self) -> torch.Tensor:
        """The mask of wrong numbers."""
        return ~(
            close(self.seen, self.right, self.scale, self.relative) | ((self.seen - self.right).abs() <= self.noise)
        )

    @functools.cached_property
    def scale(self) -> float:
        """The largest magnitude of a finite number, seen or right."""
        both = torch.cat([self.right.reshape(-1), self.seen.reshape(-1)]).abs()
        finite = both[torch.isfinite(both)]
        return float(finite.max()) if finite.numel() else 0.0

    @functools.cached_property
    def is_wrong(self) -> bool:
        """Whether some number is wrong."""
        return bool(self.wrong.any())

    def is_like(self, predicted: torch.Tensor, only_wrong: bool) -> bool:
        """Return whether a prediction is what was seen.

        Args:
            predicted: broadcast to the shape of `right`.
            only_wrong: do not ask where the right numbers were seen.
        """
        try:
            predicted = predicted.to(self.right.dtype).expand(self.right.shape)
        except RuntimeError:
            return False
        agrees = close(self.seen, predicted, self.scale, self.relative)
        left, off = (self.seen - predicted).abs(), (self.seen - self.right).abs()
        agrees &= ~self.wrong | (left <= torch.clamp(EXPLAINED * off, min=self.noise)) | ~torch.isfinite(off)
        return bool((agrees[self.wrong] if only_wrong else agrees).all())


def close(one: torch.Tensor, other: torch.Tensor, scale: float, relative: float = RELATIVE) -> torch.Tensor:
    """Return the mask of numbers that agree; nan agrees with nan."""
    of_scale = OF_SCALE / RELATIVE * relative
    return torch.isclose(one, other, rtol=relative, atol=of_scale * scale, equal_nan=True)


def finer(observations: list[Observation]) -> list[Observation]:
    """Return observations of numbers that are nearly right, such that they count as wrong."""
    return [dataclasses.replace(one, relative=FINER) for one in observations]


def evidence(observations: list[Observation]) -> int:
    """Return how much the wrong numbers weigh against chance: each pair of sizes once, round numbers less."""
    pairs = {(round(abs(right), 9), round(abs(seen), 9)) for right, seen in _wrong_pairs(observations)}
    rounds = [all(math.isinf(size) or (4 * size).is_integer() for size in pair) for pair in pairs if any(pair)]
    return sum(OF_A_ROUND_NUMBER if is_round else OF_ANY_NUMBER for is_round in rounds)


def _wrong_pairs(observations: list[Observation]) -> Iterator[tuple[float, float]]:
    for one in observations:
        yield from zip(one.right[one.wrong].tolist(), one.seen[one.wrong].tolist(), strict=True)


def is_enough(observations: list[Observation]) -> bool:
    """Return whether what fits all wrong numbers is not chance."""
    return evidence(observations) >= ENOUGH


def is_broadcast(shape: torch.Size, other: torch.Size) -> bool:
    """Return whether a tensor of one shape can be stretched to another."""
    try:
        return bool(torch.broadcast_shapes(shape, other) == other)
    except RuntimeError:
        return False
