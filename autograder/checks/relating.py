"""What the wrong numbers of one slot of an answer are, as a sentence with a place for the names of slots."""

from __future__ import annotations

import dataclasses
import re

import torch

from autograder.contrasts import ONE_FACTOR, Observation, place, relation, separating
from autograder.contrasts.words import number

MOST_NAMED = 3
"""Slots in one sentence."""
ALIKE = 3
"""Questions in which a number must be wrong in the same way."""
BY_CHANCE = re.compile(rf"norm of|square root of \d|right one (times|divided by) \d*\.\d|{ONE_FACTOR}")
"""Factors that are found for nearly any few numbers: where slots are wrong in different ways, none of them tells."""
OF_ANOTHER = "the right "
"""Begins the words for the right numbers of another slot."""


def filled(how: str, of: list[str]) -> str:
    """Put the names of slots into a sentence."""
    names = " and ".join([*(f"`{one}`" for one in of[:MOST_NAMED] if one), *["others"][: len(of) > MOST_NAMED]])
    return how.format(of=f" of {names}" if names else "")


def of_slot(observations: list[Observation]) -> str:
    """Return a sentence about the wrong numbers of a slot, with a place for its name."""
    if not any(one.is_wrong for one in observations):
        return ""
    if how := relation(observations):
        if how.startswith("right with"):
            return f"The numbers{{of}} would be {_kept(how)}."
        return _each("", _one_of(how, observations))
    where = place(observations) or _where_single(observations)
    if how := relation(observations, only_wrong=True) or _zeros_and(observations):
        return _each(where, _one_of(how, observations))
    if how := _alike(observations):
        return _each(where, how)
    is_chance = sum(one.is_wrong for one in observations) < 2
    return "" if is_chance or not where else f"Numbers{{of}} are wrong only {_kept(where)}."


def _one_of(how: str, observations: list[Observation]) -> str:
    """Say of a quantity of several numbers that it is the one at the same place."""
    of = (one.quantities.get(how) for one in observations)
    return f"the number of {how} at the same place" if any(one is not None and one.dim() for one in of) else how


def _zeros_and(observations: list[Observation]) -> str:
    """Return what the wrong numbers are that are not 0, where some are 0, as two mistakes at once leave them."""
    zeros = [one.wrong & (one.seen == 0) for one in observations]
    if sum(int(one.sum()) for one in zeros) < ALIKE:
        return ""
    others = [
        dataclasses.replace(one, seen=torch.where(zero, one.right, one.seen))
        for one, zero in zip(observations, zeros, strict=True)
    ]
    how = relation(others, only_wrong=True) if any(one.is_wrong for one in others) else ""
    return how and f"0, or {how}"


def _alike(observations: list[Observation]) -> str:
    """Return what single numbers are wherever they are wrong: the right one of another slot, or always the same."""
    wrong = [one for one in observations if one.is_wrong and not one.right.dim()]
    if len(wrong) < ALIKE or len({float(one.right) for one in wrong}) > 1:
        return ""
    for name, value in wrong[0].quantities.items():
        another = name.startswith(OF_ANOTHER) and bool(value) and all(name in one.quantities for one in wrong)
        if another and all(one.is_like(one.quantities[name], only_wrong=True) for one in wrong):
            return name
    return number(float(wrong[0].seen)) if len({float(one.seen) for one in wrong}) == 1 else ""


def _where_single(observations: list[Observation]) -> str:
    """Return the place of single numbers: what is true of the quantities where they are wrong, and nowhere else."""
    if any(one.right.dim() for one in observations):
        return ""
    known = [_signs(one) for one in observations]
    words = separating(known, [one.is_wrong for one in observations])
    return words and f"where {words}"


def _signs(one: Observation) -> dict[str, bool]:
    numbers = {"the right number": one.right} | {name: value for name, value in one.quantities.items()}
    single = {name: float(value) for name, value in numbers.items() if not value.dim()}
    signs = {"negative": -1, "0": 0, "positive": 1}
    return {
        f"{name} is {words}": (value > 0) - (value < 0) == sign
        for words, sign in signs.items()
        for name, value in single.items()
    }


def _each(where: str, how: str) -> str:
    return f"Each wrong number{{of}}{where and f', {_kept(where)},'} is {_kept(how)}."


def _kept(words: str) -> str:
    """Protect braces in words that become part of a format."""
    return words.replace("{", "{{").replace("}", "}}")
