"""The order in which nodes of a program's backward passes ran, noted by hooks on nodes that are removed afterwards."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping
from types import FrameType
from typing import Any

import torch

from autograder.own_answers.tracing import Visit

MOST_NODES = 40


@dataclasses.dataclass
class Pass:
    """What ran during one statement.

    Attributes:
        visit: the statement.
        nodes: names of the nodes that ran, in order.
        graph: names of all nodes of the graph that were known then.
    """

    visit: Visit
    nodes: list[str]
    graph: frozenset[str]


class NodeLog:
    """Notes backward nodes as they run; `at_line` is given to a tracer."""

    def __init__(self) -> None:
        self._by_task: dict[int, Pass] = {}
        self._known: dict[Any, str] = {}
        self._handles: list[Any] = []
        self._now: Visit | None = None

    @property
    def passes(self) -> list[Pass]:
        """The passes, in the order in which they began."""
        return list(self._by_task.values())

    @contextlib.contextmanager
    def noting(self) -> Iterator[None]:
        """Remove all hooks when the block ends."""
        try:
            yield
        finally:
            for handle in self._handles:
                handle.remove()
            self._handles.clear()
            self._known.clear()

    def at_line(self, visit: Visit, frame: FrameType) -> None:
        """Put hooks on the nodes that the names of a frame lead to."""
        self._now = visit
        names = {name: value for name, value in frame.f_locals.items() if isinstance(value, torch.Tensor)}
        leaves = {id(value): name for name, value in names.items() if value.is_leaf}
        for value in names.values():
            with contextlib.suppress(Exception):
                self._follow(value.grad_fn, leaves)

    def _follow(self, start: Any, leaves: Mapping[int, str]) -> None:
        waiting = [start]
        while waiting and len(self._known) < MOST_NODES:
            node = waiting.pop()
            if node is None or node in self._known:
                continue
            name = str(node.name()).rpartition("::")[2]
            if (variable := getattr(node, "variable", None)) is not None:
                name += f" of {leaves[id(variable)]}" if id(variable) in leaves else ""
            self._known[node] = name
            self._handles.append(node.register_prehook(self._noting(name)))
            waiting += [following for following, _ in node.next_functions]

    def _noting(self, name: str) -> Any:
        def note(gradients: Any) -> None:
            if self._now is not None:
                # A hook of the student's moves the current line on; the pass stays that of the line that called it.
                task = torch._C._current_graph_task_id()
                self._by_task.setdefault(task, Pass(self._now, [], frozenset(self._known.values()))).nodes.append(name)

        return note
