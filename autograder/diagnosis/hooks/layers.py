"""Mistakes of layer_gradients."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from autograder.diagnosis.hypothesis import Mistake
from autograder.references.replay import under

Loss = Callable[[torch.Tensor], torch.Tensor]
Seen = dict[str, tuple[torch.Tensor, torch.Tensor]]
Found = dict[torch.Tensor, torch.Tensor]


def _watched(model: nn.Module, x: torch.Tensor, loss_fn: Loss, insist: bool = True) -> tuple[Seen, Found]:
    """What each child got and returned, and the gradients of those tensors.

    Args:
        insist: the hooks go even where an error comes.
    """
    seen: Seen = {}

    def note(name: str, module: nn.Module, args: tuple, output: torch.Tensor) -> None:
        seen[name] = args[0], output

    handles = [child.register_forward_hook(functools.partial(note, name)) for name, child in model.named_children()]
    try:
        loss = loss_fn(model(x))
    except Exception:
        for handle in handles if insist else ():
            handle.remove()
        raise
    for handle in handles:
        handle.remove()
    return seen, _gradients(loss, [tensor for pair in seen.values() for tensor in pair])


def _gradients(loss: torch.Tensor, tensors: list[torch.Tensor]) -> Found:
    wanted = [tensor for tensor in tensors if tensor.requires_grad]
    return dict(zip(wanted, torch.autograd.grad(loss, wanted, allow_unused=True), strict=True))


def _right(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    seen, found = _watched(model, x, loss_fn)
    return {name: (found.get(given), found.get(output)) for name, (given, output) in seen.items()}


def _swapped(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    return {name: pair[::-1] for name, pair in _right(model, x, loss_fn).items()}


def _outputs_only(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, Any]:
    return {name: output for name, (_, output) in _right(model, x, loss_fn).items()}


def _from_the_neighbour(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    outputs = _outputs_only(model, x, loss_fn)
    before = None
    pairs = {}
    for name, _ in model.named_children():
        pairs[name] = before, outputs[name]
        before = outputs[name]
    return pairs


def _children_by_hand(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    h, seen = x, {}
    try:
        for name, child in model.named_children():
            output = child(h)
            seen[name] = h, output
            h = output
    except RuntimeError as error:  # the shapes do not fit: there is no answer
        raise ValueError("no answer") from error
    found = _gradients(loss_fn(h), [tensor for pair in seen.values() for tensor in pair])
    return {name: (found.get(given), found.get(output)) for name, (given, output) in seen.items()}


def _x_made_to_require_one(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    if x.is_floating_point():
        x = x.detach().requires_grad_()
    return _right(model, x, loss_fn)


def _zeros_for_none(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    seen, found = _watched(model, x, loss_fn)
    return {
        name: tuple(found.get(tensor, torch.zeros(tensor.shape, dtype=torch.float64)) for tensor in pair)
        for name, pair in seen.items()
    }


def _by_backward_hooks(register: str, late: bool = False, whole: bool = False) -> Callable:
    def layer_gradients(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
        pairs, children = {}, dict(model.named_children())

        def hook(name: str, module: nn.Module, grad_input: tuple, grad_output: tuple) -> None:
            pairs[name] = (grad_input, grad_output) if whole else (grad_input[0], grad_output[0])

        last = list(children)[-1]
        handles = [
            getattr(child, register)(functools.partial(hook, last if late else name))
            for name, child in children.items()
        ]
        try:
            loss_fn(model(x)).backward(inputs=[one for one in (x, *model.parameters()) if one.requires_grad])
        finally:
            for handle in handles:
                handle.remove()
        x.grad = None
        return pairs

    return layer_gradients


def _late_names(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    last = [name for name, _ in model.named_children()][-1]
    return {last: list(_right(model, x, loss_fn).values())[-1]}


def _hooks_stay(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    for _, child in model.named_children():
        child.register_forward_hook(lambda module, args, output: None)
    return _right(model, x, loss_fn)


def _hooks_stay_after_an_error(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> None:
    _watched(model, x, loss_fn, insist=False)


def _in_mode(training: bool) -> Callable:
    def layer_gradients(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
        return _right(model.train(training), x, loss_fn)

    return layer_gradients


def _there_and_back(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    training = model.training
    pairs = _right(model.eval(), x, loss_fn)
    model.train(training)
    return pairs


def _in_its_mode_and_then(training: bool) -> Callable:
    def layer_gradients(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
        pairs = _right(model, x, loss_fn)
        model.train(training)
        return pairs

    return layer_gradients


def _tuples(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    return {name: ((given,), (output,)) for name, (given, output) in _right(model, x, loss_fn).items()}


def _run_twice(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    model(x)
    return _right(model, x, loss_fn)


def _mistake(name: str, sentence: str, implementation: Any, raises: str = "") -> Mistake:
    return Mistake(name, sentence, under("layer_gradients", implementation), raises)


LATE = (
    "All gradients arrived under one name, that of the last child. When does a hook look up a variable of the loop: "
    "when it is defined, or when it runs?"
)
TUPLES = "Each gradient sits in a tuple, as backward hooks get them. The pair is to hold the tensors themselves."
ANOTHER_MODE = "The model was put into another mode. It is to run, and to be left, in the mode in which it was found."

LAYER_GRADIENTS = (
    _mistake(
        "input and output swapped",
        "In each pair the two gradients have changed places. First comes the gradient of what the child was given.",
        _swapped,
    ),
    _mistake("late binding", LATE, _late_names),
    _mistake("late binding", LATE, _by_backward_hooks("register_full_backward_hook", late=True)),
    _mistake(
        "a child left out",
        "A child is missing: the one whose backward hook never runs, because its output requires no gradient. Its "
        "name belongs into the dict too.",
        _by_backward_hooks("register_full_backward_hook"),
        raises="KeyError",
    ),
    _mistake(
        "children run by hand",
        "The children were called one after another. What the model does between them, and in which order it calls "
        "them, only its own forward knows.",
        _children_by_hand,
        raises="RuntimeError: mat1 and mat2 shapes cannot be multiplied",
    ),
    _mistake(
        "taken from the neighbour",
        "A child's input gradient is that of the output of the child before it in the list. Something may stand "
        "between the two, and the list need not be the order in which they run.",
        _from_the_neighbour,
    ),
    _mistake(
        "a gradient where nobody asked",
        "Since x was made to require a gradient, one appears where the model as given computes none.",
        _x_made_to_require_one,
    ),
    _mistake(
        "zeros instead of None",
        "Zeros stand where no gradient was computed. None says so; zero would be a gradient.",
        _zeros_for_none,
    ),
    _mistake(
        "outputs only",
        "Each child has one gradient where a pair is asked for: of what it was given, and of what it returned.",
        _outputs_only,
    ),
    _mistake(
        "another mode",
        ANOTHER_MODE,
        _in_mode(False),
    ),
    _mistake("another mode", ANOTHER_MODE, _in_mode(True)),
    _mistake("another mode", ANOTHER_MODE, _there_and_back),
    _mistake("another mode", ANOTHER_MODE, _in_its_mode_and_then(True)),
    _mistake("a tuple for each gradient", TUPLES, _tuples),
    _mistake("a tuple for each gradient", TUPLES, _by_backward_hooks("register_full_backward_hook", whole=True)),
    _mistake(
        "the model run twice",
        "The model ran more than once: BatchNorm's running mean has moved too often. One forward pass is enough.",
        _run_twice,
    ),
    _mistake(
        "hooks stay behind",
        "Hooks are still on the model after the call. Whoever registers a hook decides who removes it.",
        _hooks_stay,
    ),
    _mistake(
        "hooks stay after an error",
        "Where `loss_fn` raises, the hooks stay on the model. Which part of `try` runs in any case?",
        _hooks_stay_after_an_error,
    ),
    _mistake(
        "the old backward hook",
        "`register_backward_hook` reports what the module's last node got and gave, weights and bias among it. The "
        "full backward hook reports the module's own input and output.",
        _by_backward_hooks("register_backward_hook"),
    ),
)
