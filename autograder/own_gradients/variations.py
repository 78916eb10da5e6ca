"""Under which other plain arguments, shapes and needs a wrong gradient becomes right: that is where to look."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch

from autograder.contrasts import Observation
from autograder.own_gradients.comparing import Passed, tried
from autograder.own_gradients.observing import observation
from autograder.own_gradients.trials import Trial

VANISHING = 1e-4
"""Of the gradient for the inputs as given."""
MOSTLY = 0.8
"""Of the numbers, wrong in every ordinary trial, before a condition under which they are right is believed."""


def right_with(at: int, first: Passed, trials: list[Passed], source: torch.Generator) -> str:
    """Return when the gradient of an argument is right after all, as a sentence; "" if nothing tried makes it right.

    Args:
        at: the argument's place.
        first: the inputs as given, for which it is wrong.
        trials: all others in which it needs a gradient.
        source: draws upstream gradients.
    """
    names, found = first.function.names, []
    for place, value in enumerate(first.trial.values):
        for words, other in _others(value) if place != at else ():
            values = [*first.trial.values]
            values[place] = other
            with contextlib.suppress(Exception):  # the function takes no such argument
                passed = tried(first.function, Trial(values, needs=first.trial.needs), source)
                seen = observation(passed, at)
                if passed.error is None and not seen.is_wrong and _is_there(seen, observation(first, at)):
                    found.append(f"with {words.format(names[place])}")
                    break
    usual = [first, *(one for one in trials if not one.trial.only)]
    share = min(float(observation(one, at).wrong.double().mean()) for one in usual if one.error is None)
    conditions = [one.trial.only for one in trials if one.trial.only.startswith("where")]
    # Where few numbers are wrong, others may be right by what was drawn.
    for only in dict.fromkeys(conditions if share > MOSTLY else ()):
        some = [observation(one, at) for one in trials if one.trial.only == only and one.error is None]
        if (
            some
            and not any(one.is_wrong for one in some)
            and any(_is_there(one, observation(first, at)) for one in some)
        ):
            found.append(only)
    return f" It is right {' and '.join(found[:2])}." if found else ""


def _is_there(one: Observation, usual: Observation) -> bool:
    """Return whether a gradient is more than rounding: one that vanishes is right whatever the mistake."""
    return bool(one.right.abs().max() > VANISHING * usual.right.abs().max()) if one.right.numel() else False


def _others(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, torch.Tensor) and value.is_floating_point() and value.numel() > 1:
        yield "`{}` all 1", torch.ones_like(value)
        yield "`{}` all 0", torch.zeros_like(value)
    plain = {bool: (not value if type(value) is bool else None,), int: (1, 0), float: (1.0, 0.0)}.get(type(value), ())
    yield from ((f"`{{}}={one!r}`", one) for one in plain if one != value)
