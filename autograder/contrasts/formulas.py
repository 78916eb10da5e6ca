"""Formulas for what was seen: the right numbers, rearranged or combined with a quantity, or a quantity in their place.

Each is the end of "each wrong number is", with its value for an observation; the simplest come first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import torch

from autograder.contrasts.observation import Observation, is_broadcast
from autograder.contrasts.words import number

Formula = tuple[str, torch.Tensor]
FACTORS = {2.0: "twice the right one", 0.5: "half the right one", -1.0: "the right one with the other sign"}
MOST_UNDER_A_ROOT = 100


def formulas(one: Observation) -> Iterator[Formula]:
    """Yield them for an observation."""
    yield "0", torch.zeros_like(one.right)
    yield from _one_factor(one)
    yield from one.instead()
    yield "the right one without its sign", one.right.abs()
    yield from _rearranged(one.right)
    yield from _with_quantities(one)
    yield from _with_lengths(one)
    yield from _one_number(one)
    yield from _one_offset(one)


def _one_factor(one: Observation) -> Iterator[Formula]:
    """Yield the factor of the largest wrong number."""
    ratio = _at_the_largest(one, lambda seen, right: seen / right)
    if ratio and number(ratio) != "1":
        yield _times(ratio), one.right * ratio


def _times(ratio: float) -> str:
    """Name the right number times a factor: a fraction or a root where it is one."""
    for known, words in FACTORS.items():
        if math.isclose(ratio, known, rel_tol=1e-4):
            return words
    for words, value in (("times", ratio), ("divided by", 1 / ratio)):
        if math.isclose(value, whole := round(value), rel_tol=1e-4):
            return f"the right one {words} {whole}"
    for words, value in (("times", ratio), ("divided by", 1 / ratio)):
        whole = round(value**2) if value > 0 else 0
        if 1 < whole <= MOST_UNDER_A_ROOT and math.isclose(value**2, whole, rel_tol=1e-4):
            return f"the right one {words} the square root of {whole}"
    return f"the right one times {number(ratio)}"


def _one_number(one: Observation) -> Iterator[Formula]:
    """Yield the largest wrong number, for all to be; a quantity that is that number says more."""
    value = _at_the_largest(one, lambda seen, right: seen)
    if value and not any(of.numel() and bool((of == value).all()) for of in one.quantities.values()):
        yield number(value), torch.full_like(one.right, value)


def _one_offset(one: Observation) -> Iterator[Formula]:
    off = _at_the_largest(one, lambda seen, right: seen - right)
    if off is not None and abs(off) > 1e-6:
        yield f"the right one {'plus' if off > 0 else 'minus'} {number(abs(off))}", one.right + off


def _at_the_largest(one: Observation, combine: Callable[[float, float], float]) -> float | None:
    usable = one.wrong & torch.isfinite(one.seen) & torch.isfinite(one.right) & (one.right != 0)
    if not usable.any():
        return None
    at = int(torch.where(usable, one.right.abs(), -1.0).argmax())
    return combine(float(one.seen.reshape(-1)[at]), float(one.right.reshape(-1)[at]))


def _rearranged(right: torch.Tensor) -> Iterator[Formula]:
    if right.dim() >= 2 and right.shape[-1] == right.shape[-2]:
        yield "the right one of the transposed matrix", right.mT
    for axis, length in enumerate(right.shape):
        if length < 2:
            continue
        along = "" if right.dim() == 1 else f" along axis {axis}"
        of = f"the right numbers{along}" if along else "all right numbers"
        mean, norm = right.mean(axis, keepdim=True), right.norm(dim=axis, keepdim=True)
        yield f"the sum of {of}", right.sum(axis, keepdim=True)
        yield f"the mean of {of}", mean
        yield f"the right one minus the mean of {of}", right - mean
        yield f"the running sum of {of}", right.cumsum(axis)
        yield f"the right one divided by the norm of {of}", right / norm
        if right.numel() == 2:
            continue  # one may be equal to the other for any reason
        yield f"a right one, in reverse order{along}", right.flip(axis)
        yield f"the first of {of}", right.narrow(axis, 0, 1)
        yield f"the last of {of}", right.narrow(axis, length - 1, 1)
        yield f"the right one of its neighbour{along}", right.roll(1, axis)
        yield f"the right one of its next neighbour{along}", right.roll(-1, axis)
    if right.dim() > 1:
        yield "the right one divided by the norm of all", right / right.norm()
        yield "the sum of all right numbers", right.sum()
        yield "the mean of all right numbers", right.mean()
    yield "the sign of the right one", right.sign()


def _with_quantities(one: Observation) -> Iterator[Formula]:
    right = one.right
    formed = list(_formed(one))
    for name, value in formed:
        yield name, value
        yield f"{name}, with the other sign", -value
        if times := _plain_ratio(one, value):
            yield f"{number(times)} times {name}", times * value
    for name, value in formed:
        yield f"the right one times {name}", right * value
        yield f"the right one divided by {name}", right / value
        yield f"the right one plus {name}", right + value
        yield f"the right one minus {name}", right - value
        yield f"{name} minus the right one", value - right


def _plain_ratio(one: Observation, value: torch.Tensor) -> float | None:
    """Return what the largest wrong number is as a multiple of a quantity, if that has two digits at most."""
    there = value.expand(one.right.shape) if is_broadcast(value.shape, one.right.shape) else None
    usable = None if there is None else one.wrong & torch.isfinite(one.seen) & torch.isfinite(there) & (there != 0)
    if there is None or usable is None or not bool(usable.any()):
        return None
    at = int(torch.where(usable, one.seen.abs(), -1.0).argmax())
    ratio = float(one.seen.reshape(-1)[at] / there.reshape(-1)[at])
    plain = float(f"{ratio:.2g}")
    return plain if plain and plain not in (1, -1) and math.isclose(ratio, plain, rel_tol=1e-6) else None


def _formed(one: Observation) -> Iterator[Formula]:
    """Yield each quantity, then what is often made of one."""
    shape = one.right.shape
    usable = [(name, value.to(torch.float64)) for name, value in one.quantities.items() if value.numel()]
    yield from ((name, value) for name, value in usable if is_broadcast(value.shape, shape))
    for name, value in usable:
        if value.numel() > 1:
            yield f"the sum of {name}", value.sum()
            yield f"the mean of {name}", value.mean()
            yield f"the norm of {name}", value.norm()
        if is_broadcast(value.shape, shape):
            yield f"the square of {name}", value**2
            if value.numel() > 1:  # of a single number it is 1 or -1, or the number
                yield f"the absolute value of {name}", value.abs()
                yield f"the sign of {name}", value.sign()
        if value.dim() == 1 and len(shape) == 2 and len(value) == len(one.right):
            yield f"the entry of {name} for its row", value[:, None]


def _with_lengths(one: Observation) -> Iterator[Formula]:
    """Yield the right numbers times or divided by the lengths of axes, of their own tensor and of the others."""
    for name, value in ((one.of or "the result", one.right), *one.quantities.items()):
        if value.numel() > 1:
            lengths = [(f"the number of entries of {name}", value.numel())]
            lengths += [(f"the length of axis {axis} of {name}", size) for axis, size in enumerate(value.shape)]
            for words, length in lengths:
                yield f"the right one times {words}", one.right * length
                yield f"the right one divided by {words}", one.right / length
