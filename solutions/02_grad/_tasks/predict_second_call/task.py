"""predict_second_call: what is right, from two sources, and what is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import torch

from autograder.checks.answers import Answers
from autograder.checks.task import Task
from autograder.references import Reference


class Call(NamedTuple):
    """One call: torch.autograd.grad(output, node)."""

    output: str
    node: str


class TwoCalls(NamedTuple):
    """Two calls on one graph, the first with options."""

    first: Call
    second: Call
    options: Mapping[str, bool] = {}


CASES = {
    "A": TwoCalls(Call("a", "b"), Call("a", "u")),
    "B": TwoCalls(Call("a", "b"), Call("a", "u"), {"retain_graph": True}),
    "C": TwoCalls(Call("v", "b"), Call("v", "b")),
    "D": TwoCalls(Call("a", "v"), Call("v", "x")),
    "E": TwoCalls(Call("a", "x"), Call("a", "x"), {"create_graph": True}),
    "F": TwoCalls(Call("u", "x"), Call("u", "w")),
    "G": TwoCalls(Call("u", "x"), Call("a", "x")),
    "H": TwoCalls(Call("u", "x"), Call("a", "b")),
    "I": TwoCalls(Call("a", "b"), Call("v", "x")),
}

Predictions = dict[str, list[bool]]


def really_called() -> Predictions:
    """Every case on a graph of its own, its calls made."""
    return {name: _called(case) for name, case in CASES.items()}


def _called(case: TwoCalls) -> list[bool]:
    graph = {name: torch.tensor(value, requires_grad=True) for name, value in (("x", 3.0), ("w", 2.0), ("b", 1.0))}
    graph["u"] = graph["x"] * graph["w"]
    graph["v"] = graph["u"] + graph["b"]
    graph["a"] = torch.relu(graph["v"])
    works = []
    for call, options in ((case.first, case.options), (case.second, {})):
        try:
            torch.autograd.grad(graph[call.output], graph[call.node], **options)
            works.append(True)
        except RuntimeError:
            works.append(False)
    return works


MADE_FROM = {"u": "xw", "v": "ub", "a": "v"}
SAVING = frozenset("ua")
"""The product saves both factors and relu its result; the sum saves nothing."""


def run_by(call: Call) -> frozenset[str]:
    """The nodes that a call runs: those on a path from the output to the node asked for, without its maker."""
    if call.output == call.node:
        return frozenset()
    behind = [run_by(Call(one, call.node)) for one in MADE_FROM.get(call.output, "") if _leads(one, call.node)]
    return frozenset({call.output}).union(*behind) if behind else frozenset()


def _leads(output: str, node: str) -> bool:
    return output == node or any(_leads(one, node) for one in MADE_FROM.get(output, ""))


def emptied_by(case: TwoCalls) -> frozenset[str]:
    """The nodes that the first call empties: it ran them, they had saved tensors, and it was not told to keep them."""
    return frozenset() if any(case.options.values()) else run_by(case.first) & SAVING


def predicted(works: Callable[[TwoCalls], bool]) -> Predictions:
    """All cases under a rule for the second call; the first call meets a full graph and works."""
    return {name: [True, works(case)] for name, case in CASES.items()}


def by_rule() -> Predictions:
    """A second call fails exactly if it must run a node that the first has emptied."""
    return predicted(lambda case: not run_by(case.second) & emptied_by(case))


REFERENCE = Reference(
    really_called,
    "both calls of every case really made",
    by_rule,
    "which nodes the first call ran and which of them had saved tensors, by names alone",
)

TASK = Task(__file__, minutes=12, concepts=("graphs",), section="When a second call fails", reference=REFERENCE)


@TASK.check("at least seven of nine cases", points=2)
def test_most_second_calls(answers: Answers) -> None:
    """More than either call for all answers."""
    answers.tally(allowed=2, length=2)


@TASK.check("all nine cases", points=2)
def test_all_second_calls(answers: Answers) -> None:
    """Every case."""
    answers.tally(length=2)
