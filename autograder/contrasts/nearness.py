"""How wrong numbers come near the right ones where no relation is exact: rounded, cut at limits, or nearly right."""

from __future__ import annotations

import math

import torch

from autograder.contrasts.observation import Observation
from autograder.contrasts.words import number

STEPS = {10.0**-digits: f"multiples of 1e-{digits}" for digits in range(8, 2, -1)} | {
    1 / 255: "multiples of 1/255",
    0.01: "multiples of 0.01",
    0.1: "multiples of 0.1",
    1.0: "whole numbers",
}
"""Steps to which numbers are rounded, the finest first, with the words for what lies on them."""
FEWEST = 3
"""Of different numbers that show it."""
IN_FLOAT32, IN_FLOAT64 = 4e-7, 1e-13
"""Relative: what these leave of a number that was rounded."""
CHANCE = 1e-4
"""That as many numbers lie on the steps by chance."""
LIMITS = (-1.0, 0.0, 1.0, 6.0)
"""At which numbers are cut."""
NEAR = 1e-3
"""Of the largest number: how near all numbers must be."""
FAR = 6
"""Powers of ten."""
SAME = 1e-6
"""Relative: what rounding leaves of one amount by which numbers are off."""
ONE_FLOAT32 = 2e-7
"""What float32 leaves of one number."""
HALVES = {torch.float16: 1e-2, torch.bfloat16: 5e-2}
"""Relative: how far a number may be off after a few steps in a dtype of half precision."""
FINE = 1e-3
"""Numbers that lie on coarser steps may have been computed from round ones alone."""


def nearness(observations: list[Observation]) -> str:
    """Return a clause about all numbers that were seen; "" if none is true of them.

    Args:
        observations: at least one of them with wrong numbers.
    """
    right = _joined([one.right[one.differs] for one in observations])
    seen = _joined([one.seen[one.differs] for one in observations])
    if len(right) < FEWEST or not bool(torch.isfinite(seen).all() & torch.isfinite(right).all()):
        return ""
    everything = _joined([one.seen.reshape(-1) for one in observations])
    found = _alike(observations) or _shifted(observations) or _rounded(right, seen, everything, observations)
    found = found or _coarse(right, seen, everything)
    return found or _cut(right, seen, everything) or _nearly(observations)


def far(right: torch.Tensor, seen: torch.Tensor) -> str:
    """Return a clause about numbers that are not finite or many powers of ten too small or too large, or "".

    Args:
        right: right numbers.
        seen: the student's, of the same shape.
    """
    if not bool(torch.isfinite(right).all()):
        return ""
    if not bool(torch.isfinite(seen).all()):
        return "a number is not finite: somewhere 0 was divided by 0, or a number grew until it was infinite"
    there = (right != 0) & (seen != 0)
    powers = (seen[there] / right[there]).abs().log10()
    if not len(powers) or float(powers.abs().min()) < FAR or float(powers.min()) * float(powers.max()) < 0:
        return ""
    words = "large" if float(powers[0]) > 0 else "small"
    times = f"about 1e{abs(round(float(powers[0])))} times too {words}"
    return f"your number is {times}, as if something was multiplied or divided again and again"


def _joined(parts: list[torch.Tensor]) -> torch.Tensor:
    return torch.cat([one.reshape(-1) for one in parts]) if parts else torch.empty(0, dtype=torch.float64)


def _alike(observations: list[Observation]) -> str:
    """Say so if in each question all numbers that were seen are one, and the right ones differ."""
    several = [one for one in observations if one.right.numel() > 1]
    is_one = all(len(one.seen.unique()) == 1 and float(one.seen.reshape(-1)[0]) for one in several)
    differ = sum(len(one.right.unique()) > 1 for one in several)
    return "all your numbers of one question are the same" if differ > 1 and is_one else ""


def _shifted(observations: list[Observation]) -> str:
    """Say by how much all numbers are too large or too small, if that is one amount everywhere."""
    right = _joined([one.right for one in observations])
    off = _joined([one.seen for one in observations]) - right
    amount = float(off.mean())
    if not bool((off - amount).abs().max() <= SAME * abs(amount)) or len(right.unique()) < FEWEST:
        return ""
    return f"every number is {number(abs(amount))} too {'large' if amount > 0 else 'small'}"


