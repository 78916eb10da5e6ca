"""Mistakes of attach_savers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.diagnosis.hooks.returned import RETURNED_OTHER
from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under

Named = dict[str, torch.Tensor]
Saver = Callable[[str, torch.Tensor, Named, torch.Tensor], Any]
"""From a name, its tensor, the dict and the arriving gradient to what the hook returns."""


def _attached(saver: Saver) -> Callable[[Named, Named], list]:
    def attach_savers(tensors: Named, grads: Named) -> list:
        return [
            tensor.register_hook(lambda gradient, name=name, tensor=tensor: saver(name, tensor, grads, gradient))
            for name, tensor in tensors.items()
        ]

    return attach_savers


def _under_the_last_name(tensors: Named, grads: Named) -> list:
    last = list(tensors)[-1]

    def save(gradient: torch.Tensor) -> None:
        grads[last] = gradient.clone()

    return [tensor.register_hook(save) for tensor in tensors.values()]


def _not_copied(name: str, tensor: torch.Tensor, grads: Named, gradient: torch.Tensor) -> None:
    grads[name] = gradient


def _only_detached(name: str, tensor: torch.Tensor, grads: Named, gradient: torch.Tensor) -> None:
    grads[name] = gradient.detach()


def _earlier_one_returned(name: str, tensor: torch.Tensor, grads: Named, gradient: torch.Tensor) -> torch.Tensor:
    return grads.setdefault(name, gradient.clone())


def _first_kept(name: str, tensor: torch.Tensor, grads: Named, gradient: torch.Tensor) -> None:
    grads.setdefault(name, gradient.clone())


def _added_up(name: str, tensor: torch.Tensor, grads: Named, gradient: torch.Tensor) -> None:
    grads[name] = grads.get(name, 0) + gradient


def _stored_one(name: str, tensor: torch.Tensor, grads: Named, gradient: torch.Tensor) -> None:
    grads[name] = tensor.grad


def _stored_one_copied(name: str, tensor: torch.Tensor, grads: Named, gradient: torch.Tensor) -> None:
    grads[name] = None if tensor.grad is None else tensor.grad.clone()


def _value(name: str, tensor: torch.Tensor, grads: Named, gradient: torch.Tensor) -> None:
    grads[name] = tensor.detach().clone()


def _written_over(name: str, tensor: torch.Tensor, grads: Named, gradient: torch.Tensor) -> None:
    if name in grads:
        grads[name].copy_(gradient)
    else:
        grads[name] = gradient.clone()


def _mistake(name: str, sentence: str, implementation: Any) -> Mistake:
    return Mistake(name, sentence, under("attach_savers", implementation))


SHARED = (
    "A saved gradient changed when another tensor was written into. What a hook receives may belong to others too; "
    "what is saved needs numbers of its own."
)


def _read_at_once(tensors: Named, grads: Named) -> list:
    for name, tensor in tensors.items():
        tensor.retain_grad()
        grads[name] = tensor.grad
    return [tensor.register_hook(lambda gradient: None) for tensor in tensors.values()]


STORED = (
    "A tensor hook runs before anything is added to `.grad`, and inner tensors store none. The gradient of this pass "
    "is what the hook is given."
)

ATTACH_SAVERS = (
    _mistake(
        "late binding",
        "All gradients arrived under one name, that of the last tensor. When does a hook look up a variable of the "
        "loop: when it is defined, or when it runs?",
        _under_the_last_name,
    ),
    _mistake(
        "shared storage",
        SHARED,
        _attached(_not_copied),
    ),
    _mistake("shared storage", SHARED, _attached(_only_detached)),
    _mistake(
        "a returned value changes the gradient",
        "In the second pass the gradients of the first went on to the leaves. What a hook returns replaces the "
        "gradient, and a lambda always returns something.",
        _attached(_earlier_one_returned),
    ),
    _mistake(
        "only the first pass kept",
        "After a second pass the gradients of the first are still there. Each pass is to overwrite.",
        _attached(_first_kept),
    ),
    _mistake(
        "added up from pass to pass",
        "After a second pass each entry is the sum of both, as `.grad` would be. A hook's own record of a pass "
        "replaces the one before.",
        _attached(_added_up),
    ),
    _mistake(".grad read inside the hook", STORED, _attached(_stored_one)),
    _mistake(".grad read inside the hook", STORED, _attached(_stored_one_copied)),
    _mistake(
        "values saved",
        "What was saved is each tensor's value. The gradient is what the hook is called with.",
        _attached(_value),
    ),
    _mistake(
        "an earlier copy overwritten",
        "The second pass wrote its numbers into the tensors of the first, so what the caller kept of the first has "
        "changed. Put a new copy into the dict each time.",
        _attached(_written_over),
    ),
    _mistake(
        "read before the pass",
        "What stands in `grads` was put there when your function was called, and no pass had run yet. What is to "
        "happen in a pass belongs in a hook.",
        _read_at_once,
    ),
    _mistake(
        "nothing saved",
        "Nothing arrived in the caller's dict. Are the hooks still registered when the pass runs, and do they write "
        "into `grads` itself?",
        lambda tensors, grads: [tensor.register_hook(lambda gradient: None) for tensor in tensors.values()],
    ),
    Mistake(
        "the hook not returned",
        "`backward()` found None where a hook should be. Does the function that makes hooks return the one it made?",
        raises="TypeError: 'NoneType' object is not callable",
    ),
    Mistake(
        "handles lost",
        "The caller cannot remove the hooks: a handle for each tensor is to come back, in the order of `tensors`.",
        raises="TypeError: 'NoneType' object is not (subscriptable|iterable)|IndexError: list index|KeyError: [01]"
        "|'(NoneType|Tensor|function)' object has no attribute 'remove'",
    ),
    RETURNED_OTHER,
    Mistake(
        "a hook for leaves only",
        "Post-accumulate-grad hooks exist on leaves. Which hook can any tensor have that requires a gradient?",
        raises="post accumulate grad hooks cannot be registered on non-leaf",
    ),
)
