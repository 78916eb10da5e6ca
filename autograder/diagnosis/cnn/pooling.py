"""Mistakes of max_pool_gradient."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.cnn.shared import mistakes_of
from autograder.diagnosis.hypothesis import Mistake

TASK = "max_pool_gradient"
_mistake = mistakes_of(TASK)
TIED = "See lesson 09, “The backward of max pooling”."


def _windows(share: Callable[[torch.Tensor], torch.Tensor]) -> Callable[..., torch.Tensor]:
    """Each window's part of the upstream gradient: `share(window)` says which pixel gets how much of it."""

    def implementation(x: torch.Tensor, upstream: torch.Tensor, size: int) -> torch.Tensor:
        found, (rows, columns) = torch.zeros_like(x), upstream.shape[2:]
        for b in range(len(x)):
            for c in range(x.shape[1]):
                for i in range(rows):
                    for j in range(columns):
                        place = (b, c, slice(i * size, (i + 1) * size), slice(j * size, (j + 1) * size))
                        found[place] = share(x[place]) * upstream[b, c, i, j]
        return found

    return implementation


def _largest(window: torch.Tensor) -> torch.Tensor:
    return (window == window.max()).to(window.dtype)


def _one_of(window: torch.Tensor, which: int) -> torch.Tensor:
    """The first or the last of the largest, in reading order."""
    chosen, places = torch.zeros_like(window), _largest(window).nonzero()
    chosen[tuple(places[which])] = 1
    return chosen


def _above_zero(window: torch.Tensor) -> torch.Tensor:
    return _one_of(window, 0) * (window.max() > 0)


def _whole_map(x: torch.Tensor, upstream: torch.Tensor, size: int) -> torch.Tensor:
    found = torch.zeros_like(x)
    for b in range(len(x)):
        for c in range(x.shape[1]):
            found[b, c] = _one_of(x[b, c], 0) * upstream[b, c].sum()
    return found


def _without_upstream(x: torch.Tensor, upstream: torch.Tensor, size: int) -> torch.Tensor:
    return _windows(lambda window: _one_of(window, 0))(x, torch.ones_like(upstream), size)


def _small(x: torch.Tensor, upstream: torch.Tensor, size: int) -> torch.Tensor:
    return upstream


MAX_POOL_GRADIENT = (
    *_mistake(
        "all of the tied",
        "Where several pixels of a window are the largest, each got the whole upstream gradient. Only one may have it. "
        f"{TIED}",
        _windows(_largest),
    ),
    *_mistake(
        "shared among the tied",
        "Where several pixels of a window are the largest, the upstream gradient was divided among them. One gets it "
        f"all. {TIED}",
        _windows(lambda window: _largest(window) / _largest(window).sum()),
    ),
    *_mistake(
        "last of the tied",
        f"Of several largest pixels the last got the gradient. The first in reading order gets it. {TIED}",
        _windows(lambda window: _one_of(window, -1)),
    ),
    *_mistake(
        "columns before rows",
        "Of several largest pixels the one in the first column got the gradient. Reading order goes along the rows.",
        _windows(lambda window: _one_of(window.mT, 0).mT),
    ),
    *_mistake(
        "spread evenly",
        "Each pixel of a window got an equal part. That is the backward of average pooling.",
        _windows(lambda window: torch.ones_like(window) / window.numel()),
    ),
    *_mistake(
        "to the whole window",
        "Every pixel of a window got the upstream gradient. A pixel that is not the largest could move a little, and "
        "the result would not change.",
        _windows(torch.ones_like),
    ),
    *_mistake(
        "value for slope",
        "The upstream gradient was multiplied by the largest value. If the largest pixel moves a little, how far "
        "does the maximum move?",
        _windows(lambda window: _one_of(window, 0) * window.max()),
    ),
    *_mistake(
        "upstream gradient ignored",
        "Ones stand at the largest pixels. What comes from above is a factor too.",
        _without_upstream,
    ),
    *_mistake(
        "only above zero",
        "Windows without a pixel above 0 got nothing. A maximum may be below 0; which pixel is it then?",
        _windows(_above_zero),
    ),
    *_mistake(
        "one largest for the whole map",
        "Only the largest pixel of each map got something. Every window has a largest pixel of its own.",
        _whole_map,
    ),
    *_mistake(
        "of the output's size",
        "The result has the shape of `upstream`. It is the gradient of `x`, and has the shape of `x`.",
        _small,
    ),
    Mistake(
        "no pixel left over",
        "Height and width need not be multiples of `size`. What does the forward pooling do with the rows and columns "
        "that are left over?",
        raises="RuntimeError: (shape '.*' is invalid for input|The size of tensor|The expanded size|.*must match|"
        "output with shape|max_pool2d|Mismatch in shape: grad_output)|IndexError|ValueError|EinopsError",
    ),
)
