"""Mistakes of retained_by_layer: which tensor a hook takes, when, under which name, and what is left behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.retain_grad.watched import Found, Watched, gradients
from autograder.references.replay import under
from autograder.references.retain_grad.layers import leaf_of

Loss = Callable[[torch.Tensor], torch.Tensor]


def _right(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> Found:
    watched = Watched(model, leaf_of(x)).remove()
    return gradients(loss_fn(watched.result), watched.outputs)


def _last_name(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> Found:
    """What ran last stands under the name that the loop ended with."""
    watched = Watched(model, leaf_of(x)).remove()
    (*_, ran_last) = watched.outputs
    found = gradients(loss_fn(watched.result), watched.outputs)
    return {[name for name, _ in model.named_children()][-1]: found[ran_last]}


def _in_a_row(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> Found:
    outputs, current = {}, leaf_of(x)
    try:
        for name, child in model.named_children():
            outputs[name] = current = child(current)
        return gradients(loss_fn(current), outputs)
    except RuntimeError as error:
        raise ValueError("no answer here: the children do not fit together in this order") from error


def _of_inputs(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> Found:
    watched = Watched(model, leaf_of(x)).remove()
    return gradients(loss_fn(watched.result), watched.inputs)


def _of_parameters(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> Found:
    loss_fn(model(leaf_of(x))).backward()
    first = {name: next(child.parameters(), None) for name, child in model.named_children()}
    return {name: None if parameter is None else parameter.grad for name, parameter in first.items()}


def _outputs_themselves(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> Found:
    return Watched(model, leaf_of(x)).remove().outputs


def _not_retained(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> Found:
    watched = Watched(model, leaf_of(x)).remove()
    loss_fn(watched.result).backward()
    return {name: output.grad for name, output in watched.outputs.items()}


def _of_the_output(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> Found:
    return _right(model, x, lambda output: output.sum())


def _numbered(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> Found:
    return {str(k): gradient for k, gradient in enumerate(_right(model, x, loss_fn).values())}


def _with_parameters_only(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> Found:
    found = _right(model, x, loss_fn)
    return {name: found[name] for name, child in model.named_children() if list(child.parameters())}


def _hooks_left(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> Found:
    watched = Watched(model, leaf_of(x))
    return gradients(loss_fn(watched.result), watched.outputs)


def _hooks_cleared(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> Found:
    found = _hooks_left(model, x, loss_fn)
    for child in model.children():
        child._forward_hooks.clear()
    return found


def _in_mode(training: bool) -> Callable[[nn.Module, torch.Tensor, Loss], Found]:
    return lambda model, x, loss_fn: _right(model.train(training), x, loss_fn)


def _on_the_callers(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> Found:
    x.requires_grad_(x.is_floating_point())
    watched = Watched(model, x).remove()
    for output in watched.outputs.values():
        output.retain_grad()
    loss_fn(watched.result).backward()
    return {name: output.grad for name, output in watched.outputs.items()}


def _mistake(name: str, sentence: str, implementation: Callable[..., Any]) -> Mistake:
    return Mistake(name, sentence, under("retained_by_layer", implementation))


NO_GRAPH_YET = (
    "A child's output requires no gradient: neither its input nor the child itself does. What would have to require "
    "one, so that there is something to retain?"
)
IN_A_ROW = (
    "The children were run one after the other, in the order of their names. What a model computes stands in its own "
    "`forward`; how can you listen while that runs?"
)
ANOTHER_MODE = (
    "The model was run, or left, in another mode than the one in which it came. Batch normalisation tells the two "
    "apart."
)

# An answer may hold more than asked for, so a mistake that leaves little in it comes after those that leave more.
RETAINED_BY_LAYER = (
    _mistake("children in a row", IN_A_ROW, _in_a_row),
    Mistake(
        "children in a row",
        IN_A_ROW,
        raises="RuntimeError: (mat1 and mat2 shapes cannot be multiplied|The size of tensor)",
    ),
    Mistake("nothing to retain yet", NO_GRAPH_YET, raises="can't retain_grad on Tensor that has requires_grad=False"),
    Mistake(
        "nothing to retain yet", NO_GRAPH_YET, raises="cannot register a hook on a tensor that doesn't require gradient"
    ),
    Mistake(
        "whole numbers as a leaf",
        "Whole numbers cannot require a gradient, and word numbers need not: the embedding's own weights do.",
        raises="RuntimeError: only Tensors of floating point (and complex )?dtype can require gradients",
    ),
    _mistake(
        "children without parameters left out",
        "A child without parameters is missing. Its output has a gradient like any other, as soon as something before "
        "it requires one.",
        _with_parameters_only,
    ),
    _mistake(
        "one name for all hooks",
        "One entry came back, under the last child's name. All hooks look up the loop's variable when they are "
        "called, and by then the loop is over.",
        _last_name,
    ),
    _mistake(
        "gradients of the inputs",
        "These are the gradients of what goes into each child. A hook is handed the input and the output; which of "
        "the two is asked for?",
        _of_inputs,
    ),
    _mistake(
        "gradients of the parameters",
        "These are gradients of the children's parameters. Asked for are those of their outputs, which have a row for "
        "each sample.",
        _of_parameters,
    ),
    _mistake("outputs themselves", "These are the children's outputs, not the gradients of them.", _outputs_themselves),
    _mistake(
        "outputs not retained",
        "The outputs are the right tensors, and their `.grad` is None: a child's output is an inner tensor. What has "
        "to be done with it, and before what?",
        _not_retained,
    ),
    _mistake(
        "loss left out",
        "These are the gradients of the model's output, added up. The loss stands behind it: `loss_fn(model(x))`.",
        _of_the_output,
    ),
    _mistake(
        "numbers for names",
        "The entries stand under numbers. `named_children()` tells each child's name.",
        _numbered,
    ),
    _mistake(
        "hooks left behind",
        "The gradients are right, and hooks are still on the model; they will run in everyone's later calls. What did "
        "each registration return?",
        _hooks_left,
    ),
    _mistake(
        "other people's hooks removed",
        "A hook that was on the model before is gone. Remove your own, each by its handle.",
        _hooks_cleared,
    ),
    _mistake("another mode", ANOTHER_MODE, _in_mode(False)),
    _mistake("another mode", ANOTHER_MODE, _in_mode(True)),
    _mistake(
        "the caller's input as leaf",
        "The caller's `x` requires a gradient now, or holds one. See lesson 03, “A leaf of your own”.",
        _on_the_callers,
    ),
)
