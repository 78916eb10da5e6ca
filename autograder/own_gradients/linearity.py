"""Whether a backward pass is linear in the upstream gradient, as every right one is, and the same each time."""

from __future__ import annotations

import contextlib

import torch

from autograder.contrasts import Observation
from autograder.own_gradients.comparing import Passed, differentiated


def not_linear(passed: Passed) -> dict[int, str]:
    """Return what is wrong with the use of the upstream gradient, as a sentence for each argument's place.

    Args:
        passed: the inputs as given.
    """
    found: dict[int, str] = {}
    with contextlib.suppress(RuntimeError, ValueError, IndexError):  # it raises for such an upstream gradient
        nothing, twice, again = (
            differentiated(passed.function, passed.trial, [factor * one for one in passed.upstreams])
            for factor in (0, 2, 1)
        )
        for at in passed.trial.needs:
            seen = passed.seen(at)
            name = f"`{passed.function.names[at]}`"
            others = [one[at] for one in (nothing, twice, again)]
            if seen.is_complex() or any(one is None for one in others):
                continue
            zero, double, same = (one.to(seen.dtype) for one in others if one is not None)
            if not bool(torch.isfinite(seen).all()) or not seen.any():
                continue  # zeros are proportional to anything
            if Observation(seen, same, {}).is_wrong:
                found[at] = (
                    f"Two passes with the same inputs and the same upstream gradient give different gradients of "
                    f"{name}: does the backward pass draw random numbers, or keep something between calls?"
                )
            elif Observation(seen, zero, {}).is_wrong is False:
                found[at] = f"The gradient of {name} is the same whatever upstream gradient arrives: it is ignored."
            elif bool((zero.abs() > 1e-9 * (1 + seen.abs().max())).any()):
                found[at] = (
                    f"For an upstream gradient of zeros the gradient of {name} is not 0: what arrives must be a factor "
                    "of everything that is passed on, and nothing may be added to it."
                )
            elif Observation(2 * seen, double, {}).is_wrong:
                found[at] = (
                    f"For an upstream gradient twice as large the gradient of {name} is not twice as large: what "
                    "arrives must be a factor exactly once."
                )
    return found
