"""Mistakes of clip_on_the_way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.diagnosis.hooks.returned import RETURNED_OTHER
from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under

Hook = Callable[[torch.Tensor, float], torch.Tensor | None]


def _hooked(hook: Hook) -> Callable[[torch.Tensor, float], Any]:
    return lambda t, max_norm: t.register_hook(lambda gradient: hook(gradient, max_norm))


def _by_length(length: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[torch.Tensor, float], Any]:
    """Clipping with another length than the Euclidean one of the whole tensor."""
    return _hooked(lambda gradient, max_norm: gradient / (length(gradient) / max_norm).clamp(min=1))


def _in_place(gradient: torch.Tensor, max_norm: float) -> None:
    if gradient.norm() > max_norm:
        gradient.mul_(max_norm / gradient.norm())


def _after_accumulation(t: torch.Tensor, max_norm: float) -> Any:
    if not t.is_leaf:
        return _by_length(torch.Tensor.norm)(t, max_norm)

    def clip(leaf: torch.Tensor) -> None:
        leaf.grad = leaf.grad / (leaf.grad.norm() / max_norm).clamp(min=1)

    return t.register_post_accumulate_grad_hook(clip)


def _once(t: torch.Tensor, max_norm: float) -> Any:
    def clip(gradient: torch.Tensor) -> torch.Tensor:
        handle.remove()
        return gradient / (gradient.norm() / max_norm).clamp(min=1)

    handle = t.register_hook(clip)
    return handle


def _mistake(name: str, sentence: str, implementation: Any) -> Mistake:
    return Mistake(name, sentence, under("clip_on_the_way", implementation))


ANOTHER_LENGTH = (
    "The gradient keeps its direction and has the wrong length. The Euclidean norm is the root of the sum of all "
    "squares."
)
ALWAYS_SCALED = (
    "Gradients that were short enough were scaled too. Those that fit, and zero, which has no direction, are to "
    "pass as they are."
)

CLIP_ON_THE_WAY = (
    _mistake(
        "clipped by value",
        "Each element was cut off for itself, which turns the gradient into another direction. One factor is needed "
        "for the whole tensor.",
        _hooked(lambda gradient, max_norm: gradient.clamp(-max_norm, max_norm)),
    ),
    _mistake(
        "changed in place",
        "A neighbour's gradient shrank as well. What a hook receives may belong to other tensors too, so nothing may "
        "be written into it.",
        _hooked(_in_place),
    ),
    _mistake(
        "clipped after accumulation",
        "What `.grad` held from an earlier pass was clipped too. Only the gradient that arrives is to be scaled, "
        "before it is added.",
        _after_accumulation,
    ),
    _mistake(
        "always scaled to max_norm",
        ALWAYS_SCALED,
        _hooked(lambda gradient, max_norm: gradient / gradient.norm() * max_norm),
    ),
    _mistake(
        "always scaled to max_norm",
        ALWAYS_SCALED,
        _hooked(lambda gradient, max_norm: gradient / gradient.norm().clamp(min=1e-12) * max_norm),
    ),
    _mistake(
        "each row for itself",
        "Each row got a factor of its own. The length is that of the whole tensor.",
        _by_length(lambda gradient: gradient.norm(dim=-1, keepdim=True)),
    ),
    _mistake("another length", ANOTHER_LENGTH, _by_length(lambda gradient: (gradient**2).sum())),
    _mistake("another length", ANOTHER_LENGTH, _by_length(lambda gradient: gradient.abs().sum())),
    _mistake("another length", ANOTHER_LENGTH, _by_length(lambda gradient: gradient.abs().max())),
    _mistake("another length", ANOTHER_LENGTH, _by_length(lambda gradient: (gradient**2).mean() ** 0.5)),
    _mistake(
        "brought to length 1",
        "A gradient that is too long is to have the length `max_norm` afterwards, and this one has the length 1.",
        _hooked(lambda gradient, max_norm: gradient / gradient.norm() if gradient.norm() > max_norm else gradient),
    ),
    _mistake(
        "max_norm as the factor",
        "The gradient was multiplied by `max_norm`. Which factor makes its length `max_norm`?",
        _hooked(lambda gradient, max_norm: gradient * max_norm if gradient.norm() > max_norm else gradient),
    ),
    _mistake(
        "long gradients made zero",
        "A gradient that is too long became 0. It is to keep its direction.",
        _hooked(lambda gradient, max_norm: gradient * 0 if gradient.norm() > max_norm else gradient),
    ),
    _mistake(
        "nothing returned",
        "The gradient passed as it came. A new tensor that a hook makes reaches nobody unless the hook returns it.",
        _hooked(lambda gradient, max_norm: None),
    ),
    _mistake(
        "only the first pass",
        "The first pass is clipped and the second is not. The hook stays until the caller removes it.",
        _once,
    ),
    Mistake(
        "handle not returned",
        "The caller cannot remove the hook, because its handle did not come back.",
        raises="'(NoneType|Tensor|function)' object has no attribute 'remove'",
    ),
    RETURNED_OTHER,
    Mistake(
        "a hook for leaves only",
        "Post-accumulate-grad hooks exist on leaves, and `t` may be any tensor. Besides, they come after the sum.",
        raises="post accumulate grad hooks cannot be registered on non-leaf",
    ),
)
