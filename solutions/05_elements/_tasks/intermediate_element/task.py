"""intermediate_element: what is right, from two sources, and what is asked."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random

import torch
from torch import nn

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import span, with_ends
from autograder.checks.draws.numbers import coefficients, tensor_text
from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.references.numeric import gradient
from autograder.references.replay import Replay, program_reference

from ..shared import Draw

Function = Callable[[torch.Tensor], torch.Tensor]


def _intermediate_element(f: Function, g: Function, x: torch.Tensor, i: int) -> float:
    h = f(x).detach().clone().requires_grad_()
    return torch.autograd.grad(g(h), h)[0][i].item()


def _intermediate_element_numeric(replay: Replay, f: Function, g: Function, x: torch.Tensor, i: int) -> float:
    wide = copy.deepcopy(g).double() if isinstance(g, nn.Module) else g  # float32 would leave noise
    return gradient(wide, f(x).detach().double())[i].item()


REFERENCE = program_reference(
    "intermediate_element",
    _intermediate_element,
    "autograd in float64, the graph cut at h",
    _intermediate_element_numeric,
    "central differences of g at h",
)

TASK = Task(__file__, minutes=6, concepts=("leaves",), section="Elements of intermediate tensors", reference=REFERENCE)

FS = (
    ("lambda x: A @ x", "A", lambda m, n: (n, m), lambda m, n: n),
    ("lambda x: torch.tanh(A @ x)", "A", lambda m, n: (n, m), lambda m, n: n),
    ("lambda x: torch.cumsum(A * x**3, 0)", "A", lambda m, n: (m,), lambda m, n: m),
    ("lambda x: torch.outer(x, A * x).flatten()", "A", lambda m, n: (m,), lambda m, n: m * m),
    ("lambda x: torch.cat([A * x.flip(0), torch.sin(x)])", "A", lambda m, n: (m,), lambda m, n: 2 * m),
)
"""Functions from m to n elements: text, the name of their coefficients, the shape of those, the size of h."""

GS = (
    "lambda h: (c * h**3).sum()",
    "lambda h: (c * h).sum() ** 2 + h[0] * h[-1]",
    "lambda h: torch.sqrt(1 + (h * h).sum()) * c.sum()",
    "lambda h: (c * torch.sin(h)).sum() * h.sum()",
    "lambda h: (c * h.flip(0) * h).sum().reshape(1) + (h**2).sum()",
)
"""Functions of h with coefficients c like h; their output has one element."""


def intermediate_element(*shown: str) -> Draw:
    """Functions f and g, the calls of f counted."""

    def draw(source: Random) -> tuple[Program]:
        m, n = source.randint(2, 3), source.randint(2, 4)
        f, name, shape, size = source.choice(FS[:1] if span() else FS)
        n = size(m, n)
        i = source.randrange(-min(m, n), min(m, n))
        text = (
            f"{name} = {coefficients(source, shape(m, n))}\n"
            f"c = {coefficients(source, (n,))}\n"
            f"f = counters.counted({f})\n"
            f"g = {source.choice(GS[1::3] if span() else GS)}\n"
            f"x = {tensor_text(source, (m,))}\n"
            f"result = intermediate_element(f, g, x, {i})\n"
        )
        return (Program(text, shown),)

    return draw


def intermediate_models(*shown: str) -> Draw:
    """The same with models, whose parameters may have been trained on before."""

    def draw(source: Random) -> tuple[Program]:
        m, n = source.randint(2, 4), source.randint(2, 4)
        i = source.randrange(-min(m, n), min(m, n))
        middle = source.choice(("nn.Tanh()", "nn.Sigmoid()", "nn.Softplus()"))
        text = (
            f"torch.default_generator.manual_seed({source.randrange(1000)})\n"
            f"f = nn.Linear({m}, {n}).double()\n"
            f"g = nn.Sequential(nn.Linear({n}, 3), {middle}, nn.Linear(3, 1)).double()\n"
            "f_weight, g_weight = f.weight, g[0].weight\n"
            f"x = {tensor_text(source, (m,))}\n"
        )
        text += source.choice(("", f"f_weight.grad = {tensor_text(source, (n, m))}\n"))
        return (Program(f"{text}result = intermediate_element(f, g, x, {i})\n", shown),)

    return draw


@TASK.check("the derivative", points=3, cases="values", draw=with_ends(intermediate_element("result")), draws=5)
def test_intermediate_element(answers: Answers) -> None:
    """For functions f and g of several kinds."""
    answers.agree()


@TASK.check("`f` called once", points=1, cases="once", draw=intermediate_element("result", "len(f.calls)"))
def test_intermediate_element_calls_f_once(answers: Answers) -> None:
    """h is made once, and kept."""
    answers.agree()


@TASK.check(
    "`x` and the models as they were",
    points=1,
    cases="as it was",
    draw=intermediate_models("result"),
    damage=True,
)
def test_intermediate_element_leaves_no_traces(answers: Answers) -> None:
    """No parameter's `.grad` is filled or cleared."""
    answers.agree()
