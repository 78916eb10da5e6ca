"""Mistakes of first_layer_inside."""

from __future__ import annotations

import contextlib
from typing import Any

import torch
from torch import nn

from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.jacobians.shared import as_found, matrix, mistakes_of, rows_mixed
from autograder.references.jacobians import first_output, leaf_of, rows

TASK = "first_layer_inside"
_mistake = mistakes_of(TASK)


def _right(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    leaf = leaf_of(x)
    return rows(first_output(model, leaf)[0], leaf)[:, 0]


def _of_the_output(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    leaf = leaf_of(x)
    return rows(model(leaf).reshape(-1), leaf)[:, 0]


def _without_clone(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    leaf, kept = leaf_of(x), []
    with model.first.register_forward_hook(lambda module, given, output: kept.append(output)):
        model(leaf)
    return rows(kept[0][0], leaf)[:, 0]


def _of_its_own_input(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    kept: list[tuple[torch.Tensor, torch.Tensor]] = []
    with model.first.register_forward_hook(lambda module, given, output: kept.append((given[0], output.clone()))):
        model(leaf_of(x))
    given, output = kept[0]
    return rows(output[0], given)[:, 0]


def _hook_left(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    found = _right(model, x)
    model.first.register_forward_hook(lambda module, given, output: None)
    return found


def _removed_unless_it_raises(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    handle = model.first.register_forward_hook(lambda module, given, output: None)
    found = _right(model, x)
    handle.remove()
    return found


def _all_hooks_removed(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    try:
        return _right(model, x)
    finally:
        model.first._forward_hooks.clear()


def _exception_kept(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    leaf, kept = leaf_of(x), []

    def keep(module: nn.Module, given: Any, output: torch.Tensor) -> None:
        kept.append(output.clone())

    with model.first.register_forward_hook(keep), contextlib.suppress(Exception):
        model(leaf)
    return rows(kept[0][0], leaf)[:, 0]


class _StoppedError(Exception):
    """Ends the run behind the first layer."""


def _stopped(model: nn.Module, x: torch.Tensor) -> torch.Tensor:
    leaf, kept = leaf_of(x), []

    def stop(module: nn.Module, given: Any, output: torch.Tensor) -> None:
        kept.append(output.clone())
        raise _StoppedError

    with model.first.register_forward_hook(stop), contextlib.suppress(_StoppedError):
        model(leaf)
    return rows(kept[0][0], leaf)[:, 0]


FIRST_LAYER_INSIDE = (
    *as_found(TASK, _right),
    *_mistake(
        "the model's output",
        "This is the Jacobian of the model's output. What is asked for is what `model.first` puts out on the way.",
        _of_the_output,
    ),
    *_mistake(
        "exception swallowed",
        "The model raised an exception, and the caller never heard of it. The hook is to be removed then too, and the "
        "exception goes on. What runs in either case, and catches nothing?",
        _exception_kept,
    ),
    *_mistake(
        "the layer called by itself",
        "This is the Jacobian of `model.first`, called on x by itself. Inside the model it may be given something "
        "else than x. See lesson 07, “The first layer inside a model”.",
        lambda model, x: matrix(model.first, x),
    ),
    *_mistake(
        "overwritten in place",
        "What was kept is no longer what `model.first` put out: the model went on to write into that tensor. When must "
        "a copy be made?",
        _without_clone,
    ),
    *_mistake(
        "with respect to the layer's own input",
        "This is the Jacobian with respect to what `model.first` was given. The input meant here is x, the model's.",
        _of_its_own_input,
    ),
    *_mistake(
        "hook left behind",
        "A hook stands on the model that was not there before. It must go when the run is over, and also when the "
        "model raises an exception.",
        _hook_left,
        _removed_unless_it_raises,
    ),
    *_mistake(
        "all hooks removed",
        "A hook of somebody else is gone. Remove your own with the handle that registering it returned.",
        _all_hooks_removed,
    ),
    *_mistake(
        "run cut short",
        "The numbers are right, but the model was not run to its end: what stands behind `model.first` was not called.",
        _stopped,
    ),
    *rows_mixed(TASK, _right),
    Mistake(
        "not a Sequential",
        "This model cannot be indexed or unpacked into layers. It has a child named `first`. See lesson 03, “Forward "
        "hooks on a model's layers”.",
        raises="TypeError: '\\w+' object is not (subscriptable|iterable)",
    ),
    Mistake(
        "nothing kept",
        "The list in which the hook keeps its output is empty. Forward hooks run when a module is called, as "
        "`model(x)`, after they were registered.",
        raises="IndexError: (list index out of range|pop from empty list)|KeyError|UnboundLocalError",
    ),
)
