"""Mistakes of retained: what is missing from `.grad`, and what lies there too often."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import torch

from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under

Tensors = dict[str, torch.Tensor]


def _forward(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> tuple[Tensors, torch.Tensor]:
    u = x * w
    v = u + b
    return {"x": x, "w": w, "b": b, "u": u, "v": v}, torch.relu(v)


def _leaves(*numbers: float) -> list[torch.Tensor]:
    return [torch.tensor(number, dtype=torch.float64, requires_grad=True) for number in numbers]


def _retain(tensors: Tensors, names: Iterable[str]) -> None:
    for name in names:
        tensors[name].retain_grad()


def _only(*names: str) -> Callable[..., Tensors]:
    def retained(x: float, w: float, b: float) -> Tensors:
        tensors, a = _forward(*_leaves(x, w, b))
        _retain(tensors, names)
        a.backward()
        return tensors

    return retained


def _passes(count: int) -> Callable[..., Tensors]:
    def retained(x: float, w: float, b: float) -> Tensors:
        tensors, a = _forward(*_leaves(x, w, b))
        _retain(tensors, "uv")
        for _ in range(count):
            a.backward(retain_graph=True)
        return tensors

    return retained


def _a_pass_for_each(x: float, w: float, b: float) -> Tensors:
    tensors, a = _forward(*_leaves(x, w, b))
    for name in tensors:
        _retain(tensors, name)
        a.backward(retain_graph=True)
    return tensors


def _without_backward(names: str) -> Callable[..., Tensors]:
    def retained(x: float, w: float, b: float) -> Tensors:
        tensors, _ = _forward(*_leaves(x, w, b))
        _retain(tensors, names)
        return tensors

    return retained


def _on_copies(x: float, w: float, b: float) -> Tensors:
    tensors, a = _forward(*_leaves(x, w, b))
    tensors |= {name: tensors[name].clone() for name in "uv"}
    _retain(tensors, "uv")
    a.backward()
    return tensors


def _converted_leaves(x: float, w: float, b: float) -> Tensors:
    tensors, a = _forward(*(leaf * 1.0 for leaf in _leaves(x, w, b)))
    _retain(tensors, "uv")
    a.backward()
    return tensors


def _x_as_data(x: float, w: float, b: float) -> Tensors:
    tensors, a = _forward(torch.tensor(x, dtype=torch.float64), *_leaves(w, b))
    _retain(tensors, "uv")
    a.backward()
    return tensors


def _gradients(x: float, w: float, b: float) -> Tensors:
    tensors, a = _forward(*_leaves(x, w, b))
    _retain(tensors, "uv")
    a.backward()
    return {name: tensor.grad for name, tensor in tensors.items()}


def _mistake(name: str, sentence: str, implementation: Callable[..., Tensors]) -> Mistake:
    return Mistake(name, sentence, under("retained", implementation))


MORE_THAN_ONE_PASS = "More than one pass has left its deposit here. `.grad` adds up; one backward pass serves all five."
NO_PASS = (
    "Nothing has arrived in any `.grad`. Has a backward pass run at all, and are `x`, `w` and `b` leaves? Numbers that "
    "are taken out of a larger tensor are not."
)
ONE_OF_TWO = "One of the two inner tensors holds its gradient. The other was never asked to keep it."

RETAINED = (
    _mistake("only u retained", ONE_OF_TWO, _only("u")),
    _mistake("only v retained", ONE_OF_TWO, _only("v")),
    _mistake(
        "retained on a copy",
        "The tensor in the dict was asked to keep its gradient, and the way to the output does not lead through it: "
        "it is a copy. Which tensor did the graph go on with?",
        _on_copies,
    ),
    *(_mistake("more than one pass", MORE_THAN_ONE_PASS, _passes(count)) for count in (2, 3, 5)),
    _mistake("more than one pass", MORE_THAN_ONE_PASS, _a_pass_for_each),
    _mistake("no backward pass", NO_PASS, _without_backward("uv")),
    _mistake("no backward pass", NO_PASS, _without_backward("")),
    _mistake(
        "leaves that are none",
        "`x`, `w` and `b` hold no gradient, for something was computed on the way from the leaf: a conversion or a "
        "product makes an inner tensor. See lesson 03, “Leaves, inner tensors and parameters”.",
        _converted_leaves,
    ),
    _mistake(
        "x takes no part",
        "`x.grad` is None: `x` is plain data here. It is one of the five that are asked for.",
        _x_as_data,
    ),
    _mistake(
        "gradients instead of tensors",
        "The dict holds the gradients. It should hold the tensors, each with its gradient in its own `.grad`.",
        _gradients,
    ),
    Mistake(
        "retained without requires_grad",
        "`retain_grad()` was called on a tensor that requires no gradient: nothing upstream of it does. How did the "
        "leaves come about?",
        raises="RuntimeError: can't retain_grad on Tensor that has requires_grad=False",
    ),
)
