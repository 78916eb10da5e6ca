"""MatMul: what is right, from two sources, and what is asked."""

from __future__ import annotations

import functools
from random import Random

import numpy
import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import with_ends
from autograder.checks.draws.numbers import tensor_text
from autograder.checks.own_nodes import by_its_own_node
from autograder.checks.task import Task
from autograder.probes.programs import NODE, Program

from ..shared import by_differences, reference_of


class Composed:
    """The matrix product, batched and broadcast."""

    @staticmethod
    def apply(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return torch.matmul(a, b)


ByHand = by_differences(numpy.matmul)
REFERENCE = reference_of("MatMul", Composed, ByHand, "central differences in NumPy")

TASK = Task(
    __file__,
    minutes=10,
    concepts=("custom functions", "broadcasting"),
    section="needs_input_grad: skip unneeded gradients",
    reference=REFERENCE,
)

BATCHES = (((2,), (2,)), ((2,), ()), ((), (3,)), ((1, 3), (2, 1)), ((2, 1), (3,)))
"""Batch axes of the two factors: every kind of broadcast."""


def _factors(source: Random, batches: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Shapes of the factors and of their product; no two of the three sizes are equal."""
    n, k, m = source.sample((1, 2, 3, 4), 3)
    first, second = batches
    longest = max(len(first), len(second))
    padded = ((1,) * (longest - len(one)) + one for one in batches)
    batch = tuple(max(pair) for pair in zip(*padded, strict=True))
    return (*first, n, k), (*second, k, m), (*batch, n, m)


def _both(source: Random, batches: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[Program]:
    a, b, product = _factors(source, batches)
    text = (
        f"A = {tensor_text(source, a, requires_grad=True)}\nB = {tensor_text(source, b, requires_grad=True)}\n"
        f"upstream = {tensor_text(source, product)}\nresult = MatMul.apply(A, B)\nresult.backward(upstream)\n"
    )
    return (Program(text, ("result", "A.grad", "B.grad"), (NODE,)),)


def matrices(source: Random) -> tuple[Program]:
    """Two matrices."""
    return _both(source, ((), ()))


def one_operand(source: Random) -> tuple[Program]:
    """One of the factors is data."""
    a, b, product = _factors(source, ((), ()))
    wanted = source.choice("AB")
    text = (
        f"A = {tensor_text(source, a, requires_grad=wanted == 'A')}\n"
        f"B = {tensor_text(source, b, requires_grad=wanted == 'B')}\n"
        f"upstream = {tensor_text(source, product)}\nresult = MatMul.apply(A, B)\n"
        "with counters.operations_run() as run:\n    result.backward(upstream)\n"
    )
    return (Program(text, (f"{wanted}.grad", "run.products > 1"), (NODE,)),)


@TASK.check("two matrices", points=2, cases="matrices", draw=with_ends(matrices))
def test_mat_mul(answers: Answers) -> None:
    """The product and both gradients."""
    by_its_own_node(answers)


@TASK.check(
    "batches, broadcast", points=2, cases="batches", draw=[functools.partial(_both, batches=axes) for axes in BATCHES]
)
def test_mat_mul_batches(answers: Answers) -> None:
    """A gradient has the shape of its own operand."""
    by_its_own_node(answers)


@TASK.check("one product for one gradient", points=1, cases="one product", draw=one_operand, draws=1)
def test_mat_mul_thrift(answers: Answers) -> None:
    """What nobody needs is not computed."""
    by_its_own_node(answers)
