"""A second source for tasks on hooks: backward passes whose gradients are finite differences."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

import torch

from autograder.checks.draws.numbers import tensor_text
from autograder.diagnosis import Mistake
from autograder.probes.known_state import known_state
from autograder.probes.programs import Program
from autograder.references.replay import Replay

Node = torch.autograd.graph.Node


def node_of(tensor: torch.Tensor) -> Node:
    """Return the node that made a tensor; of a leaf, its AccumulateGrad node."""
    return torch.autograd.graph.get_gradient_edge(tensor).node


def reached_from(output: torch.Tensor) -> dict[Node, list[Node]]:
    """Return every node of a tensor's graph with the nodes that send it their gradients."""
    start = node_of(output)
    givers: dict[Node, list[Node]] = {start: []}
    waiting = [start]
    while waiting:
        node = waiting.pop()
        for following, _ in node.next_functions:
            if following is not None:
                if following not in givers:
                    waiting.append(following)
                givers.setdefault(following, []).append(node)
    return givers


def executed(output: torch.Tensor, ends: Iterable[torch.Tensor] | None, accumulating: bool) -> set[Node]:
    """Return the nodes that a backward pass executes: those that lead to one of its ends.

    Args:
        output: where the pass starts.
        ends: where the pass ends; None for every leaf.
        accumulating: whether the gradients of the ends are added to `.grad`, not returned.
    """
    givers = reached_from(output)
    if ends is None:
        return set(givers)
    at_ends = {node_of(end) for end in ends} & set(givers)
    found = set(at_ends) if accumulating else set()
    waiting = list(at_ends)
    while waiting:
        new = set(givers[waiting.pop()]) - found
        found |= new
        waiting += new
    return found


Gradient = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]
"""From an output, a tensor and an upstream gradient to the gradient of sum(upstream * output)."""


@dataclasses.dataclass(eq=False)
class Listener:
    """A callback for a tensor's gradient, which stands in for a hook and its handle.

    Attributes:
        tensor: the tensor.
        told: called with the gradient in each pass that computes it; a result other than None replaces the gradient
            for all tensors before this one.
        consumes: whether nothing is added to the tensor's `.grad`.
        removed: whether the callback is no longer called.
    """

    tensor: torch.Tensor
    told: Callable[[torch.Tensor], torch.Tensor | None]
    consumes: bool = False
    removed: bool = False

    def remove(self) -> None:
        """Stop calling it, as a handle's `remove` does."""
        self.removed = True


class NoHandles:
    """A stand-in for a handle, or an empty list of handles, in replayed lines, which set no hooks."""

    def remove(self) -> None:
        """Do nothing: there is no hook to remove."""

    def __getitem__(self, index: int) -> NoHandles:
        return self

    def __iter__(self) -> Iterator[NoHandles]:
        return iter(())


