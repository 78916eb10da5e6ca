"""grad_or_zero: what is right, from two sources, and what is asked."""

from __future__ import annotations

from random import Random

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.tensor_graphs import tensor_graph
from autograder.checks.graphs import graph_of_program
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.replay import Replay, program_reference

from ..shared import DIFFERENCES, Draw, Nodes, Tensors, with_strangers


def _grad_or_zero(output: torch.Tensor, inputs: Nodes) -> Tensors:
    return torch.autograd.grad(output, list(inputs), materialize_grads=True)


def _grad_or_zero_numeric(replay: Replay, output: torch.Tensor, inputs: Nodes) -> Tensors:
    return tuple(replay.gradient(output, one) for one in inputs)


REFERENCE = program_reference(
    "grad_or_zero",
    _grad_or_zero,
    "autograd in float64",
    _grad_or_zero_numeric,
    f"{DIFFERENCES}, which are 0 where nothing moves",
)

TASK = Task(
    __file__,
    minutes=5,
    concepts=("graphs",),
    section="Unused inputs: allow_unused and materialize_grads",
    reference=REFERENCE,
    graph=graph_of_program("grad_or_zero"),
)


def all_used(*shown: str) -> Draw:
    """`grad_or_zero` of inputs that all lead to the output."""

    def draw(source: Random) -> tuple[Program]:
        graph = tensor_graph(source)
        return (Program(f"{graph.text}result = grad_or_zero(a, ({', '.join(graph.some(source))}))\n", shown),)

    return draw


def some_unused(*shown: str) -> Draw:
    """`grad_or_zero` of inputs some of which do not lead to the output."""

    def draw(source: Random) -> tuple[Program]:
        graph, text, names = with_strangers(source)
        return (Program(f"{graph.text}{text}result = grad_or_zero(a, ({', '.join(names)}))\n", shown),)

    return draw


@TASK.check("gradients of what the output uses", points=1, cases="used", draw=with_ends(all_used("result")))
def test_grad_or_zero_of_used(answers: Answers) -> None:
    """Leaves and inner nodes, gradients of 0 among them."""
    answers.agree()


@TASK.check("zeros for what it does not use", points=2, cases="unused", draw=some_unused("result"), draws=5)
def test_grad_or_zero_of_unused(answers: Answers) -> None:
    """Zeros of the tensor's own shape and dtype, in its place."""
    answers.agree()
