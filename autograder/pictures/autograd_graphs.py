"""A tensor's autograd graph, from its leaves to the tensor itself."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from autograder.pictures.autograd_nodes import details, kind, leaf_details, show_tensor
from autograder.pictures.graph import BETWEEN, Edge, Graph, Node
from autograder.pictures.text import clean

_MOST = 50_000  # nodes that are read; far more than a picture can tell apart


def read_tensor(output: torch.Tensor, names: Mapping[str, object]) -> Graph:
    """Read a tensor's autograd graph without changing it or computing anything.

    Args:
        output: any tensor; without a graph, it gives a picture of one node.
        names: tensors by name; entries that are not tensors are ignored.
    """
    named = {clean(name): tensor for name, tensor in names.items() if isinstance(tensor, torch.Tensor)}
    # A subclass may redefine every attribute read here, but the graph is the base class's.
    with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
        if output.grad_fn is None:
            return _without_graph(output, named)
        return _Reader(output).graph(output, named)


class _Reader:
    """Walks a tensor's graph from its `grad_fn` to the leaves, along `next_functions`."""

    def __init__(self, output: torch.Tensor) -> None:
        # torch recreates a node's Python object once nothing refers to it; the list keeps objects and ids alive.
        self.functions: list[torch.autograd.graph.Node] = [output.grad_fn]
        self.index_of: dict[int, int] = {id(output.grad_fn): 0}
        self.edges: list[Edge] = []
        self.stopped = False
        for target, function in enumerate(self.functions):  # the list grows in the loop
            self._inputs(target, function)

    def _inputs(self, target: int, function: torch.autograd.graph.Node) -> None:
        # The last input first: `graph` reverses the whole order.
        for source, which in reversed(function.next_functions):
            if source is None:  # this input needs no gradient
                continue
            if id(source) not in self.index_of:
                if len(self.functions) >= _MOST:
                    self.stopped = True
                    continue
                self.index_of[id(source)] = len(self.functions)
                self.functions.append(source)
            label = f"result {which}" if which else ""
            self.edges.append(Edge(self.index_of[id(source)], target, label))

    def graph(self, output: torch.Tensor, named: dict[str, torch.Tensor]) -> Graph:
        graph = Graph(edges=self.edges[::-1])
        for function in self.functions:
            graph.nodes.append(_node(function))
        for name, tensor in named.items():
            index = self._find(tensor)
            if index is None:
                graph.notes.append(f"{name} is not part of this graph")
                continue
            node = graph.nodes[index]
            node.name = f"{node.name}{BETWEEN}{name}" if node.name else name
            node.important = True
            show_tensor(node, tensor)
        if not graph.nodes[0].name:
            show_tensor(graph.nodes[0], output)
        graph.assign_roles(output=0)
        # The walk went backwards: reversed, inputs come in the order in which they were written.
        graph.keep(list(reversed(range(len(graph.nodes)))))
        if self.stopped:
            graph.notes.append(f"reading stopped after {_MOST:,} nodes")
        return graph

    def _find(self, tensor: torch.Tensor) -> int | None:
        if tensor.grad_fn is not None:
            return self.index_of.get(id(tensor.grad_fn))
        for index, function in enumerate(self.functions):
            if getattr(function, "variable", None) is tensor and kind(function) == "AccumulateGrad":
                return index
        return None


def _node(function: torch.autograd.graph.Node) -> Node:
    node = Node(kind=kind(function))
    if node.kind == "AccumulateGrad":
        variable = function.variable
        node.kind = ""
        node.details = lambda: leaf_details(node, variable)
    else:
        node.details = lambda: details(node, function)
    return node


def _without_graph(output: torch.Tensor, named: dict[str, torch.Tensor]) -> Graph:
    node = Node(name=next((name for name, tensor in named.items() if tensor is output), ""), important=True)
    show_tensor(node, output)
    node.details = lambda: leaf_details(node, output)
    graph = Graph(nodes=[node])
    graph.assign_roles()
    others = [name for name, tensor in named.items() if tensor is not output]
    graph.notes += [f"{name} is not part of this graph" for name in others]
    if not output.requires_grad:
        graph.notes.append("no graph: this tensor does not require a gradient")
    return graph
