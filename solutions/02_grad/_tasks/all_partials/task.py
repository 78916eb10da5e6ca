"""all_partials: what is right, from two sources, and what is asked."""

from __future__ import annotations

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.graphs import graph_of_program
from autograder.checks.task import Task
from autograder.references.reachability import nodes_between
from autograder.references.replay import Replay, program_reference

from ..shared import DIFFERENCES, Nodes, Tensors, count, partials


def _all_partials(a: torch.Tensor, nodes: Nodes) -> Tensors:
    return torch.autograd.grad(a, list(nodes))


def _all_partials_numeric(replay: Replay, a: torch.Tensor, nodes: Nodes) -> Tensors:
    count(replay, runs=nodes_between(a, nodes), passes=1)
    return tuple(replay.gradient(a, node) for node in nodes)


REFERENCE = program_reference(
    "all_partials",
    _all_partials,
    "autograd in float64",
    _all_partials_numeric,
    f"{DIFFERENCES}; counts by reachability",
)

TASK = Task(
    __file__,
    minutes=4,
    concepts=("graphs",),
    section="One output, many nodes",
    reference=REFERENCE,
    graph=graph_of_program("all_partials"),
)


@TASK.check(
    "every partial, returned and not stored",
    points=2,
    cases="values",
    draw=with_ends(partials("all_partials", "result")),
)
def test_all_partials(answers: Answers) -> None:
    """A tuple in the order of the nodes; `.grad` stays None."""
    answers.agree()


@TASK.check(
    "one backward pass", points=1, cases="one pass", draw=partials("all_partials", "len(passes)", "runs.total()")
)
def test_all_partials_in_one_pass(answers: Answers) -> None:
    """Each node runs once."""
    answers.agree()
