"""One relation that holds between all numbers that were seen and the right ones, found by search."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import torch

from autograder.contrasts.formulas import formulas
from autograder.contrasts.lacking import regularities, steps
from autograder.contrasts.monomials import monomial
from autograder.contrasts.observation import Observation, is_enough

MOST_ENTRIES = 20_000
"""In larger tensors nothing is searched."""
SEVERAL = 2
ONE_AMOUNT = re.compile(r"the right one (plus|minus) the (sum|mean|norm|number|length)")
"""By how much the numbers of a single question are off may be equal to many things."""
EPS = 1e-3
"""Textbook normalisations add 1e-5 to the variance, so their components are removed to about this fraction."""
Formulas = Callable[[Observation], Iterator[tuple[str, torch.Tensor]]]


def relation(observations: list[Observation], only_wrong: bool = False) -> str:
    """Return the simplest relation that holds in every observation, as the end of "each wrong number is".

    Args:
        observations: at least one of them with wrong numbers.
        only_wrong: the relation need not hold where the right numbers were seen, because a place explains them.

    Returns:
        "" if no relation does, or if so few numbers are wrong that it may be chance.
    """
    wrong = [one for one in observations if one.is_wrong]
    if not is_enough(wrong) or any(one.right.numel() > MOST_ENTRIES for one in observations):
        return ""
    asked = wrong if only_wrong else observations
    found = _common(asked, formulas, lambda one, made: one.is_like(made, only_wrong))
    if not found and not only_wrong:
        lacked = _common(observations, steps, _is_made_right)
        found = f"right with {lacked}" if lacked else ""
    if found or not (only_wrong or all(bool((one.wrong | (one.right == 0)).all()) for one in observations)):
        return found  # some numbers are right: a place says more than what all have in common
    if product := monomial(wrong):
        return product
    several = [int((one.wrong & (one.right != 0)).sum()) for one in wrong]
    # In one question of many numbers one factor shows itself, and in some of two as well.
    shown = max(several) > SEVERAL or sum(count > 1 for count in several) >= SEVERAL
    return _common(wrong, regularities, lambda one, holds: bool(holds)) if shown else ""


def _is_made_right(one: Observation, made: torch.Tensor) -> bool:
    """Return whether a step makes the numbers right, but for what an eps under a root leaves."""
    return bool(torch.isclose(made, one.right, rtol=EPS, atol=EPS * one.scale).all())


def _common(observations: list[Observation], made: Formulas, fits: Callable[[Observation, torch.Tensor], bool]) -> str:
    """Return the first words whose value fits in each observation."""
    first, *others = sorted(observations, key=lambda one: -int(one.wrong.sum()))
    known: list[dict[str, torch.Tensor]] = []
    is_single = not any(one.is_wrong for one in others)
    for words, value in made(first):
        if fits(first, value) and not (is_single and ONE_AMOUNT.match(words)):
            known = known or [dict(made(one)) for one in others]
            if all(words in one and fits(other, one[words]) for one, other in zip(known, others, strict=True)):
                return words
    return ""
