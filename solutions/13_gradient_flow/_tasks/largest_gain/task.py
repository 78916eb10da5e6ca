"""largest_gain: what is right, from two sources, and what is asked."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy
import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.attempts import redrawn
from autograder.checks.draws.ends import of_size, span, with_ends
from autograder.checks.draws.numbers import tensor_text
from autograder.checks.task import Task
from autograder.comparison import Tolerance
from autograder.probes.programs import Program
from autograder.references import numeric
from autograder.references.leaves import in_double
from autograder.references.replay import Replay, before_first_use, program_reference

Function = Callable[[torch.Tensor], torch.Tensor]


def _by_power_iteration(f: Function, x: torch.Tensor, steps: int) -> float:
    """Iterate on the side of the outputs, by backward passes through a backward pass."""
    leaf = x.detach().requires_grad_()
    output = f(leaf)
    u = torch.randn_like(output)
    for _ in range(steps):
        (back,) = torch.autograd.grad(output, leaf, u, retain_graph=True)
        length = back.norm()
        if length == 0:
            return 0.0
        u = torch.func.jvp(f, (x,), (back / length,))[1]
    return u.norm().item()


def _columns(f: Function, x: torch.Tensor) -> numpy.ndarray:
    """Compute the Jacobian by central differences, in lists, so that torch makes no tensor larger than x or f(x)."""
    wide = x.detach().double()
    plain = in_double(f) if isinstance(f, nn.Module) else getattr(f, "__wrapped__", f)
    moved = ((plain(up), plain(down), up[at] - down[at]) for at, up, down in numeric.moved_both_ways(wide))
    return numpy.array([((high - low) / apart).tolist() for high, low, apart in moved])


def _by_all_singular_values(replay: Replay, f: Function, x: torch.Tensor, steps: int) -> float:
    f(x)
    return float(numpy.linalg.svd(_columns(f, x), compute_uv=False)[0])


REFERENCE = program_reference(
    "largest_gain",
    _by_power_iteration,
    "power iteration on the side of the outputs",
    _by_all_singular_values,
    "central differences, and numpy's singular values",
    second_error=5e-4,
)

TASK = Task(
    __file__,
    minutes=10,
    concepts=("jacobians",),
    section="Singular values: the largest gain",
    reference=REFERENCE,
    tolerance=Tolerance(relative=1e-3),
)


def _wide_gap(program: Program) -> bool:
    """Whether the largest singular value is well above the next, and no result of a mistake is near it."""
    names = before_first_use(program, "largest_gain")
    matrix = _columns(names["f"], names["x"]).T
    values = numpy.linalg.svd(matrix, compute_uv=False)
    if values[1] > 0.55 * values[0]:
        return False
    if matrix.shape[0] != matrix.shape[1]:
        return True
    sizes = sorted(abs(numpy.linalg.eigvals(matrix)))
    return bool(sizes[-2] < 0.6 * sizes[-1] and sizes[-1] < 0.95 * values[0])


def _square(source: Random) -> Program:
    """Draw a triangular Jacobian, whose eigenvalues are real, because they are its diagonal."""
    n = source.randint(2, 4)
    body = source.choice(("torch.tanh({m}.triu() @ x)", "torch.sin({m}.tril() @ x)", "({m}.triu() @ x.exp())"))
    return _program(source, body.format(m=tensor_text(source, (n, n))), n)


def _oblong(source: Random) -> Program:
    n = source.randint(2, 4)
    m = source.choice([size for size in (1, 2, 3, 5) if size != n])
    body = source.choice(("torch.tanh({m} @ x)", "({m} @ x) * x.sum()", "{m} @ torch.sin(x)"))
    with of_size(None):
        matrix = tensor_text(source, (m, n))
    return _program(source, f"{matrix} @ x" if span() else body.format(m=matrix), n)


def _program(source: Random, body: str, n: int) -> Program:
    text = f"f = lambda x: {body}\nx = {tensor_text(source, (n,))}{'' if span() else ' / 3'}\n"
    return Program(f"{text}result = largest_gain(f, x, {source.randint(15, 18)})\n", ("result",))


def _telling_oblong(program: Program) -> bool:
    names = before_first_use(program, "largest_gain")
    values = numpy.linalg.svd(_columns(names["f"], names["x"]), compute_uv=False)
    return bool(values[0] > 0.1 and (len(values) == 1 or values[1] < 0.55 * values[0]))


@TASK.check("as many outputs as inputs", points=2, cases="square", draw=redrawn(_square, _wide_gap))
def test_largest_gain(answers: Answers) -> None:
    """Ask where an eigenvalue could pass for the largest gain."""
    answers.agree()


@TASK.check(
    "more or fewer outputs than inputs", points=1, cases="oblong", draw=with_ends(redrawn(_oblong, _telling_oblong))
)
def test_largest_gain_oblong(answers: Answers) -> None:
    """Ask where there are no eigenvalues."""
    answers.agree()


@TASK.check("large and small gains", points=1, cases="extreme")
def test_largest_gain_extreme(answers: Answers) -> None:
    """Ask where a vector that is not kept at length 1 leaves the range of floats."""
    answers.agree()


@TASK.check("a Jacobian that is 0", points=1, cases="zero")
def test_largest_gain_of_nothing(answers: Answers) -> None:
    """Ask for 0.0 where J is 0."""
    answers.agree()


@TASK.check("calls and memory", points=2, cases="cost")
def test_largest_gain_cost(answers: Answers) -> None:
    """Count calls of f, and measure the largest tensor."""
    answers.agree()
