"""Mistakes of GradientExtractor and MaxWithIndex, which pick one element."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.custom_functions.functions import KEPT_ON_CLASS, RAISED, UPSTREAM_IGNORED, function, named
from autograder.diagnosis.hypothesis import Mistake

_extractor = named("GradientExtractor")


def _row(size: int, place: int, value: torch.Tensor) -> torch.Tensor:
    """Zeros, with `value` at one place."""
    zeros = torch.zeros(size, dtype=value.dtype)
    zeros[place] = value
    return zeros


def _picked(gradient: Callable[..., torch.Tensor], **kept: bool) -> type:
    return function(lambda x, i: x[i].clone(), lambda g, x, i: (gradient(g, x, i), None), **kept)


def _zeroed_input(g: torch.Tensor, x: torch.Tensor, index: int) -> torch.Tensor:
    x.data.zero_()[index] = g
    return x.detach()


GRADIENT_EXTRACTOR = (
    _extractor(*UPSTREAM_IGNORED, _picked(lambda g, x, i: _row(len(x), i, torch.ones_like(g)))),
    _extractor(*KEPT_ON_CLASS, _picked(lambda g, x, i: _row(len(x), i, g), on_class=True)),
    _extractor(
        "gradient for every element",
        "All elements got the upstream gradient. How much does the result change when another element moves?",
        _picked(lambda g, x, i: g.expand(len(x))),
    ),
    _extractor(
        "negative index lost",
        "With a negative index no gradient arrives. Which place does -1 stand for?",
        _picked(lambda g, x, i: _row(len(x), i, g) if i >= 0 else torch.zeros_like(x)),
    ),
    _extractor(
        "counted from the other end",
        "The gradient stands at another place than the element that was picked.",
        _picked(lambda g, x, i: _row(len(x), -1 - i, g)),
    ),
    _extractor(
        "value instead of slope",
        "The gradient is multiplied by the element's value. The slope of x[i] with respect to x[i] is another number.",
        _picked(lambda g, x, i: _row(len(x), i, g * x[i])),
    ),
    _extractor(
        "input overwritten",
        "`backward` writes into `x`, which belongs to the caller. Make a new tensor of zeros.",
        _picked(_zeroed_input),
    ),
    Mistake(
        "padded before the start",
        "A negative index made a negative number of zeros. Which place does -2 stand for?",
        raises="RuntimeError: narrow\\(\\): length must be non-negative",
    ),
    Mistake(
        "zeros too short",
        "The tensor of zeros is smaller than `x`. Which size must the gradient have?",
        raises="IndexError: index -?\\d+ is out of bounds",
    ),
    Mistake(
        "a result with an axis",
        "The result is to have no axes: one element, not a vector of one.",
        raises="RuntimeError: Mismatch in shape: grad_output\\[0\\] has a shape of .*\\[\\]\\) and output",
    ),
    *RAISED,
)

_maximum = named("MaxWithIndex")


def _max(place: Callable[[torch.Tensor], torch.Tensor], gradient: Callable[..., torch.Tensor], **kept: bool) -> type:
    def forward(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        index = place(x)
        return x[index].clone(), index

    return function(forward, lambda g, _, x: gradient(g, x), **kept)


def _first(x: torch.Tensor) -> torch.Tensor:
    return (x == x.max()).nonzero()[0, 0]


def _last(x: torch.Tensor) -> torch.Tensor:
    return (x == x.max()).nonzero()[-1, 0]


def _at_first(g: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    return _row(len(x), int(_first(x)), g)


MAX_WITH_INDEX = (
    _maximum(
        "every tied maximum gets all",
        "Where several elements are the largest, each got the whole gradient. Comparing values finds them all.",
        _max(_first, lambda g, x: g * (x == x.max())),
    ),
    _maximum(
        "shared among ties",
        "Where several elements are the largest, they shared the gradient. The task gives it to the first.",
        _max(_first, lambda g, x: g * (x == x.max()) / (x == x.max()).sum()),
    ),
    _maximum(
        "the last of tied maxima",
        "Where several elements are the largest, the last was taken.",
        _max(_last, lambda g, x: _row(len(x), int(_last(x)), g)),
    ),
    _maximum(*UPSTREAM_IGNORED, _max(_first, lambda g, x: _at_first(torch.ones_like(g), x))),
    _maximum(*KEPT_ON_CLASS, _max(_first, _at_first, on_class=True)),
    _maximum(
        "minimum instead of maximum",
        "This is the smallest element.",
        _max(torch.argmin, lambda g, x: _row(len(x), int(x.argmin()), g)),
    ),
    _maximum(
        "gradient for every element",
        "All elements got the upstream gradient. Only one of them decides about the maximum.",
        _max(_first, lambda g, x: g.expand(len(x))),
    ),
    _maximum(
        "largest absolute value",
        "The element with the largest size was taken, whatever its sign.",
        _max(lambda x: x.abs().argmax(), lambda g, x: _row(len(x), int(x.abs().argmax()), g)),
    ),
    *(
        _maximum(
            "the index as a float",
            "The index is to be a whole number, an int64, so that nothing can come back through it.",
            function(
                lambda x: (x[_first(x)].clone(), _first(x).to(x.dtype)),
                lambda g, _, x: _at_first(g, x),
                marked=marked,
            ),
        )
        for marked in (False, True)
    ),
    Mistake(
        "index and maximum exchanged",
        "The maximum comes first, then the index.",
        raises="RuntimeError: element 0 of tensors does not require grad|Only Tensors of floating point",
    ),
    *RAISED,
)
