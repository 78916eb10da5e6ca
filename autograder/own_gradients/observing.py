"""What a trial gave of one argument, as an observation: numbers, and everything that they may be related to."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import torch

from autograder.contrasts import Observation
from autograder.own_gradients.comparing import Passed
from autograder.own_gradients.confusions import confusions
from autograder.own_gradients.numeric import Outputs

ROUNDING = 1e-9
"""Of the outputs, relative, over the step of the differences."""


def observation(passed: Passed, at: int) -> Observation:
    """Return the gradient of an argument beside the right one; made once.

    Of complex numbers both parts, along a new axis; of a large argument the measured entries, in a row.
    """
    if at not in passed.observed:
        passed.observed[at] = _observation(passed, at)
    return passed.observed[at]


def _observation(passed: Passed, at: int) -> Observation:
    right, seen, noise = passed.right(at), passed.seen(at), noise_of(passed.outputs, passed.upstreams)
    if right.is_complex():
        return Observation(torch.view_as_real(right), torch.view_as_real(seen), {}, noise=noise)
    own, quantities = f"`{passed.function.names[at]}`", dict(_quantities(passed))
    slopes = passed.slopes(at)
    if slopes.is_whole:
        return Observation(right, seen, quantities, own, noise, functools.partial(confusions, passed, at))

    def some(value: torch.Tensor) -> torch.Tensor:
        return value[slopes.measured] if value.shape == slopes.measured.shape else value

    def instead() -> Iterator[tuple[str, torch.Tensor]]:
        return ((words, some(value)) for words, value in confusions(passed, at))

    row = {name: some(value) for name, value in quantities.items()}
    return Observation(some(right), some(seen), row, own, noise, instead)


def noise_of(outputs: Outputs, upstreams: Outputs) -> float:
    """Return by how much a finite difference may be off because the outputs are rounded."""
    pairs = zip(outputs, upstreams, strict=True)
    return ROUNDING * sum(float((one.abs().max() + 1) * up.abs().sum()) for one, up in pairs if one.numel())


def _quantities(passed: Passed) -> Iterator[tuple[str, torch.Tensor]]:
    for name, value in zip(passed.function.names, passed.trial.values, strict=True):
        if isinstance(value, torch.Tensor) and not value.is_complex():
            yield f"`{name}`", value.detach().to(torch.float64)
        elif type(value) in (int, float):
            yield f"`{name}`", torch.tensor(float(value), dtype=torch.float64)
        elif isinstance(value, list | tuple) and value and all(type(one) in (int, float) for one in value):
            yield f"`{name}`", torch.tensor(value, dtype=torch.float64)
    yield from _numbered("the output", "output", passed.outputs)
    yield from _numbered("the upstream gradient", "the upstream gradient of output", passed.upstreams)


def _numbered(alone: str, among: str, values: list[torch.Tensor]) -> Iterator[tuple[str, torch.Tensor]]:
    for number, value in enumerate(values):
        if not value.is_complex():
            yield alone if len(values) == 1 else f"{among} {number}", value
