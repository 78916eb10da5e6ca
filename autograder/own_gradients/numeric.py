"""Gradients by central differences, of functions with several arguments and outputs, real or complex.

The change of all outputs with each entry of an argument is kept, so that the gradient under any upstream gradient is a
sum of products.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import torch

from autograder.own_gradients.function import Function, Values

STEP = 1e-6
"""Relative to an entry, and at least this much; in float64 the error is about 1e-9."""
KINK = 1e-3
"""Slopes on both sides that differ by more than this fraction of the largest one may stand beside a kink."""
MOST_SLOPES = 4_000_000
"""Of all outputs by the entries of an argument; more would take gigabytes."""
STEEP = 1e3
"""Slopes beyond this, relative to the output, may be infinite."""
WIDER = 16
"""At a step so many times as long the slopes beside a kink differ as much as before, those beside a bend much more."""

Outputs = list[torch.Tensor]


def outputs_of(function: Function, number: int, values: Values) -> Outputs:
    """Call the function with copies and return as many outputs as were differentiated, without their graph."""
    return [one.detach() for one in function(function.copies(values))[:number]]


@dataclasses.dataclass(frozen=True)
class Slopes:
    """How all outputs change with each entry of one argument.

    Attributes:
        of: for each output its shape, then one axis of the measured entries of the argument (of a complex one the
            changes with the real parts, then with the imaginary parts).
        kinks: the mask of entries beside which the slopes on both sides differ, like the argument.
        like: the argument.
        measured: the mask of measured entries, like the argument: of a large one only some.
    """

    of: Outputs
    kinks: torch.Tensor
    like: torch.Tensor
    measured: torch.Tensor

    @property
    def is_whole(self) -> bool:
        """Whether every entry was measured."""
        return bool(self.measured.all())

    def gradient(self, upstreams: Outputs) -> torch.Tensor:
        """Return the gradient of the real part of sum(conj(upstream) * output); nan where nothing was measured."""
        total = sum(
            torch.tensordot(upstream.conj(), slopes, dims=upstream.dim()).real
            for upstream, slopes in zip(upstreams, self.of, strict=True)
        )
        assert isinstance(total, torch.Tensor)
        if self.like.is_complex():
            total = torch.complex(*total.chunk(2))
        found = torch.full(self.like.shape, torch.nan, dtype=self.like.dtype)
        found[self.measured] = total
        return found


def slopes(function: Callable[[Values], Outputs], values: Values, at: int, most: int) -> Slopes:
    """Measure how the outputs change with each entry of one argument.

    Args:
        function: from arguments to outputs.
        values: the arguments; left unchanged.
        at: the place of the argument among them, a tensor of float64 or complex128.
        most: how many entries are measured; of a larger argument as many, spread evenly.
    """
    argument = values[at]
    middle = [one.detach() for one in function(values)]
    most = max(1, min(most, MOST_SLOPES // max(1, sum(one.numel() for one in middle))))
    entries = torch.linspace(0, argument.numel() - 1, min(most, argument.numel())).long().unique().tolist()
    columns: list[Outputs] = []
    kinks = []
    for up, down, step in _moved_both_ways(argument, entries):
        above = [one.detach() for one in function([*values[:at], up, *values[at + 1 :]])]
        below = [one.detach() for one in function([*values[:at], down, *values[at + 1 :]])]
        if any(one.shape != other.shape for one, other in zip(above, middle, strict=True)):
            raise ValueError("the shape of the output depends on the numbers of an argument")
        columns.append([(one - other) / (2 * step) for one, other in zip(above, below, strict=True)])
        bends = zip(above, below, middle, columns[-1], strict=True)
        is_suspect = any(_bends((one + other - 2 * mid) / step, slope) for one, other, mid, slope in bends)
        is_steep = any(
            bool((slope.abs() > STEEP * (1 + mid.abs())).any()) for slope, mid in zip(columns[-1], middle, strict=True)
        )
        direction = (up - argument) / step
        kinks.append(
            (is_suspect and not _is_smooth(function, values, at, direction, step))
            or (is_steep and not _settles(function, values, at, direction, step))
        )
    marked = torch.tensor(kinks, dtype=torch.bool)
    if argument.is_complex():
        marked = marked.chunk(2)[0] | marked.chunk(2)[1]
    of = [
        torch.stack([column[number] for column in columns], dim=-1)
        if columns
        else torch.zeros(*one.shape, 0, dtype=one.dtype)
        for number, one in enumerate(middle)
    ]
    measured, bent = (torch.zeros(argument.shape, dtype=torch.bool) for _ in range(2))
    measured.view(-1)[entries] = True
    bent.view(-1)[entries] = marked
    return Slopes(of, bent, argument, measured)


def _is_smooth(
    function: Callable[[Values], Outputs], values: Values, at: int, direction: torch.Tensor, step: float
) -> bool:
    """Return whether the difference of the slopes on both sides shrinks with the step, as at a smooth bend."""
    found = []
    for length in (step, WIDER * step):
        moved = [values[at] + side * length * direction for side in (-1, 0, 1)]
        ends = [[one.detach() for one in function([*values[:at], one, *values[at + 1 :]])] for one in moved]
        below, middle, above = ends
        differences = [(one + other - 2 * mid) / length for one, other, mid in zip(above, below, middle, strict=True)]
        found.append(max((float(one.abs().max()) for one in differences if one.numel()), default=0.0))
    return found[0] < 0.5 * found[1]


def _settles(
    function: Callable[[Values], Outputs], values: Values, at: int, direction: torch.Tensor, step: float
) -> bool:
    """Return whether the slope stays what it is at another step, as an infinite one does not."""
    found = []
    for length in (step, WIDER * step):
        below, above = (
            [
                one.detach()
                for one in function([*values[:at], values[at] + side * length * direction, *values[at + 1 :]])
            ]
            for side in (-1, 1)
        )
        slopes_here = [(one - other) / (2 * length) for one, other in zip(above, below, strict=True)]
        found.append(max(float(one.abs().max()) for one in slopes_here if one.numel()))
    return found[1] > 0.7 * found[0]


def rate(function: Callable[[Values], Outputs], values: Values, at: int, direction: torch.Tensor) -> Outputs | None:
    """Return how fast the outputs change along a direction of one argument; None if not equally fast on both sides."""
    moved = [values[at] + step * STEP * direction for step in (-1, 0, 1)]
    below, middle, above = ([one.detach() for one in function([*values[:at], one, *values[at + 1 :]])] for one in moved)
    found = [(one - other) / (2 * STEP) for one, other in zip(above, below, strict=True)]
    bends = zip(above, below, middle, found, strict=True)
    if any(_bends((one + other - 2 * mid) / STEP, slope) for one, other, mid, slope in bends):
        return None
    return found


def _bends(difference: torch.Tensor, slope: torch.Tensor) -> bool:
    """Return whether the slopes on both sides differ, or are infinite."""
    if not difference.numel():
        return False
    return bool(difference.abs().max() > KINK * max(1e-3, float(slope.abs().max()))) or not bool(
        torch.isfinite(slope).all()
    )


def _moved_both_ways(argument: torch.Tensor, entries: list[int]) -> Iterator[tuple[torch.Tensor, torch.Tensor, float]]:
    directions = (1, 1j) if argument.is_complex() else (1,)
    start = argument.detach().contiguous()
    for direction in directions:
        for flat in entries:
            up, down = start.clone(), start.clone()
            step = STEP * max(1.0, float(start.view(-1)[flat].abs()))
            up.view(-1)[flat] += step * direction
            down.view(-1)[flat] -= step * direction
            yield up, down, step
