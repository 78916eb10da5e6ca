"""Step through a backward pass of one's own: the real numbers, node by node, beside the right ones."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from autograder.stepping.show import Stepper
from autograder.surroundings import at_desk

__all__ = ["Stepper", "step_through"]


def step_through(
    output: Any,
    *,
    names: Mapping[str, object] | None = None,
    backward: Callable[[], object] | None = None,
    gradient: object = None,
) -> Stepper | None:
    """Run your backward pass once, watched, and show it node by node beside the right one.

    It opens at the first number that differs and says in a sentence what differs there. Your code runs as it is, from
    gradients of zero; afterwards the nodes' gradients and other attributes are what they were before. Hooks run once
    more, except those after accumulation, which come when the pass is over.

    Args:
        output: a node of your own scalar engine, an object with `.data`, `.grad` and its parents in some attribute; or
            a torch tensor with an autograd graph that has not been freed.
        names: a node or tensor for each name; your variables by default.
        backward: your backward pass, if it is not `output.backward()`: `lambda: sweep(order(y))`.
        gradient: for a tensor of several numbers, the gradient that its backward pass starts with.

    Returns:
        What Jupyter displays and `print` writes; its `sweep` holds the steps as data. None where a notebook is graded.

    Raises:
        TypeError: `output` is neither, or has no backward pass.
    """
    if not at_desk("step_through"):
        return None
    if names is None:
        caller = sys._getframe(1)
        names = {**caller.f_globals, **caller.f_locals}
        names = {name: value for name, value in names.items() if not name.startswith("_")}  # as IPython's are
    elif not isinstance(names, Mapping):
        raise TypeError(f"step_through(names=...) takes a dict with names as keys, not {type(names).__name__}")
    names = {name: value for name, value in names.items() if type(name) is str}
    torch = sys.modules.get("torch")
    if torch is not None and issubclass(type(output), torch.Tensor):
        from autograder.stepping.torch_graph import tensor_sweep

        return Stepper(tensor_sweep(output, names, gradient))
    from autograder.stepping.own_engine import engine_sweep

    return Stepper(engine_sweep(output, names, backward))
