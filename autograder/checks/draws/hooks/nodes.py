"""Programs that count executions of backward nodes: count_nodes."""

from __future__ import annotations

from random import Random

from autograder.checks.draws.tensor_graphs import GraphText, tensor_graph
from autograder.probes.programs import Program


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
        (("x + w", source.randint(1500, 2500)), ("torch.sin(x) + torch.cos(x)", source.randint(30, 60)))
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
