"""count_nodes: what is right, from two sources, and what is asked."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from unittest import mock

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.tensor_graphs import GraphText, tensor_graph
from autograder.checks.task import Task
from autograder.probes.counters import nodes_run
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference

from ..shared import Node, executed, reached_from


@contextlib.contextmanager
def recorded_passes() -> Iterator[list[set[Node]]]:
    """Passes that start inside the block do not run; what each would execute is noted instead."""
    passes: list[set[Node]] = []

    def backward(output: torch.Tensor, *upstream: Any, inputs: Any = None, **options: Any) -> None:
        ends = [inputs] if isinstance(inputs, torch.Tensor) else inputs
        passes.append(executed(output, ends, accumulating=True))

    def grad(output: torch.Tensor, inputs: Any, *upstream: Any, **options: Any) -> list[torch.Tensor]:
        ends = [inputs] if isinstance(inputs, torch.Tensor) else inputs
        passes.append(executed(output, ends, accumulating=False))
        # A gradient that keeps its graph depends on what the output was computed from, where no operation is linear.
        kept = 0 * output.sum() if options.get("create_graph") else 0
        return [torch.zeros_like(end) + kept for end in ends]

    with mock.patch.object(torch.Tensor, "backward", backward), mock.patch.object(torch.autograd, "grad", grad):
        yield passes


def _count_nodes(output: torch.Tensor, run: Callable[[], Any]) -> int:
    with nodes_run(output) as runs:
        run()
    return runs.total()


def _count_nodes_unrun(replay: Replay, output: torch.Tensor, run: Callable[[], Any]) -> int:
    with recorded_passes() as passes:
        run()
    own = set(reached_from(output)) if output.grad_fn is not None else set()
    return sum(len(nodes & own) for nodes in passes)


REFERENCE = program_reference(
    "count_nodes",
    _count_nodes,
    "prehooks on every node",
    _count_nodes_unrun,
    "no pass runs: for each, the nodes that lead from its output to its ends",
)

TASK = Task(
    __file__,
    minutes=18,
    concepts=("graphs", "hooks"),
    section="Hooks on nodes",
    reference=REFERENCE,
    says={
        "len(calls)": "you called `run` {got} times instead of {expected}",
        "result": "the call raised {got}, but the error of `run` must reach the caller",
    },
)


def _pass(source: Random, graph: GraphText) -> str:
    """One backward pass, as a line of a function's body."""
    kind = source.choice(("backward", "grad", "one leaf", "each", "from inside"))
    if kind == "backward":
        return "    a.backward(retain_graph=True)\n"
    if kind == "one leaf":
        return f"    a.backward(inputs=[{source.choice(graph.leaves)}], retain_graph=True)\n"
    nodes = ", ".join(graph.some(source))
    if kind == "each":
        return f"    for node in ({nodes}):\n        torch.autograd.grad(a, node, retain_graph=True)\n"
    if kind == "from inside":
        return f"    {graph.inner[-1]}.sum().backward(retain_graph=True)\n"
    return f"    torch.autograd.grad(a, ({nodes}), retain_graph=True)\n"


def executions(source: Random) -> tuple[Program]:
    """Some passes through a graph."""
    graph = tensor_graph(source)
    passes = "".join(_pass(source, graph) for _ in range(source.randint(1, 3)))
    return (Program(f"{graph.text}\ndef run():\n{passes}\nresult = count_nodes(a, run)\n", ("result",)),)


def run_once(source: Random) -> tuple[Program]:
    """A leaf, or a small graph; the calls of run are counted."""
    output = source.choice(("x", "x * w * x", "x.sin() * w"))
    text = (
        f"x = torch.tensor({source.uniform(1, 3):.2f}, requires_grad=True)\n"
        f"w = torch.tensor({source.uniform(1, 3):.2f}, requires_grad=True)\ny = {output}\ncalls = []\n\n"
        "def run():\n    calls.append(1)\n    y.backward()\n\nresult = count_nodes(y, run)\n"
    )
    return (Program(text, ("result", "len(calls)")),)


def deep_and_wide(source: Random) -> tuple[Program]:
    """A long chain, or many diamonds in a row."""
    step, times = source.choice(
        (("x + w", source.randint(1100, 1500)), ("torch.sin(x) + torch.cos(x)", source.randint(30, 60)))
    )
    text = (
        "start = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)\n"
        "w = torch.tensor(0.01, dtype=torch.float64, requires_grad=True)\nx = start * w\n"
        f"for _ in range({times}):\n    x = {step}\nresult = count_nodes(x, lambda: x.backward())\n"
    )
    return (Program(text, ("result",)),)


def left_clean(source: Random) -> tuple[Program]:
    """The hooks on a graph's nodes afterwards; run raises, or not."""
    graph = tensor_graph(source)
    trouble = source.choice(("", "    raise ZeroDivisionError\n"))
    text = (
        f"{graph.text}\ndef run():\n{_pass(source, graph)}{trouble}\ntry:\n    count_nodes(a, run)\n"
        "except ZeroDivisionError:\n    pass\n"
    )
    return (Program(text, ("counters.hooks_on(*counters.backward_nodes(a))",)),)


@TASK.check("every execution", points=2, cases="executions", draw=executions)
def test_count_nodes(answers: Answers) -> None:
    """Of this graph's nodes, in all passes that run starts."""
    answers.agree()


@TASK.check("one call of run, 0 for a leaf", points=1, cases="once", draw=run_once, draws=2)
def test_count_nodes_once(answers: Answers) -> None:
    """The calls of run are counted."""
    answers.agree()


@TASK.check("deep graphs and many paths", points=1, cases="deep and wide", draw=deep_and_wide, draws=1)
def test_count_nodes_deep(answers: Answers) -> None:
    """Each node is met once, without recursion."""
    answers.agree()


@TASK.check("no hook stays", points=1, cases="left clean", draw=left_clean, draws=2, damage=("hook left",))
def test_count_nodes_left_clean(answers: Answers) -> None:
    """Even where run raises."""
    answers.agree()
