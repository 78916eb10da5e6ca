"""Wrong ways to layer_gradients: each is what a student with that mistake would have written."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

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


def swapped(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    """Output before input."""
    return {name: pair[::-1] for name, pair in _right(model, x, loss_fn).items()}


def outputs_only(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, Any]:
    """One gradient where a pair is asked for."""
    return {name: output for name, (_, output) in _right(model, x, loss_fn).items()}


def from_the_neighbour(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    """A child's input gradient is the output gradient of the child before it in the list."""
    outputs = outputs_only(model, x, loss_fn)
    before = None
    pairs = {}
    for name, _ in model.named_children():
        pairs[name] = before, outputs[name]
        before = outputs[name]
    return pairs


def children_by_hand(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    """One child after the other, without the model's own forward.

    Raises:
        ValueError: where the shapes do not fit.
    """
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


def x_made_to_require_one(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    """With a gradient for x, wanted or not."""
    if x.is_floating_point():
        x = x.detach().requires_grad_()
    return _right(model, x, loss_fn)


def zeros_for_none(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    """Zeros where no gradient was computed."""
    seen, found = _watched(model, x, loss_fn)
    return {
        name: tuple(found.get(tensor, torch.zeros(tensor.shape, dtype=torch.float64)) for tensor in pair)
        for name, pair in seen.items()
    }


def by_backward_hooks(register: str, late: bool = False, whole: bool = False) -> Callable:
    """From backward hooks, with entries for those that ran.

    Args:
        register: the method that registers them.
        late: all under the last child's name.
        whole: the hooks' tuples as they come.
    """

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


def late_names(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    """What the last child to run leaves, under the last name."""
    last = [name for name, _ in model.named_children()][-1]
    return {last: list(_right(model, x, loss_fn).values())[-1]}


def hooks_stay(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    """With a hook on each child that nobody removes."""
    for _, child in model.named_children():
        child.register_forward_hook(lambda module, args, output: None)
    return _right(model, x, loss_fn)


def hooks_stay_after_an_error(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> None:
    """Hooks removed where all goes well."""
    _watched(model, x, loss_fn, insist=False)


def in_mode(training: bool) -> Callable:
    """In another mode, and left in it."""

    def layer_gradients(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
        return _right(model.train(training), x, loss_fn)

    return layer_gradients


def there_and_back(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    """In evaluation, and then every module in the model's own mode."""
    training = model.training
    pairs = _right(model.eval(), x, loss_fn)
    model.train(training)
    return pairs


def in_its_mode_and_then(training: bool) -> Callable:
    """In the right mode, and left in another."""

    def layer_gradients(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
        pairs = _right(model, x, loss_fn)
        model.train(training)
        return pairs

    return layer_gradients


def tuples(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    """Each gradient in a tuple of one."""
    return {name: ((given,), (output,)) for name, (given, output) in _right(model, x, loss_fn).items()}


def run_twice(model: nn.Module, x: torch.Tensor, loss_fn: Loss) -> dict[str, tuple]:
    """One run of the model too many."""
    model(x)
    return _right(model, x, loss_fn)
