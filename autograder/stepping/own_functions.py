"""What a custom Function's backward should pass on: by differences of its forward, where that can be called."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import torch

from autograder.references.numeric import gradient
from autograder.stepping.torch_pass import Gradients, GraphNode, leaf

MOST = 200
"""Numbers of the inputs together; each costs two calls of the forward."""
CLOSE = 1e-4
STEPS = (1e-5, 4e-5)

Forward = Callable[..., Any]


class UnknownError(Exception):
    """The Function cannot be judged; the message says why."""


def values(nodes: Sequence[GraphNode], tensors: Sequence[torch.Tensor]) -> dict[tuple[int, int], torch.Tensor]:
    """Return the known results of nodes, by node and number of the result: living tensors, leaves, saved ones."""
    index_of = {id(node): at for at, node in enumerate(nodes)}
    found = {(at, 0): one for at, node in enumerate(nodes) if (one := leaf(node)) is not None}
    saved = [one for node in nodes for one in _saved(node)]
    for tensor in (*saved, *tensors):
        if tensor.grad_fn is not None and id(tensor.grad_fn) in index_of:
            found[index_of[id(tensor.grad_fn)], tensor.output_nr] = tensor
    return {key: one.detach() for key, one in found.items()}


def _saved(node: GraphNode) -> list[torch.Tensor]:
    names = ["saved_tensors"] if is_own(node) else [name for name in dir(node) if name.startswith("_saved_")]
    found: list[torch.Tensor] = []
    for name in names:
        try:
            held = getattr(node, name)
        except Exception:  # freed, changed in place, or unpacked by a hook of the student's
            continue
        found += [one for one in (held if isinstance(held, (tuple, list)) else [held]) if isinstance(one, torch.Tensor)]
    return found


def is_own(node: GraphNode) -> bool:
    """Whether a node belongs to a custom Function."""
    return isinstance(node, torch.autograd.function.BackwardCFunction)


def name_of(node: GraphNode) -> str:
    """Return the Function's name."""
    return str(getattr(getattr(type(node), "_forward_cls", None), "__name__", type(node).__name__))


def right_of_function(node: Any, inputs: Sequence[torch.Tensor | None], upstream: Gradients) -> list[torch.Tensor]:
    """Return what the derivative of a Function's forward passes on, for each of its tensors.

    Args:
        node: the Function's node.
        inputs: the tensors that its forward was given; None for unknown ones.
        upstream: the gradient for each of its results.

    Raises:
        UnknownError: it cannot be told.
    """
    if any(one is None for one in inputs):
        raise UnknownError("what its forward was given is not kept anywhere")
    given = [one for one in inputs if one is not None]
    if not all(one.is_floating_point() for one in given) or sum(one.numel() for one in given) > MOST:
        raise UnknownError("its inputs are too many numbers, or no real ones, to move each of them")
    wide = [one.double() for one in given]
    forward = _forward(node, len(given))
    try:
        first, second = _results(forward, wide), _results(forward, wide)
        if len(first) != len(upstream) or any(
            one.shape != g.shape for one, g in zip(first, upstream, strict=True) if g is not None
        ):
            raise UnknownError("its forward, called again, returns something else")
        if any(not torch.equal(one, other) for one, other in zip(first, second, strict=True)):
            raise UnknownError("its forward gives other numbers when it is called again")
        return [_moved(forward, wide, at, upstream) for at in range(len(wide))]
    except UnknownError:
        raise
    except Exception as error:  # the student's forward, called in float64 and with its inputs moved
        raise UnknownError(f"its forward, called again, ended with {type(error).__name__}") from None


def _forward(node: Any, count: int) -> Forward:
    """Return the Function's forward as a function of its tensors alone; other arguments are found by their names."""
    function = getattr(type(node), "_forward_cls", None)
    if function is None:
        raise UnknownError("its class is not known")
    names = list(inspect.signature(function.forward).parameters.values())
    if function.setup_context is torch.autograd.function._SingleLevelFunction.setup_context:
        names = names[1:]  # ctx
    if any(one.kind not in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) for one in names):
        raise UnknownError("its forward takes any number of arguments")
    if len(names) == count:
        return lambda *tensors: function.apply(*tensors)
    held = vars(node)
    others = [at for at, one in enumerate(names) if one.name in held and not isinstance(held[one.name], torch.Tensor)]
    if len(names) - len(others) != count:
        raise UnknownError("its forward takes further arguments, which are not kept under their names in ctx")

    def call(*tensors: torch.Tensor) -> Any:
        rest = iter(tensors)
        return function.apply(*(held[one.name] if at in others else next(rest) for at, one in enumerate(names)))

    return call


def _results(forward: Forward, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    with torch.no_grad():
        found = forward(*(one.clone() for one in inputs))
    return [one.clone() for one in (found if isinstance(found, tuple) else (found,))]


def _moved(forward: Forward, inputs: Sequence[torch.Tensor], at: int, upstream: Gradients) -> torch.Tensor:
    def total(moved: torch.Tensor) -> torch.Tensor:
        found = _results(forward, [*inputs[:at], moved, *inputs[at + 1 :]])
        parts = [(one * g.double()).sum() for one, g in zip(found, upstream, strict=True) if g is not None]
        return torch.stack(parts).sum() if parts else torch.zeros((), dtype=torch.float64)

    one, other = (gradient(total, inputs[at], step=step) for step in STEPS)
    up = gradient(total, inputs[at] + 2 * STEPS[1], step=STEPS[1])
    down = gradient(total, inputs[at] - 2 * STEPS[1], step=STEPS[1])
    scale = 1e-3 + one.abs().max() if one.numel() else torch.zeros(())
    # Beside a kink or a step, the slopes on both sides differ, or one depends on how far the input is moved.
    if not bool(torch.isfinite(one).all()) or any(
        bool(((one - far).abs() > 1e-2 * scale).any()) for far in (other, up, down)
    ):
        raise UnknownError("its forward has a kink or a step here, or is not finite")
    return one
