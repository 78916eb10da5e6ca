"""Where wrong numbers stand, and how they relate to the right ones and to the question: said where no mistake fits."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import torch

from autograder.checks.handed_over import HandedOver
from autograder.checks.slots import Slots, slots
from autograder.checks.task import Task
from autograder.comparison import agree
from autograder.contrasts import Observation, far, nearness, place, plain_traits, relation, separating, traits
from autograder.contrasts.observation import finer
from autograder.contrasts.words import number
from autograder.diagnosis.explaining import Judged
from autograder.diagnosis.structures import is_shown, numbers_of

MOST_QUESTIONS = 16
"""Of a check, whose numbers are compared; the first ones."""
MOST_SEPARATED = 40
"""Of a task, among which a condition is searched."""
MOST_SAID, MOST_NAMED = 3, 3
"""Sentences about slots, and slots in one sentence."""
ALIKE = 3
"""Questions in which a number must be wrong in the same way."""
OF_ANOTHER = "the right "
"""Begins the words for the right numbers of another slot."""


class Contrasts:
    """What the questions of a check tell together, and where that is not enough, all those of the task.

    Args:
        task: whose check it is.
        judged: all questions of the check that were answered, at least one of them wrongly.
        others: returns the answered questions of the task's other checks.
    """

    def __init__(self, task: Task, judged: list[Judged], others: Callable[[], list[Judged]] = list) -> None:
        self._task, self._judged, self._others = task, judged, others
        self._handed_over: dict[int, HandedOver] = {}

    @functools.cached_property
    def _observed(self) -> dict[str, list[Observation]]:
        """The slots whose values are wrong somewhere, "" for what a call returned, with what was seen."""
        some = self._judged[:MOST_QUESTIONS]
        answers = [slots(one) for one in some]
        found: dict[str, list[Observation]] = {}
        with contextlib.suppress(RuntimeError, ValueError, IndexError, TypeError):  # such numbers are not related
            for of in dict.fromkeys(of for one in answers for of in one):
                pairs = [(one, given) for one, given in zip(answers, some, strict=True) if of in one]
                if any(not given.is_right for _, given in pairs):
                    found[of] = [self._observation(of, one, given) for one, given in pairs]
        observed = {of: seen for of, seen in found.items() if any(bool(one.differs.any()) for one in seen)}
        return {of: seen if any(one.is_wrong for one in seen) else finer(seen) for of, seen in observed.items()}

    def related(self) -> str:
        """Return sentences, each of which begins with a space: what wrong numbers are, and where; "" if none fits."""
        said: dict[str, list[str]] = {}
        for of, observations in self._observed.items():
            if how := _of_slot(observations):
                said.setdefault(how, []).append(of)
        return "".join(f" {_filled(how, of)}" for how, of in [*said.items()][:MOST_SAID])

    def near(self) -> str:
        """Return a sentence that begins with a space: in what the numbers come near the right ones, or ""."""
        for of, observations in self._observed.items():
            if near := nearness(observations):
                return f" In what was asked{f' of `{of}`' if of else ''}, {near}."
        for observations in self._observed.values():
            shown = next((one for one in observations if one.is_wrong), None)
            if shown is not None and (apart := far(shown.right[shown.wrong], shown.seen[shown.wrong])):
                return f" Here {apart}."
        return ""

    def placed(self) -> str:
        """Return a sentence that begins with a space: where the wrong numbers stand; "" if nothing says."""
        places = {place(observations) for observations in self._observed.values()}
        if len(places) == 1 and "" not in places:
            return f" Numbers are wrong only {places.pop()}."
        return self.separated()

    def separated(self) -> str:
        """Return a sentence that begins with a space: the condition on which questions are wrong; "" if none fits."""
        with contextlib.suppress(RuntimeError, ValueError, IndexError, TypeError):
            for pool, whose in self._pools():
                some = [(one, right) for one, right in pool if self._over(one).is_main][:MOST_SEPARATED]
                some = [(one, right) for one, right in some if not right or not _is_zero(one.expected)]
                wrong = [not right for _, right in some]
                if all(wrong) or not any(wrong):
                    continue
                given = [self._over(one).arguments for one, _ in some]
                words = separating([*map(plain_traits, given)], wrong, are_plain=True)
                if words := words or separating([*map(traits, given)], wrong):
                    return f" Of {whose.format(len(some))}, just those are answered wrongly where {words}."
        return ""

    def _pools(self) -> Iterator[tuple[list[tuple[Judged, bool]], str]]:
        """Yield questions, each with whether it is answered correctly, and whose they are."""
        yield [(one, one.is_right) for one in self._judged], "{} questions here"
        others = self._others()
        if wrong := [*itertools.chain.from_iterable(map(_wrong_keys, self._judged))]:
            (key, _), *_ = Counter(wrong).most_common(1)
            shared = [one for one in self._judged + others if isinstance(one.expected, dict) and key in one.expected]
            yield [(one, key not in _wrong_keys(one)) for one in shared], "{} questions of this task"
        yield [(one, one.is_right) for one in self._judged + others], "{} questions of this task"

    def _over(self, one: Judged) -> HandedOver:
        if id(one.inputs) not in self._handed_over:
            self._handed_over[id(one.inputs)] = HandedOver(self._task, one.inputs)
        return self._handed_over[id(one.inputs)]

    def _observation(self, of: str, answer: Slots, one: Judged) -> Observation:
        right, seen = answer[of]
        quantities = dict(self._over(one).quantities)
        for other, pair in answer.items():
            if other != of and not right.dim() and not pair.right.dim() and of.startswith("["):  # keys of a result
                quantities[f"{OF_ANOTHER}`{other}`"] = pair.right
        return Observation(right, seen, quantities, f"`{of.removesuffix('.grad')}`" if of else "")


def _is_zero(expected: Any) -> bool:
    """Return whether a right answer is made of zeros, which many mistakes leave as they are."""
    numbers = numbers_of(expected)
    return bool(numbers) and not any(numbers)


def _wrong_keys(one: Judged) -> list[str]:
    """Return the expressions whose values are wrong."""
    if not is_shown(one.inputs, one.expected, one.got):
        return []
    return [key for key, right in one.expected.items() if not agree(one.got.get(key), right)]


def _filled(how: str, of: list[str]) -> str:
    """Put the names of slots into a sentence."""
    names = " and ".join([*(f"`{one}`" for one in of[:MOST_NAMED] if one), *["others"][: len(of) > MOST_NAMED]])
    return how.format(of=f" of {names}" if names else "")


def _of_slot(observations: list[Observation]) -> str:
    """Return a sentence about the wrong numbers of a slot, with a place for its name."""
    if not any(one.is_wrong for one in observations):
        return ""
    if how := relation(observations):
        return f"The numbers{{of}} would be {_kept(how)}." if how.startswith("right with") else _each("", how)
    where = place(observations) or _where_single(observations)
    if how := relation(observations, only_wrong=True) or _zeros_and(observations):
        return _each(where, how)
    if how := _alike(observations):
        return _each(where, how)
    is_chance = sum(one.is_wrong for one in observations) < 2
    return "" if is_chance or not where else f"Numbers{{of}} are wrong only {_kept(where)}."


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
        same = name.startswith(OF_ANOTHER) and bool(value) and wrong[0].is_like(value, only_wrong=True)
        if same and all(one.is_like(one.quantities[name], only_wrong=True) for one in wrong):
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
