"""Where wrong numbers stand, and how they relate to the right ones and to the question: said where no mistake fits."""

from __future__ import annotations

import contextlib
import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from autograder.checks.handed_over import HandedOver
from autograder.checks.relating import BY_CHANCE, OF_ANOTHER, filled, of_slot
from autograder.checks.slots import Slots, slots, wrong_slots
from autograder.checks.task import Task
from autograder.comparison import agree
from autograder.contrasts import Observation, far, nearness, place, plain_traits, separating, traits
from autograder.contrasts.observation import finer
from autograder.diagnosis.explaining import Judged
from autograder.diagnosis.structures import is_shown, numbers_of

MOST_QUESTIONS = 16
"""Of a check, whose numbers are compared; the first ones."""
MOST_SEPARATED = 40
"""Of a task, among which a condition is searched."""
MOVED = 2
"""Slots that must hold each other's numbers: a single one may equal another by chance."""
MOST_SAID = 3
"""Sentences about slots."""


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
        wrong = {of: seen for of, seen in found.items() if any(one.is_wrong for one in seen)}
        return wrong or {of: finer(seen) for of, seen in found.items() if any(bool(one.differs.any()) for one in seen)}

    @functools.cached_property
    def _telling(self) -> dict[str, list[str]]:
        """What is said of wrong numbers, with the slots that it is said of."""
        said: dict[str, list[str]] = {}
        for of, observations in self._observed.items():
            if how := of_slot(observations):
                said.setdefault(how, []).append(of)
        telling = [(how, of) for how, of in said.items() if len(said) == 1 or not BY_CHANCE.search(how)]
        return dict(telling[:MOST_SAID])

    def related(self, shown: Judged | None = None) -> str:
        """Return sentences, each of which begins with a space: what wrong numbers are, and where; "" if none fits.

        Args:
            shown: the wrong answer that the sentences stand beside; only its slots are named.
        """
        there = slots(shown) if shown is not None else None
        return "".join(f" {_said(how, of, there)}" for how, of in self._telling.items())

    def named(self) -> set[str]:
        """Return the slots that `related` speaks of."""
        return {*itertools.chain.from_iterable(self._telling.values())}

    def near(self, shown: Judged) -> str:
        """Return a sentence that begins with a space: in what the numbers come near the right ones, or "".

        Args:
            shown: the wrong answer that the sentence stands beside.
        """
        for of, observations in self._observed.items():
            if near := nearness(observations):
                return f" {f'In `{of}`' if of else 'In what was compared'}, {near}."
        answer = slots(shown)
        if moved := _moved(answer):
            return f" Here the right numbers are in each other's places: {moved}."
        if overwritten := _overwritten(answer, self._over(shown).elsewhere):
            return f" Here {overwritten}. Does a call change what an earlier one has returned?"
        for of in filter(answer.__contains__, self._observed):
            one = self._observation(of, answer, shown)
            if one.is_wrong and (apart := far(one.right[one.wrong], one.seen[one.wrong])):
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
            pools = [self._told_apart(pool) for pool in self._pools()]
            for pool, whose in zip(pools, ("of this check", *["of this task"] * 2), strict=True):
                wrong = [not right for _, right in pool]
                if all(wrong) or not any(wrong):
                    continue
                given = [one for one, _ in pool]
                words = separating([*map(plain_traits, given)], wrong, are_plain=True)
                words = words or separating([*map(traits, given)], wrong)
                # What holds in this check alone, and is refuted by others that show the same, is chance.
                if words and not any(traits(one).get(words, not right) is right for one, right in pools[1]):
                    return f" Of the {len(pool)} questions {whose}, exactly those where {words} are answered wrongly."
        return ""

    def _told_apart(self, pool: list[tuple[Judged, bool]]) -> list[tuple[dict[str, Any], bool]]:
        """Return the arguments of those questions that tell something, and whether they are answered correctly."""
        some = [(one, right) for one, right in pool[:MOST_SEPARATED] if self._over(one).is_main]
        return [(self._over(one).arguments, right) for one, right in some if not right or not _is_zero(one.expected)]

    def _pools(self) -> Iterator[list[tuple[Judged, bool]]]:
        """Yield questions with whether they are answered correctly: of the check, all that show the same, all."""
        yield [(one, one.is_right) for one in self._judged]
        everything = self._judged + self._others()
        wrong = Counter(itertools.chain.from_iterable(map(_wrong_keys, self._judged)))
        key = max(wrong, key=wrong.__getitem__, default="")
        shared = [one for one in everything if isinstance(one.expected, dict) and key in one.expected]
        yield [(one, key not in _wrong_keys(one)) for one in shared if key]
        yield [(one, one.is_right) for one in everything]

    def _over(self, one: Judged) -> HandedOver:
        if id(one.inputs) not in self._handed_over:
            self._handed_over[id(one.inputs)] = HandedOver(self._task, one.inputs)
        return self._handed_over[id(one.inputs)]

    def _observation(self, of: str, answer: Slots, one: Judged) -> Observation:
        right, seen = answer[of]
        over = self._over(one)
        quantities = {} if _base(of) in over.elsewhere else dict(over.quantities)
        for other, pair in answer.items():
            if other != of and not right.dim() and not pair.right.dim() and of.startswith("["):  # keys of a result
                quantities[f"{OF_ANOTHER}`{other}`"] = pair.right
        return Observation(right, seen, quantities, f"`{of.removesuffix('.grad')}`" if of else "")


def _said(how: str, of: list[str], there: Slots | None) -> str:
    """Return a sentence about slots; it says so if none of them is among those that are shown."""
    if there is None or (named := [one for one in of if one in there]):
        return filled(how, of if there is None else named)
    sentence = filled(how, of)
    return f"In another question {sentence[0].lower()}{sentence[1:]}"


def _moved(answer: Slots) -> str:
    """Say which slot holds the right numbers of which other one; "" if not all that are wrong hold those of another."""
    wrong = wrong_slots(answer)
    holds = {
        of: [other for other, one in answer.items() if other != of and agree(pair.seen, one.right)]
        for of, pair in wrong.items()
    }
    sources = {others[0] for others in holds.values() if len(others) == 1}
    if len(wrong) < MOVED or sources != set(holds):
        return ""
    of, others = next(iter(holds.items()))
    return f"`{of}` holds those of `{others[0]}`"


def _overwritten(answer: Slots, elsewhere: frozenset[str]) -> str:
    """Say which slot holds the right numbers of a slot of another call in its place; "" if none does."""
    for of, pair in wrong_slots(answer).items():
        for other, one in answer.items():
            is_other_call = _base(other) != _base(of) and {_base(of), _base(other)} & elsewhere
            if is_other_call and len(pair.seen.unique()) > 1 and agree(pair.seen, one.right):
                return f"`{of}` holds the numbers that belong in `{other}`"
    return ""


def _base(words: str) -> str:
    """Return the name with which the words for a slot begin."""
    return re.split(r"\W", words, maxsplit=1)[0]


def _is_zero(expected: Any) -> bool:
    """Return whether a right answer is made of zeros, which many mistakes leave as they are."""
    numbers = numbers_of(expected)
    return bool(numbers) and not any(numbers)


def _wrong_keys(one: Judged) -> list[str]:
    """Return the expressions whose values are wrong."""
    if not is_shown(one.inputs, one.expected, one.got):
        return []
    return [key for key, right in one.expected.items() if not agree(one.got.get(key), right)]
