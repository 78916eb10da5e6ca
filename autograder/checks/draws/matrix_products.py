"""Draws of MatMul: matrices of fitting shapes, batched and broadcast, one of them without a gradient."""

from __future__ import annotations

from random import Random

from autograder.checks.draws.custom_functions import NODE
from autograder.checks.draws.numbers import tensor_text
from autograder.probes.programs import Program

BATCHES = (((2,), (2,)), ((2,), ()), ((), (3,)), ((1, 3), (2, 1)), ((2, 1), (3,)))
"""Batch axes of the two factors."""


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


def batches(source: Random) -> tuple[Program]:
    """Batches of matrices that broadcast."""
    return _both(source, source.choice(BATCHES))


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
