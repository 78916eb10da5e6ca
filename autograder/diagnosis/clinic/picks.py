"""Mistakes of PickMany."""

from __future__ import annotations

from collections.abc import Callable

import torch

from autograder.diagnosis.custom_functions.functions import KEPT_ON_CLASS, RAISED, UPSTREAM_IGNORED, function, named
from autograder.diagnosis.hypothesis import Mistake

_mistake = named("PickMany")
Gradient = Callable[[torch.Tensor, torch.Tensor, list[int]], torch.Tensor]


def _places(x: torch.Tensor, index: tuple[int, ...]) -> list[int]:
    return [i % len(x) for i in index]


def _picking(gradient: Gradient, **kept: bool) -> type:
    """A Function whose backward is `gradient(upstream, x, places from 0)`."""
    return function(
        lambda x, index: x[list(index)], lambda g, x, index: (gradient(g, x, _places(x, index)), None), **kept
    )


def _added(g: torch.Tensor, x: torch.Tensor, places: list[int]) -> torch.Tensor:
    return torch.zeros_like(x).index_add(0, torch.tensor(places), g)


def _written(g: torch.Tensor, x: torch.Tensor, places: list[int]) -> torch.Tensor:
    gradient = torch.zeros_like(x)
    for place, share in zip(places, g, strict=True):
        gradient[place] = share
    return gradient


def _first_kept(g: torch.Tensor, x: torch.Tensor, places: list[int]) -> torch.Tensor:
    return _written(g.flip(0), x, places[::-1])


def _counts(x: torch.Tensor, places: list[int]) -> torch.Tensor:
    return torch.bincount(torch.tensor(places), minlength=len(x)).to(x.dtype)


def _last_times_count(g: torch.Tensor, x: torch.Tensor, places: list[int]) -> torch.Tensor:
    return _written(g, x, places) * _counts(x, places)


def _first_times_count(g: torch.Tensor, x: torch.Tensor, places: list[int]) -> torch.Tensor:
    return _first_kept(g, x, places) * _counts(x, places)


def _averaged(g: torch.Tensor, x: torch.Tensor, places: list[int]) -> torch.Tensor:
    return _added(g, x, places) / _counts(x, places).clamp(min=1)


def _by_spelling(x: torch.Tensor, index: tuple[int, ...], g: torch.Tensor) -> torch.Tensor:
    """Adds up ints that are written alike, and lets the last spelling of an element win."""
    totals: dict[int, torch.Tensor] = {}
    for i, share in zip(index, g, strict=True):
        totals[i] = totals.get(i, 0) + share
    gradient = torch.zeros_like(x)
    for i, total in totals.items():
        gradient[i] = total
    return gradient


def _only_from_the_front(x: torch.Tensor, index: tuple[int, ...], g: torch.Tensor) -> torch.Tensor:
    gradient = torch.zeros_like(x)
    for i, share in zip(index, g, strict=True):
        if i >= 0:
            gradient[i] += share
    return gradient


def _in_order(g: torch.Tensor, x: torch.Tensor, places: list[int]) -> torch.Tensor:
    return _added(g, x, sorted(places))


PICK_MANY = (
    _mistake(
        "as given: repeats counted once",
        "An element that was picked several times gets one of its upstream gradients, not all. Try `gradcheck` with an "
        "index in which an int comes back. See lesson 11, “Places that come back”.",
        _picking(_written),
    ),
    _mistake(*UPSTREAM_IGNORED, _picking(lambda g, x, places: _counts(x, places))),
    _mistake(*KEPT_ON_CLASS, _picking(_added, on_class=True)),
    _mistake(
        "the first pick alone counts",
        "An element that was picked several times gets the upstream gradient of its first pick. What of the others?",
        _picking(_first_kept),
    ),
    _mistake(
        "one pick times their number",
        "An element that was picked several times gets one of its upstream gradients, as often as it was picked. Each "
        "pick has one of its own.",
        _picking(_last_times_count),
    ),
    _mistake(
        "one pick times their number",
        "An element that was picked several times gets one of its upstream gradients, as often as it was picked. Each "
        "pick has one of its own.",
        _picking(_first_times_count),
    ),
    _mistake(
        "picks averaged",
        "An element that was picked several times gets the mean of its upstream gradients. A second path to the result "
        "adds to the first.",
        _picking(_averaged),
    ),
    _mistake(
        "two spellings of one element",
        "Two ints that name one element, such as -1 and 4 of five, count once here. Which place does each stand for?",
        function(lambda x, index: x[list(index)], lambda g, x, index: (_by_spelling(x, index, g), None)),
    ),
    _mistake(
        "negative ints lost",
        "Elements that were counted from the end get no gradient.",
        function(lambda x, index: x[list(index)], lambda g, x, index: (_only_from_the_front(x, index, g), None)),
    ),
    _mistake(
        "in the order of the elements",
        "The shares went to the picked elements in the order in which these stand in x. The index has an order of its "
        "own.",
        _picking(_in_order),
    ),
    _mistake(
        "gradient for every element",
        "Elements that nobody picked have a gradient. How much does the result change when one of them moves?",
        _picking(lambda g, x, places: g.sum().expand(len(x))),
    ),
    Mistake(
        "an operation that refuses negative ints",
        "`index_add_` and `scatter_add_` take places from 0 on only. Which place does -1 stand for?",
        raises="(IndexError|RuntimeError): (index out of range in self|index -\\d+ is out of bounds)",
    ),
    Mistake(
        "places that are no tensor",
        "The operation that really adds takes the places as an int64 tensor.",
        raises="TypeError: (index_add|scatter_add|index_put|put|bincount|argument 'ind)"
        "|RuntimeError: index_\\w+\\(\\): Expected dtype",
    ),
    *RAISED,
)