class DifferencedPasses:
    """A `with` block in which torch's backward passes compute finite differences and call listeners, not hooks.

    Args:
        gradient: computes a gradient by differences.
        leaves: returns the leaves whose `.grad` a backward pass may fill.
    """

    def __init__(self, gradient: Gradient, leaves: Callable[[], Iterable[torch.Tensor]]) -> None:
        self.gradient, self.leaves = gradient, leaves
        self.listeners: list[Listener] = []
        self._busy = False

    def listen(self, tensor: torch.Tensor, told: Callable, consumes: bool = False) -> Listener:
        """Call `told` with a tensor's gradients from now on.

        Of two listeners that replace gradients, neither tensor may be computed from the other; it may be the same.
        """
        self.listeners.append(Listener(tensor, told, consumes))
        return self.listeners[-1]

    def backward(self, output: torch.Tensor, upstream: torch.Tensor | None = None, **options: Any) -> None:
        """Fill `.grad` of every leaf that the output was computed from, as `Tensor.backward` does."""
        if self._busy:
            return
        run = executed(output, None, accumulating=True)
        leaves = [leaf for leaf in self.leaves() if node_of(leaf) in run]
        found = self._pass(output, upstream, run, leaves)
        consumed = {listener.tensor for listener in self.listeners if listener.consumes and not listener.removed}
        for leaf, gradient in zip(leaves, found, strict=True):
            if leaf not in consumed:
                leaf.grad = gradient if leaf.grad is None else leaf.grad + gradient
            for hook in (leaf._post_accumulate_grad_hooks or {}).values():  # the program's own
                hook(leaf)

    def grad(self, output: torch.Tensor, inputs: Any, upstream: Any = None, **options: Any) -> tuple:
        """Return gradients and leave `.grad` unchanged, as `torch.autograd.grad` does."""
        inputs = [inputs] if isinstance(inputs, torch.Tensor) else list(inputs)
        if self._busy:
            return tuple(torch.zeros_like(one) for one in inputs)
        return tuple(self._pass(output, upstream, executed(output, inputs, accumulating=False), inputs))

    def _pass(self, output: torch.Tensor, upstream: Any, run: set, wanted: list[torch.Tensor]) -> list[torch.Tensor]:
        upstream = torch.ones_like(output) if upstream is None else upstream
        self._busy = True  # replayed lines must start no passes
        try:
            listening = [
                (listener, self.gradient(output, listener.tensor, upstream))
                for listener in self.listeners
                if not listener.removed
                and (node_of(listener.tensor) in run or any(listener.tensor is one for one in wanted))
            ]
            found = [self.gradient(output, one, upstream) for one in wanted]
            changed: dict[torch.Tensor, torch.Tensor] = {}
            for listener, computed in listening:
                arrived = changed.get(listener.tensor, computed)  # of two on one tensor, the second gets what's left
                replaced = listener.told(arrived)
                if replaced is not None:
                    changed[listener.tensor] = replaced
                    extra = replaced - arrived
                    found = [
                        gradient + self._behind(listener.tensor, one, extra)
                        for one, gradient in zip(wanted, found, strict=True)
                    ]
        finally:
            self._busy = False
        return found

    def _behind(self, tensor: torch.Tensor, one: torch.Tensor, extra: torch.Tensor) -> torch.Tensor:
        """Return how much the gradient of `one` changes if `extra` is added to that of `tensor`."""
        return extra if one is tensor else self.gradient(tensor, one, extra)

    def __enter__(self) -> DifferencedPasses:
        self._originals = torch.Tensor.backward, torch.autograd.grad
        torch.Tensor.backward = lambda *args, **named: self.backward(*args, **named)
        torch.autograd.grad = self.grad
        return self

    def __exit__(self, *exception: Any) -> None:
        torch.Tensor.backward, torch.autograd.grad = self._originals


def without_hooks(name: str, implementation: Callable) -> Callable[[Program], dict[str, Any]]:
    """Make a second source: from a program to what it shows with an implementation that uses differenced passes.

    Args:
        name: the task's name.
        implementation: the task with listeners in place of hooks; its first argument is the passes.
    """

    def second(program: Program) -> dict[str, Any]:
        def leaves() -> list[torch.Tensor]:
            named = replay.names.values()
            return [one for one in named if isinstance(one, torch.Tensor) and one.is_leaf and one.requires_grad]

        passes = DifferencedPasses(lambda *asked: replay.gradient(*asked), leaves)
        replay = Replay(program, name, lambda _, *given: implementation(passes, *given), again=lambda *_: NoHandles())
        with known_state(), passes:
            return replay.shown(program.shown)

    return second


LEAF_GRADS = ("x.grad", "w.grad", "b.grad")


def sum_text(source: Random) -> str:
    """Return the text of a graph whose addition sends the same gradient to u and b."""
    size = source.randint(2, 4)
    leaves = [f"{name} = {tensor_text(source, (size,), requires_grad=True)}\n" for name in "xwb"]
    factor = tensor_text(source, (size,))
    return "".join(leaves) + f"u = x * w\nv = u + b\na = ({factor} * v).sum()\n"


RETURNED_OTHER = Mistake(
    "return value of wrong type",
    "Your hook returned a value that PyTorch rejects: a tensor hook may return a gradient of the same shape or None, a "
    "post-accumulate hook only None. A lambda always returns the value of its expression.",
    raises="has changed the (size|type) of value|expected Variable, but hook returned"
    "|post accumulate grad hooks should return None",
)
