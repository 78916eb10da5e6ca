"""Mistakes of gather_gradient."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under


def _written(upstream: torch.Tensor, index: torch.Tensor, length: int, takes: Callable) -> torch.Tensor:
    """Zeros, with `takes(upstreams)` written at each place that was read."""
    gradient = torch.zeros(length, dtype=upstream.dtype)
    for place in set(index.tolist()):
        gradient[place] = takes(upstream[index == place])
    return gradient


def _taking(takes: Callable[[torch.Tensor], torch.Tensor]) -> Callable:
    return lambda upstream, index, length: _written(upstream, index, length, takes)


def _up_to_the_largest(upstream: torch.Tensor, index: torch.Tensor, length: int) -> torch.Tensor:
    length = int(index.max()) + 1 if len(index) else 0
    return _written(upstream, index, length, torch.sum)


def _read_again(upstream: torch.Tensor, index: torch.Tensor, length: int) -> torch.Tensor:
    padded = torch.zeros(max(length, len(upstream)), dtype=upstream.dtype)
    padded[: len(upstream)] = upstream
    return padded[index]


def _in_the_indexs_order(upstream: torch.Tensor, index: torch.Tensor, length: int) -> torch.Tensor:
    gradient = torch.zeros(length, dtype=upstream.dtype)
    return gradient.index_add(0, index.sort().values, upstream)


def _mistake(name: str, sentence: str, implementation: Callable, raises: str = "") -> Mistake:
    return Mistake(name, sentence, under("gather_gradient", implementation), raises)


LOST = (
    "Where a place was read several times, one upstream gradient is left of several. Writing to an index writes each "
    "place once; what really adds?"
)
GATHER_GRADIENT = (
    _mistake("repeats lost", LOST, _taking(lambda shares: shares[-1])),
    _mistake("repeats lost", LOST, _taking(lambda shares: shares[0])),
    _mistake(
        "repeats averaged",
        "Where a place was read several times, the mean of its upstream gradients stands. They add up.",
        _taking(torch.mean),
    ),
    _mistake(
        "repeats counted",
        "This is how often each place was read. The upstream gradients tell how much each reading matters.",
        _taking(lambda shares: float(len(shares))),
    ),
    _mistake(
        "places marked",
        "There is a 1 at each place that was read. The upstream gradients tell how much each reading matters.",
        _taking(lambda shares: 1.0),
    ),
    _mistake(
        "as long as the largest index",
        "The result ends at the largest place that was read. It has one entry for each element of `x`.",
        _up_to_the_largest,
    ),
    _mistake(
        "read instead of added",
        "`index` was used to read from `upstream`, as forward reads from `x`. Backward goes the other way: entry k of "
        "`upstream` belongs to place `index[k]`.",
        _read_again,
        r"IndexError: index -?\d+ is out of bounds",
    ),
    _mistake(
        "index and upstream out of step",
        "The index was sorted, and `upstream` was not: the numbers arrive at the wrong places.",
        _in_the_indexs_order,
    ),
    _mistake(
        "upstream returned",
        "This is `upstream` as it came. Its entries belong to the places that `index` names.",
        lambda upstream, index, length: upstream,
    ),
    Mistake(
        "dtypes that do not fit",
        "The buffer of zeros and the upstream gradient have different dtypes. Which dtype has the result?",
        raises=r"RuntimeError: (index_add_\(\): self|scatter\(\): Expected self\.dtype|Index put requires the source)",
    ),
)
