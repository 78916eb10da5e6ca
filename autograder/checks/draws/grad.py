"""Draws of exercise 02: programs on graphs of tensors."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from autograder.checks.draws.numbers import tensor_text
from autograder.checks.draws.tensor_graphs import GraphText, tensor_graph
from autograder.probes.programs import Program

Draw = Callable[[Random], tuple[Program]]
COUNTED = "with counters.nodes_run(a) as runs, counters.passes_run() as passes:\n    "


def partials(task: str, *shown: str) -> Draw:
    """The partials of a graph's output with respect to some of its nodes, passes and backward nodes counted."""

    def draw(source: Random) -> tuple[Program]:
        graph = tensor_graph(source)
        call = f"{COUNTED}result = {task}(a, ({', '.join(graph.some(source))}))\n"
        return (Program(graph.text + call, shown),)

    return draw


def all_used(*shown: str) -> Draw:
    """`grad_or_zero` of inputs that all lead to the output."""

    def draw(source: Random) -> tuple[Program]:
        graph = tensor_graph(source)
        return (Program(f"{graph.text}result = grad_or_zero(a, ({', '.join(graph.some(source))}))\n", shown),)

    return draw


def some_unused(*shown: str) -> Draw:
    """`grad_or_zero` of inputs some of which do not lead to the output."""

    def draw(source: Random) -> tuple[Program]:
        graph, text, names = _with_strangers(source)
        return (Program(f"{graph.text}{text}result = grad_or_zero(a, ({', '.join(names)}))\n", shown),)

    return draw


def named(*shown: str, strangers: bool = True) -> Draw:
    """`named_gradients` of a dict, in which some tensors do not lead to the output."""

    def draw(source: Random) -> tuple[Program]:
        if strangers:
            graph, text, names = _with_strangers(source)
        else:
            graph, text = tensor_graph(source), ""
            names = graph.some(source)
        # A name that is not the variable's: a dict has names of its own.
        entries = ", ".join(f'"{source.choice(("the_", "node_", ""))}{name}": {name}' for name in names)
        call = f"named = {{{entries}}}\n{COUNTED}result = named_gradients(a, named)\n"
        return (Program(graph.text + text + call, shown),)

    return draw


def _with_strangers(source: Random) -> tuple[GraphText, str, list[str]]:
    """A graph, lines that make tensors which do not lead to its output, and both sorts of names in any order."""
    graph = tensor_graph(source)
    shape = source.choice(((), (1,), (2,), (2, 2), (3, 1)))
    dtype = source.choice(("float32", "float64"))
    side = source.choice(("torch.sin(x)", "x * w", "2 * u"))
    text = (
        f"k = torch.ones({shape}, dtype=torch.{dtype}, requires_grad=True)\n"
        f"side = {side}\n"  # from the same leaves, and beside the way to the output
        f"beyond = 3 * a\n"
    )
    strangers = ["k", "side", "beyond"]
    names = graph.some(source, least=3) + source.sample(strangers, source.randint(1, 3))
    source.shuffle(names)
    return graph, text, names


Shapes = dict[str, Callable[[int], tuple[int, ...]]]
ONE_AXIS: Shapes = {
    "p * torch.sin(h)": lambda size: (size,),
    "(h * h).cumsum(0) + p": lambda size: (size,),
    "torch.cat([h, h.sum() * p])": lambda size: (2 * size,),
    "h[:2] * h[-1]": lambda size: (2,),
}
"""Outputs made from h and p of shape (size,) and q of shape (2,), with their shapes."""
OTHER_SHAPES: Shapes = {
    "torch.outer(torch.tanh(h), q)": lambda size: (size, 2),
    "torch.stack([h, h * p, torch.exp(-h * h)])": lambda size: (3, size),
    "torch.stack([h * h[0], p * h]).T": lambda size: (size, 2),
    "torch.outer(h, p * h).unsqueeze(1)": lambda size: (size, 1, size),
    "(h * torch.sin(h)).sum()": lambda size: (),
    "h[:1] * (h * p).sum()": lambda size: (1,),
}


def vector(outputs: Shapes, *shown: str) -> Draw:
    """`gradient_of_vector` of one of these outputs, with respect to the leaf x or the inner node h."""

    def draw(source: Random) -> tuple[Program]:
        size = source.randint(3, 4)
        y = source.choice(tuple(outputs))
        lines = [
            f"x = {tensor_text(source, (size,), requires_grad=True)}",
            f"p = {tensor_text(source, (size,))}",
            f"q = {tensor_text(source, (2,))}",
            source.choice(("h = x * x + torch.sin(x)", "h = torch.tanh(x) * 2 + p", "h = x.flip(0) * x")),
            f"y = {y}",
            f"upstream = {tensor_text(source, outputs[y](size))}",
            f"result = gradient_of_vector(y, {source.choice('xh')}, upstream)",
        ]
        lines = [line for line in lines if line[0] != "q" or "q)" in y]
        return (Program("\n".join(lines) + "\n", shown),)

    return draw
