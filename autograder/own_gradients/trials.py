"""What is tried with a function: its inputs as given, drawn anew, in other shapes and layouts, and in other orders."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator

import torch

from autograder.own_gradients.function import Function, Values

DRAWN = 3
MOST_SUBSETS = 4
"""Of arguments, all combinations of which are tried for what needs a gradient."""


@dataclasses.dataclass(frozen=True, eq=False)
class Trial:
    """One way to call the function.

    Attributes:
        values: the arguments.
        only: when, as the end of "wrong only"; empty for the inputs as given and such as are drawn in their shapes.
        needs: the places of the arguments that need a gradient.
        between: arguments of another call between this call and its backward pass; None without one.
        twice: whether the gradient is that of a second backward pass through the same graph.
        strided: whether the upstream gradients are not contiguous.
    """

    values: Values
    only: str = ""
    needs: tuple[int, ...] = ()
    between: Values | None = None
    twice: bool = False
    strided: bool = False


def ordinary(function: Function, source: torch.Generator) -> Iterator[Trial]:
    """Yield the inputs as given, then inputs of their shapes and ranges drawn anew."""
    needs = tuple(function.checked)
    yield Trial(function.given, needs=needs)
    for _ in range(DRAWN):
        yield Trial(drawn(function, source), needs=needs)


def signed(function: Function, source: torch.Generator) -> Iterator[Trial]:
    """Yield inputs of either sign, where those given have one sign."""
    if any((function.given[at].real > 0).all() or (function.given[at].real < 0).all() for at in function.checked):
        yield Trial(drawn(function, source, both_signs=True), needs=tuple(function.checked))


def further(function: Function, source: torch.Generator) -> Iterator[Trial]:
    """Yield what gradcheck does not try."""
    needs = tuple(function.checked)
    values = drawn(function, source)
    other = drawn(function, source)
    yield Trial(values, "from the second call on", needs, between=other)
    if any(type(one) is float for one in values):
        numbers = [one + 0.5 if type(one) is float else one for one in other]
        yield Trial(values, "from the second call on", needs, between=numbers)
    yield Trial(values, "in a second backward pass through the same graph", needs, twice=True)
    yield Trial(values, "where the upstream gradient is not contiguous", needs, strided=True)
    if 1 < len(needs) <= MOST_SUBSETS:
        for size in range(1, len(needs)):
            for some in itertools.combinations(needs, size):
                without = " and ".join(f"`{function.names[at]}`" for at in needs if at not in some)
                yield Trial(values, f"where {without} need{'s' if len(needs) - size == 1 else ''} no gradient", some)
    for at in needs:
        if values[at].dim() > 1 and values[at].numel() > 1:
            moved = [*values]
            moved[at] = values[at].mT.contiguous().mT
            yield Trial(moved, f"where `{function.names[at]}` is not contiguous", needs)
    yield from _other_shapes(function, values, source)


def _other_shapes(function: Function, values: Values, source: torch.Generator) -> Iterator[Trial]:
    """Yield inputs in which each length is replaced wherever it occurs, and such as broadcast.

    A module's parameters keep their shapes: torch's kernels trust these, and read beyond the end of others.
    """
    needs = tuple(function.checked)
    tensors = [at for at, one in enumerate(values) if isinstance(one, torch.Tensor)]
    fixed = {length for at in function.parameters for length in values[at].shape}
    lengths = sorted({length for at in tensors for length in values[at].shape} - fixed)
    for length in lengths:
        for other in (1, length + 2):
            if length == other or any(not _may_be_drawn(values[at]) for at in tensors if length in values[at].shape):
                continue
            changed = [*values]
            for at in tensors:
                shape = [other if one == length else one for one in values[at].shape]
                changed[at] = like(values[at], shape, source) if length in values[at].shape else values[at]
            where = "an axis has length 1" if other == 1 else f"an axis of length {length} has length {other}"
            yield Trial(changed, f"where {where}", needs)
    for at, beside in itertools.permutations(needs, 2):
        one, other = values[at], values[beside]
        if at not in function.parameters and one.dim() and one.shape == other.shape and one.numel() > 1:
            names = f"`{function.names[at]}` and `{function.names[beside]}`"
            for shape in dict.fromkeys([one.shape[1:], (1, *one.shape[1:]), (*one.shape[:-1], 1)]):
                if tuple(shape) != tuple(one.shape):
                    changed = [*values]
                    changed[at] = like(one, list(shape), source)
                    yield Trial(changed, f"where {names} broadcast", needs)


def drawn(function: Function, source: torch.Generator, both_signs: bool = False) -> Values:
    """Draw the checked arguments anew, in their shapes and ranges; leave all others as given."""
    values = [*function.given]
    for at in function.checked:
        values[at] = like(values[at], list(values[at].shape), source, both_signs)
    return values


def _may_be_drawn(value: torch.Tensor) -> bool:
    return bool(value.is_floating_point() or value.is_complex())


def like(value: torch.Tensor, shape: list[int], source: torch.Generator, both_signs: bool = False) -> torch.Tensor:
    """Draw a tensor of another shape, in the range of a given one, with few digits so that it can be printed.

    Of symmetric matrices others are drawn, of positive definite ones such.
    """
    if not _may_be_drawn(value) or not value.numel():
        return torch.zeros(shape, dtype=value.dtype)
    if value.is_complex():
        parts = [like(part, shape, source) for part in (value.real, value.imag)]
        return torch.complex(*parts)
    low, high = float(value.min()), float(value.max())
    if both_signs:
        high = max(abs(low), abs(high))
        low = -high
    if high - low < 1e-2:
        low, high = (-1.5, 1.5) if low <= 0 <= high else sorted((low / 2, low * 2))
    uniform = torch.rand(shape, generator=source, dtype=torch.float64)
    found = (low + (high - low) * uniform).mul(1000).round().div(1000)
    if (value > 0).all() and not both_signs:
        found = found.clamp(min=1e-3)
    found = found + torch.where(found == 0, 1e-3, 0.0)
    return found if both_signs else _symmetric_as(value, found)


def _symmetric_as(value: torch.Tensor, found: torch.Tensor) -> torch.Tensor:
    """Make matrices symmetric, and positive definite, if those given are."""
    is_square = all(one.dim() > 1 and one.shape[-1] == one.shape[-2] > 1 for one in (value, found))
    if not is_square or not torch.allclose(value, value.mT, rtol=1e-9, atol=0):
        return found
    found = (found + found.mT).mul(500).round().div(1000)
    least = torch.linalg.eigvalsh(value.to(torch.float64)).min()
    if least > 0:
        lacking = (least - torch.linalg.eigvalsh(found).amin(-1)).clamp(min=0).mul(1000).ceil().div(1000)
        found = found + lacking[..., None, None] * torch.eye(found.shape[-1], dtype=torch.float64)
    return found
