"""Counters: what numbers do not show. For students too: `from autograder import counters`.

Each counts one thing while code runs: backward nodes, backward passes, runs of forward mode, calls of a
function or model, operations and the largest tensor that they make, tensors that graphs keep, hooks.
"""

from __future__ import annotations

import contextlib
import functools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from autograder.probes.kept_tensors import tensors_kept as tensors_kept


def backward_nodes(*outputs: torch.Tensor) -> list[Any]:
    """The nodes of the backward graph behind some tensors, each once; AccumulateGrad nodes too.

    Raises:
        TypeError: for what is no tensor.
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
def nodes_run(*outputs: torch.Tensor) -> Iterator[Counter]:
    """Count how often backward nodes of these tensors' graph run inside the block.

    Yields:
        A Counter from the names of nodes ("ReluBackward0") to runs; its `total()` is the sum.
    """
    runs: Counter = Counter()
    handles = [
        node.register_prehook(functools.partial(_note, runs, node.name().split("::")[-1]))
        for node in backward_nodes(*outputs)
    ]
    try:
        yield runs
    finally:
        for handle in handles:
            handle.remove()


def _note(runs: Counter, name: str, gradients: Any) -> None:
    runs[name] += 1


@contextlib.contextmanager
def passes_run() -> Iterator[list[str]]:
    """Note each backward pass that starts inside the block, whichever graph it runs through.

    Yields:
        A list with one entry a pass; its length is the count.
    """
    passes: list[str] = []
    engine = torch.autograd.graph._engine_run_backward

    @functools.wraps(engine)
    def noting(*args: Any, **kwargs: Any) -> Any:
        passes.append("pass")
        return engine(*args, **kwargs)

    with (
        mock.patch.object(torch.autograd, "_engine_run_backward", noting),
        mock.patch.object(torch.autograd.graph, "_engine_run_backward", noting),
    ):
        yield passes


@contextlib.contextmanager
def duals_run() -> Iterator[list[str]]:
    """Note each run of forward mode that starts inside the block, by `torch.func` or by `forward_ad`.

    Yields:
        A list with one entry a run; its length is the count.
    """
    runs: list[str] = []
    enter = torch.autograd.forward_ad.enter_dual_level

    @functools.wraps(enter)
    def noting() -> int:
        runs.append("run")
        return enter()

    with mock.patch.object(torch.autograd.forward_ad, "enter_dual_level", noting):
        yield runs


def counted(function: Callable) -> Any:
    """The same function, or the same model, with a list `calls` of the shapes that it was called with.

    Args:
        function: a function of tensors, or an nn.Module, which stays the same object.

    Raises:
        TypeError: for what cannot be called.
    """
    if not callable(function):
        raise TypeError(f"counted() takes a function or a model, not {type(function).__name__}")
    calls: list[tuple[int, ...]] = []

    def note(arguments: tuple) -> None:
        calls.append(tuple(arguments[0].shape) if arguments and hasattr(arguments[0], "shape") else ())

    if isinstance(function, nn.Module):
        kind = type(function)

        class Counted(kind):
            """The model's own class, noting."""

            def forward(self, *args: Any, **kwargs: Any) -> Any:
                note(args)
                return kind.forward(self, *args, **kwargs)

        Counted.__name__ = kind.__name__
        Counted.calls = calls
        function.__class__ = Counted
        return function

    @functools.wraps(function)
    def noting(*args: Any, **kwargs: Any) -> Any:
        note(args)
        return function(*args, **kwargs)

    noting.calls = calls
    return noting


MATRIX_PRODUCTS = ("mm", "bmm", "mv", "dot", "addmm", "baddbmm", "addmv", "matmul")


class operations_run(TorchDispatchMode):  # noqa: N801  (used like the other counters)
    """Counts operations, forward and backward, inside a `with` block.

    Attributes:
        counts: name of an operation ("mm", "convolution_backward") to runs.
        largest: the number of elements of the largest tensor that one of them made.
    """

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter = Counter()
        self.largest = 0

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """torch's own question; to answer yes would import 800 modules for a compiler that nobody uses here."""
        return False

    @property
    def products(self) -> int:
        """How many of the operations were matrix products, of single matrices or of batches."""
        return sum(self.counts[name] for name in MATRIX_PRODUCTS)

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        made = func(*args, **(kwargs or {}))
        self.counts[func.overloadpacket.__name__] += 1
        for one in made if isinstance(made, tuple | list) else (made,):
            if isinstance(one, torch.Tensor):
                self.largest = max(self.largest, one.numel())
        return made


def hooks_on(*things: torch.Tensor | nn.Module | torch.autograd.graph.Node) -> int:
    """How many hooks stand on these tensors, on these models' modules and parameters, on these backward nodes."""
    count = 0
    for thing in things:
        if isinstance(thing, nn.Module):
            kinds = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
            count += sum(len(getattr(module, kind)) for module in thing.modules() for kind in kinds)
            count += hooks_on(*thing.parameters())
        elif isinstance(thing, torch.autograd.graph.Node):
            # Only a handle knows the others: two more hooks are registered for a moment.
            handles = thing.register_prehook(_nothing), thing.register_hook(_nothing)
            count += sum(len(handle.hooks_dict_ref()) - 1 for handle in handles)
            for handle in handles:
                handle.remove()
        else:
            kinds = ("_backward_hooks", "_post_accumulate_grad_hooks")
            count += sum(len(getattr(thing, kind) or ()) for kind in kinds)
    return count


def _nothing(*gradients: Any) -> None:
    """A hook that only stands there."""