def _fit(numbers: torch.Tensor, dtype: torch.dtype) -> bool:
    return bool((numbers == numbers.to(dtype).double()).all())


def _coarse(right: torch.Tensor, seen: torch.Tensor, everything: torch.Tensor) -> str:
    """Say which dtype of half precision all numbers that were seen fit into, if they are the right numbers rounded."""
    for dtype, off in HALVES.items():
        near = bool(((seen - right).abs() <= off * right.abs()).all())
        if near and _fit(everything, dtype) and len(seen.unique()) >= FEWEST:
            return f"your numbers are right to the few digits of {dtype}: something was made of that dtype"
    return ""


def _off(numbers: torch.Tensor) -> torch.Tensor:
    """Return how far off their steps rounded numbers may be."""
    return torch.where(numbers == numbers.float().double(), IN_FLOAT32, IN_FLOAT64) * numbers.abs() + 1e-13


def _lie_on(numbers: torch.Tensor, step: float) -> torch.Tensor:
    return (numbers / step - (numbers / step).round()).abs() * step <= _off(numbers)


def _is_given_on(observations: list[Observation], step: float) -> bool:
    """Return whether all real numbers that the wrong ones may be related to lie on the steps themselves."""
    given = (value for one in observations for value in one.quantities.values() if not value.is_complex())
    return all(bool(_lie_on(value.double(), step).all()) for value in given)


def _rounded(right: torch.Tensor, seen: torch.Tensor, everything: torch.Tensor, observations: list[Observation]) -> str:
    """Say on which steps all numbers lie if the right ones do not; only the coarsest that holds counts."""
    step = max((one for one in STEPS if bool(_lie_on(everything, one).all())), default=0.0)
    if not step:
        return ""
    telling = (seen != 0) & ~_lie_on(right, step) & (_off(seen) < step / 20)
    different = seen[telling].unique()
    by_chance = float((2 * _off(different) / step).log().sum())
    if len(different) < FEWEST or by_chance > math.log(CHANCE):
        return ""
    nearest = bool(((seen - right).abs() <= step / 2 * (1 + 1e-6) + 1e-12).all())
    if not nearest and (step > FINE or _is_given_on(observations, step)):
        return ""  # round numbers give round ones, by other rules as well
    how = "they are the right numbers, rounded" if nearest else "something is rounded"
    return f"all your numbers are {STEPS[step]}, and the right numbers are not: {how}"


def _cut(right: torch.Tensor, seen: torch.Tensor, everything: torch.Tensor) -> str:
    """Say between which limits all numbers lie if several stand at a limit and the right ones go beyond it."""
    low = next((one for one in reversed(LIMITS) if bool((everything >= one).all())), None)
    high = next((one for one in LIMITS if bool((everything <= one).all())), None)
    at_low = 0 if low is None else int(((seen == low) & (right < low)).sum())
    at_high = 0 if high is None else int(((seen == high) & (right > high)).sum())
    limits = [
        f"{words} {number(limit)}"
        for words, limit, at in (("below", low, at_low), ("above", high, at_high))
        if limit is not None and at
    ]
    if at_low + at_high < FEWEST or low == high:
        return ""
    at = f"{at_low + at_high} are exactly {'there' if len(limits) == 1 else 'at these limits'}"
    return f"none of your numbers is {' or '.join(limits)}, as some right numbers are, and {at}"


def _nearly(observations: list[Observation]) -> str:
    """Say how near all numbers are to the right ones, as a fraction of the largest of each question."""
    wrong = [one for one in observations if bool(one.differs.any())]
    off = max(float((one.seen - one.right).abs().max()) / one.scale for one in wrong)
    if not off <= NEAR:
        return ""
    added = "something small is added, or approximated"
    if off <= ONE_FLOAT32:
        seen, right = (_joined([getattr(one, which) for one in wrong]) for which in ("seen", "right"))
        in_float32 = _fit(seen, torch.float32) and not _fit(right, torch.float32)
        why = ", as if they were computed in float32" if in_float32 else f": {added}"
        return f"your numbers are right to seven digits and no further{why}"
    percent = 10.0 ** math.ceil(math.log10(100 * off))
    return f"no number is off by more than {percent:g}% of the largest: {added}"
