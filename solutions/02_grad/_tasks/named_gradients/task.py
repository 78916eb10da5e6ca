"""named_gradients: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.tensor_graphs import tensor_graph
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.reachability import is_reached, nodes_between
from autograder.references.replay import Replay, program_reference

from ..shared import COUNTED, DIFFERENCES, Draw, count, with_strangers


def _named_gradients(output: torch.Tensor, named: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    found = torch.autograd.grad(output, dict(named), allow_unused=True)
    return {name: gradient for name, gradient in found.items() if gradient is not None}


def _named_gradients_numeric(
    replay: Replay, output: torch.Tensor, named: dict[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    count(replay, runs=nodes_between(output, named.values()), passes=1)
    return {name: replay.gradient(output, one) for name, one in named.items() if is_reached(output, one)}


REFERENCE = program_reference(
    "named_gradients",
    _named_gradients,
    "autograd in float64",
    _named_gradients_numeric,
    f"{DIFFERENCES}; what is left out, and counts, by reachability",
)

TASK = Task(
    __file__,
    minutes=6,
    concepts=("graphs",),
    section="Unused inputs: allow_unused and materialize_grads",
    reference=REFERENCE,
)


def named(*shown: str, strangers: bool = True) -> Draw:
    """`named_gradients` of a dict, in which some tensors do not lead to the output."""

    def draw(source: Random) -> tuple[Program]:
        if strangers:
            graph, text, names = with_strangers(source)
        else:
            graph, text = tensor_graph(source), ""
            names = graph.some(source)
        # A name that is not the variable's: a dict has names of its own.
        entries = ", ".join(f'"{source.choice(("the_", "node_", ""))}{name}": {name}' for name in names)
        call = f"named = {{{entries}}}\n{COUNTED}result = named_gradients(a, named)\n"
        return (Program(graph.text + text + call, shown),)

    return draw


@TASK.check("each gradient under its name", points=1, cases="used", draw=with_ends(named("result", strangers=False)))
def test_named_gradients_of_used(answers: Answers) -> None:
    """All tensors lead to the output."""
    answers.agree()


@TASK.check(
    "what the output does not use left out",
    points=2,
    cases="unused",
    draw=named("result", "sorted(result)"),
)
def test_named_gradients_of_unused(answers: Answers) -> None:
    """Left out of the result and of nothing else: `named` keeps its names and tensors."""
    answers.agree()


@TASK.check("one backward pass", points=1, cases="one pass", draw=named("len(passes)", "runs.total()", strangers=False))
def test_named_gradients_in_one_pass(answers: Answers) -> None:
    """Each node runs once."""
    answers.agree()
