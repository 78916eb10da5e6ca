"""What several tasks of exercise 02 use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import torch

from autograder.checks.draws.tensor_graphs import GraphText, tensor_graph
from autograder.diagnosis import Mistake
from autograder.probes.programs import Program
from autograder.references.replay import Replay

Nodes = Sequence[torch.Tensor]
Tensors = tuple[torch.Tensor, ...]


def count(replay: Replay, runs: int, passes: int) -> None:
    """What a program's counters would have shown, if it has any."""
    if "runs" in replay.names:
        replay.names["runs"].update({"nodes": runs})
    if "passes" in replay.names:
        replay.names["passes"].extend(["pass"] * passes)


DIFFERENCES = "central differences, tensor by tensor"
Draw = Callable[[Random], tuple[Program]]
COUNTED = "with counters.nodes_run(a) as runs, counters.passes_run() as passes:\n    "


def partials(task: str, *shown: str) -> Draw:
    """The partials of a graph's output with respect to some of its nodes, passes and backward nodes counted."""

    def draw(source: Random) -> tuple[Program]:
        graph = tensor_graph(source)
        call = f"{COUNTED}result = {task}(a, ({', '.join(graph.some(source))}))\n"
        return (Program(graph.text + call, shown),)

    return draw


def with_strangers(source: Random) -> tuple[GraphText, str, list[str]]:
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


# Mistakes that several tasks name, and what is said of them; each task has answers of its own that make them.
ORDER_REVERSED = (
    "order reversed",
    "The gradients are right, but in reverse order. Return them in the order of `nodes`.",
)
FIRST_ONLY = (
    "only the first node",
    "You returned one gradient. `nodes` holds several tensors, and each has its own.",
)
LAST_ONLY = (
    "only the last node",
    "You returned one gradient, the last. Did you keep each result before the next took its name?",
)
NUMBERS = (
    "numbers instead of tensors",
    "You returned plain numbers. A gradient is a tensor with the shape of its node; leave it unchanged.",
)
ALL_FOR_EACH = (
    "all gradients for each node",
    "Each call asks for the gradients of all nodes. Inside the loop, which node do you mean?",
)

NOT_ALLOWED = Mistake(
    "unused tensors not allowed for",
    "The output was not computed from each of these tensors, and `torch.autograd.grad` takes that for a mistake "
    "unless you tell it otherwise.",
    raises="RuntimeError: .* appears? to not have been used in the graph",
)

HIDDEN_NAME = Mistake(
    "a loop variable named grad",
    "Your own variable hides the function of the same name: you called a tensor, a tuple, or a name that has no "
    "value yet. See lesson 02, “A loop variable named grad”.",
    raises="'(tuple|Tensor)' object is not callable|UnboundLocalError: cannot access local variable 'grad'",
)

NODES_AS_ARGUMENTS = Mistake(
    "nodes as separate arguments",
    "`*nodes` makes an argument of each node: the second is taken for the upstream gradient, the third for an "
    "option. All nodes belong in one argument.",
    raises="TypeError: only integer tensors of a single element can be converted to an index"
    "|TypeError: grad\\(\\) takes from 2 to \\d+ positional arguments",
)
