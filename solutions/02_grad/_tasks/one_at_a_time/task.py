"""one_at_a_time: what is right, from two sources, and what is asked."""

from __future__ import annotations

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.graphs import graph_of_program
from autograder.checks.task import Task
from autograder.references.reachability import nodes_between
from autograder.references.replay import Replay, program_reference

from ..shared import DIFFERENCES, Nodes, Tensors, count, partials


def _one_at_a_time(a: torch.Tensor, nodes: Nodes) -> Tensors:
    return tuple(torch.autograd.grad(a, node, retain_graph=True)[0] for node in nodes)


def _one_at_a_time_numeric(replay: Replay, a: torch.Tensor, nodes: Nodes) -> Tensors:
    count(replay, runs=sum(nodes_between(a, [node]) for node in nodes), passes=len(nodes))
    return tuple(replay.gradient(a, node) for node in nodes)


REFERENCE = program_reference(
    "one_at_a_time",
    _one_at_a_time,
    "autograd in float64",
    _one_at_a_time_numeric,
    f"{DIFFERENCES}; counts by reachability",
)

TASK = Task(
    __file__,
    minutes=4,
    concepts=("graphs",),
    section="One backward pass or many: the cost",
    reference=REFERENCE,
    graph=graph_of_program("one_at_a_time"),
)


@TASK.check(
    "every partial, returned and not stored",
    points=2,
    cases="values",
    draw=with_ends(partials("one_at_a_time", "result")),
)
def test_one_at_a_time(answers: Answers) -> None:
    """A tuple in the order of the nodes; `.grad` stays None."""
    answers.agree()


@TASK.check(
    "one backward pass for each node",
    points=1,
    cases="passes",
    draw=partials("one_at_a_time", "len(passes)", "runs.total()"),
)
def test_one_at_a_time_in_many_passes(answers: Answers) -> None:
    """As many passes as nodes, and what they run."""
    answers.agree()
