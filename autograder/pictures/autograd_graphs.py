"""A tensor's autograd graph, from its leaves to the tensor itself."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from autograder.pictures.autograd_nodes import details, kind, leaf_details, show_tensor
from autograder.pictures.graph import Edge, Graph, Node
from autograder.pictures.text import clean

_MOST = 50_000  # nodes that are read at all; far more than a picture can tell apart


def read_tensor(output: torch.Tensor, names: Mapping[str, object]) -> Graph:
    """Read the graph behind `output` without changing it; nothing is computed.

    Args:
        output: any tensor; one without a graph is a picture of one node.
        names: what to call which tensor; what is not a tensor is left out.
    """
    named = {clean(name): tensor for name, tensor in names.items() if isinstance(tensor, torch.Tensor)}
    # A subclass may redefine every attribute that is read here; the graph is the base class's.
    with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
        if output.grad_fn is None:
            return _without_graph(output, named)
        return _Reader(output).graph(output, named)


class _Reader:
    """Walks from a tensor to its leaves, along `next_functions`."""

    def __init__(self, output: torch.Tensor) -> None:
        # torch makes the Python side of a node anew when nobody holds it: held here, they keep their id.
        self.functions: list[object] = [output.grad_fn]
        self.place: dict[int, int] = {id(output.grad_fn): 0}
        self.edges: list[Edge] = []
        self.stopped = False
        for target, function in enumerate(self.functions):  # grows while it is read
            self._inputs(target, function)

    def _inputs(self, target: int, function: object) -> None:
        # The last input first: `graph` turns the whole order round.
        for source, which in reversed(function.next_functions):  # type: ignore[attr-defined]
            if source is None:  # this input needs no gradient
                continue
            if id(source) not in self.place:
                if len(self.functions) >= _MOST:
                    self.stopped = True
                    continue
                self.place[id(source)] = len(self.functions)
                self.functions.append(source)
            label = f"result {which}" if which else ""
            self.edges.append(Edge(self.place[id(source)], target, label))

    def graph(self, output: torch.Tensor, named: dict[str, torch.Tensor]) -> Graph:
        graph = Graph(edges=self.edges[::-1])
        for function in self.functions:
            graph.nodes.append(_node(function))
        for name, tensor in named.items():
            place = self._find(tensor)
            if place is None:
                graph.notes.append(f"{name} is not part of this graph")
                continue
            node = graph.nodes[place]
            node.name = f"{node.name}, {name}" if node.name else name
            node.important = True
            show_tensor(node, tensor)
        if not graph.nodes[0].name:
            show_tensor(graph.nodes[0], output)
        graph.assign_roles(output=0)
        # The walk went backwards: turned round, inputs come in the order in which they were written.
        graph.keep(list(reversed(range(len(graph.nodes)))))
        if self.stopped:
            graph.notes.append(f"reading stopped after {_MOST:,} nodes")
        return graph

    def _find(self, tensor: torch.Tensor) -> int | None:
        if tensor.grad_fn is not None:
            return self.place.get(id(tensor.grad_fn))
        for place, function in enumerate(self.functions):
            if getattr(function, "variable", None) is tensor and kind(function) == "AccumulateGrad":
                return place
        return None


def _node(function: object) -> Node:
    node = Node(kind=kind(function))
    if node.kind == "AccumulateGrad":
        variable = function.variable  # type: ignore[attr-defined]
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
