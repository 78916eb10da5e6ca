"""Counters of what the numbers do not show. For students too: `from autograder import counters`.

Each counts one thing while code runs: backward nodes, backward passes, runs of forward mode, calls of a
function or model, operations and the largest tensor that they make, saved tensors, hooks.
"""

from __future__ import annotations

import contextlib
import functools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from autograder.probes.saved_tensors import tensors_kept as tensors_kept
from autograder.replacing import replaced


def backward_nodes(*outputs: torch.Tensor) -> list[Any]:
    """Return each node of the backward graph that produced some tensors once, AccumulateGrad nodes included.

    Raises:
        TypeError: if an argument is not a tensor.
    """
    if strange := [output for output in outputs if not isinstance(output, torch.Tensor)]:
        raise TypeError(f"backward nodes belong to tensors, and this is of type {type(strange[0]).__name__}")
    found: dict[Any, None] = {}
    waiting = [output.grad_fn for output in outputs if output.grad_fn is not None]
    while waiting:
        node = waiting.pop()
        if node not in found:
            found[node] = None
            waiting += [following for following, _ in node.next_functions if following is not None]
    return list(found)


@contextlib.contextmanager
def nodes_run(*outputs: torch.Tensor) -> Iterator[Counter[str]]:
    """Count how often the backward nodes of these tensors' graph run inside the block.

    Yields:
        A Counter from node names ("ReluBackward0") to numbers of runs; its `total()` is their sum.
    """
    runs: Counter[str] = Counter()
    handles = [
        node.register_prehook(functools.partial(_note, runs, node.name().split("::")[-1]))
        for node in backward_nodes(*outputs)
    ]
    try:
        yield runs
    finally:
        for handle in handles:
            handle.remove()


def _note(runs: Counter[str], name: str, gradients: Any) -> None:
    runs[name] += 1


@contextlib.contextmanager
def passes_run() -> Iterator[list[str]]:
    """Count the backward passes that start inside the block, through any graph.

    Yields:
        A list with one entry per pass.
    """
    passes: list[str] = []
    engine = torch.autograd.graph._engine_run_backward

    @functools.wraps(engine)
    def noting(*args: Any, **kwargs: Any) -> Any:
        passes.append("pass")
        return engine(*args, **kwargs)

    with (
        replaced(torch.autograd, "_engine_run_backward", noting),
        replaced(torch.autograd.graph, "_engine_run_backward", noting),
    ):
        yield passes


@contextlib.contextmanager
def duals_run() -> Iterator[list[str]]:
    """Count the forward-mode runs that start inside the block, through `torch.func` or `forward_ad`.

    Yields:
        A list with one entry per run.
    """
    runs: list[str] = []
    enter = torch.autograd.forward_ad.enter_dual_level

    @functools.wraps(enter)
    def noting() -> Any:
        runs.append("run")
        return enter()

    with replaced(torch.autograd.forward_ad, "enter_dual_level", noting):
        yield runs


def counted(function: Callable[..., Any]) -> Any:
    """Return the function or model with a list `calls` that gets the shape of the first argument of each call.

    Args:
        function: a function of tensors, which is wrapped, or an nn.Module, which stays the same object.

    Raises:
        TypeError: if it is not callable.
    """
    if not callable(function):
        raise TypeError(f"counted() takes a function or a model, not {type(function).__name__}")
    calls: list[tuple[int, ...]] = []

    def note(arguments: tuple[Any, ...]) -> None:
        calls.append(tuple(arguments[0].shape) if arguments and hasattr(arguments[0], "shape") else ())

    if isinstance(function, nn.Module):
        kind = type(function)

        def forward(self: nn.Module, *args: Any, **kwargs: Any) -> Any:
            note(args)
            return kind.forward(self, *args, **kwargs)

        function.__class__ = type(kind.__name__, (kind,), {"forward": forward, "calls": calls})
        return function

    def noting(*args: Any, **kwargs: Any) -> Any:
        note(args)
        return function(*args, **kwargs)

    wrapped: Any = functools.wraps(function)(noting)
    wrapped.calls = calls
    return wrapped


MATRIX_PRODUCTS = ("mm", "bmm", "mv", "dot", "addmm", "baddbmm", "addmv", "matmul")


class operations_run(TorchDispatchMode):  # type: ignore[misc]  # noqa: N801  (torch is Any; named like the others)
    """Counter of the operations, forward and backward, that run inside a `with` block.

    Attributes:
        counts: a Counter from operation names ("mm", "convolution_backward") to numbers of runs.
        largest: elements of the largest tensor that one of them made.
    """

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()
        self.largest = 0

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Return False when torch asks, because True makes it import 800 modules for an unused compiler."""
        return False

    @property
    def products(self) -> int:
        """The number of operations that were matrix products, single or batched."""
        return sum(self.counts[name] for name in MATRIX_PRODUCTS)

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        made = func(*args, **(kwargs or {}))
        self.counts[func.overloadpacket.__name__] += 1
        for one in made if isinstance(made, tuple | list) else (made,):
            if isinstance(one, torch.Tensor):
                self.largest = max(self.largest, one.numel())
        return made


MODULE_HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
TENSOR_HOOKS = ("_backward_hooks", "_post_accumulate_grad_hooks")


def hooks_on(*things: torch.Tensor | nn.Module | torch.autograd.graph.Node) -> int:
    """Count the hooks registered on these tensors, models (with their modules and parameters) and backward nodes."""
    count = 0
    for thing in things:
        if isinstance(thing, nn.Module):
            count += sum(len(getattr(module, kind)) for module in thing.modules() for kind in MODULE_HOOKS)
            count += hooks_on(*thing.parameters())
        elif isinstance(thing, torch.autograd.graph.Node):
            # Only a handle gives access to a node's hooks, so register two more for a moment.
            handles = thing.register_prehook(_nothing), thing.register_hook(_nothing)
            count += sum(len(handle.hooks_dict_ref()) - 1 for handle in handles)
            for handle in handles:
                handle.remove()
        else:
            count += sum(len(getattr(thing, kind) or ()) for kind in TENSOR_HOOKS)
    return count


def _nothing(*gradients: Any) -> None:
    """Do nothing, as a hook that is only registered to get a handle."""
