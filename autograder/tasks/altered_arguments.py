"""Mistakes that amount to the right answer for other arguments, predicted from the task's published solution.

Two arguments exchanged, a number off by one, probabilities where logits were meant: so every
task knows them, whatever else it asks.
"""

from __future__ import annotations

import copy
import functools
import inspect
import re
from collections.abc import Callable, Container, Iterator
from typing import Any

import torch
from torch import nn

from autograder.diagnosis.hypothesis import EVERYWHERE, Mistake

Change = Callable[[Any], Any]
"""From an argument to another one; the same one where the change does not apply."""


def _of_tensors(axes: Container[int], change: Change) -> Change:
    return lambda one: change(one) if isinstance(one, torch.Tensor) and one.dim() in axes and len(one) > 1 else one


def _ones(one: Any) -> Any:
    if not isinstance(one, torch.Tensor) or not one.is_floating_point():
        return one
    return torch.ones_like(one.detach(), requires_grad=one.requires_grad)


def _positive_part(one: Any) -> Any:
    if not isinstance(one, torch.Tensor) or not one.is_floating_point():
        return one
    return one.detach().clamp(min=0).requires_grad_(one.requires_grad)


def _of(kind: type, change: Change) -> Change:
    return lambda one: change(one) if type(one) is kind else one


class _Through(nn.Module):  # type: ignore[misc]  # mypy does not read torch's types
    """A model whose output passes through one more function."""

    def __init__(self, model: nn.Module, last: Callable[..., torch.Tensor]) -> None:
        super().__init__()
        self.model, self._last = model, last

    def forward(self, *arguments: Any) -> torch.Tensor:
        """The output of the function."""
        return self._last(self.model(*arguments), -1)


def _through(last: Callable[..., torch.Tensor]) -> Change:
    return lambda one: _Through(one, last).train(one.training) if isinstance(one, nn.Module) else one


def _without_biases(one: Any) -> Any:
    if not isinstance(one, nn.Module):
        return one
    copied = copy.deepcopy(one)
    with torch.no_grad():
        for name, parameter in copied.named_parameters():
            if name.rpartition(".")[2] == "bias":
                parameter.zero_()
    return copied


CHANGES: tuple[tuple[str, str, str, Change], ...] = (
    ("int", "off by one", "`{}` one larger", _of(int, lambda one: one + 1)),
    ("int", "off by one", "`{}` one smaller", _of(int, lambda one: one - 1)),
    ("float", "a number squared", "`{}` squared", _of(float, lambda one: one * one)),
    ("float", "a number doubled", "`{}` doubled", _of(float, lambda one: 2 * one)),
    ("float", "a number halved", "`{}` halved", _of(float, lambda one: one / 2)),
    ("float", "a number left out", "`{} = 1`", _of(float, lambda one: 1.0)),
    ("float", "a number left out", "`{} = 0`", _of(float, lambda one: 0.0)),
    ("float", "the other sign", "`{}` with the other sign", _of(float, lambda one: -one)),
    ("int", "a number left out", "`{} = 1`", _of(int, lambda one: 1)),
    ("bool", "the other truth value", "the other value of `{}`", _of(bool, lambda one: not one)),
    ("Tensor", "used as a column", "`{}` as a column, of shape (n, 1)", _of_tensors([1], lambda one: one[:, None])),
    ("Tensor", "left out", "ones in the place of `{}`", _ones),
    ("Tensor", "negative entries left out", "`{}` with 0 for each negative entry", _positive_part),
    ("Tensor", "only the first row", "the first row of `{}` alone", _of_tensors(range(1, 9), lambda one: one[:1])),
    ("Tensor", "only the last row", "the last row of `{}` alone", _of_tensors(range(1, 9), lambda one: one[-1:])),
    ("list", "in reverse order", "`{}` in reverse order", _of(list, lambda one: one[::-1])),
    ("nn", "biases left out", "`{}` with biases of 0", _without_biases),
    ("nn", "probability for logit", "the softmax of what `{}` returns", _through(torch.softmax)),
    ("nn", "probability for logit", "the log_softmax of what `{}` returns", _through(torch.log_softmax)),
)
"""For which annotation, name, what the right answer is one for, and the change of one argument."""


def altered_arguments(right: Any, answer: Callable[[Any], Callable[..., Any]]) -> Iterator[Mistake]:
    """Yield the mistakes of a task.

    Args:
        right: what its published solution defines; a class has none.
        answer: from an implementation to a function from a case's inputs to the answer.
    """
    if not inspect.isfunction(right):
        return
    kinds = {name: _annotation(one) for name, one in inspect.signature(right).parameters.items()}
    names = list(kinds)

    def made(name: str, words: str, way: Callable[..., Any]) -> Mistake:
        mistake = Mistake(name, f"This is the right answer for {words}.").made_by(answer(way))
        mistake.where = EVERYWHERE
        return mistake

    for one, name in enumerate(names):
        for other in range(one + 1, len(names)):
            if kinds[name] != kinds[names[other]]:
                continue
            words = f"`{name}` and `{names[other]}` in each other's places"
            way = functools.partial(_exchanged, right, one, other)
            yield made(f"{name} and {names[other]} exchanged", words, way)
        for kind, what, words, change in CHANGES:
            if kinds[name] and not re.search(rf"\b{kind}\b", kinds[name]):
                continue  # it would be predicted at the price of an answer, and change nothing
            yield made(f"{name}: {what}", words.format(name), functools.partial(_changed, right, one, change))


def _annotation(parameter: inspect.Parameter) -> str:
    """Return a parameter's annotation; "" if it has none, and so may be anything."""
    return "" if parameter.annotation is parameter.empty else str(parameter.annotation)


def _exchanged(right: Callable[..., Any], one: int, other: int, *arguments: Any) -> Any:
    given = [*arguments]
    if other < len(given) and type(given[one]) is type(given[other]):
        given[one], given[other] = given[other], given[one]
    return right(*given)


def _changed(right: Callable[..., Any], at: int, change: Change, *arguments: Any, **named: Any) -> Any:
    given = [change(one) if at == place else one for place, one in enumerate(arguments)]
    result = right(*given, **named)
    if isinstance(result, dict | list | tuple) and not result:
        raise ValueError("what has no items says nothing about where it came from")
    return result
