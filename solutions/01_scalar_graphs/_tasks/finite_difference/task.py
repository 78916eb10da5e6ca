"""finite_difference: what is right, from two sources, and what is asked."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws.ends import TINY, with_ends
from autograder.checks.draws.numbers import moderate, number
from autograder.checks.task import Case, Task
from autograder.comparison import Tolerance, agree
from autograder.diagnosis import Mistake
from autograder.probes.programs import Program
from autograder.probes.question import Question
from autograder.probes.specimens import build
from autograder.references import Reference
from autograder.references.replay import program_reference
from autograder.wire.plain import SeenTensor, Specimen

Function = Specimen | Callable[[torch.Tensor], torch.Tensor]
"""The first argument of a call, or of the call in a program."""


def function_of(f: Function) -> Callable[[torch.Tensor], torch.Tensor]:
    return build(f) if isinstance(f, Specimen) else f


def _gradient_by_autograd(f: Function, x: torch.Tensor) -> list[float]:
    leaf = x.clone().requires_grad_()
    return torch.autograd.grad(function_of(f)(leaf), leaf)[0].tolist()


def _gradient_by_five_points(f: Function, x: torch.Tensor, h: float = 1e-3) -> list[float]:
    """A five-point formula, whose error falls with h**4."""
    function, gradient = function_of(f), []
    for i in range(len(x)):
        step = torch.zeros_like(x)
        step[i] = h
        near = function(x + step) - function(x - step)
        far = function(x + 2 * step) - function(x - 2 * step)
        gradient.append(float(8 * near - far) / (12 * h))
    return gradient


SOURCES = "autograd in float64", "a five-point difference formula"
CALLS = Reference(_gradient_by_autograd, SOURCES[0], _gradient_by_five_points, SOURCES[1])
PROGRAMS = program_reference(
    "finite_difference",
    _gradient_by_autograd,
    SOURCES[0],
    lambda replay, f, x: _gradient_by_five_points(f, x),
    SOURCES[1],
)


def _reference(inputs: tuple[Any, ...]) -> Reference:
    return PROGRAMS if isinstance(inputs[0], Program) else CALLS


REFERENCE = Reference(
    lambda *inputs: _reference(inputs).oracle(*inputs),
    SOURCES[0],
    lambda *inputs: _reference(inputs).second(*inputs),
    SOURCES[1],
    changes=lambda *inputs: _reference(inputs).changes(*inputs),
)

TASK = Task(
    __file__,
    minutes=8,
    concepts=("jacobians",),
    section="Finite differences as the judge",
    reference=REFERENCE,
    tolerance=Tolerance(relative=0, of_scale=0, absolute=1e-6),
)


Number = Callable[[Random, float, float], float]


def smooth_function(source: Random) -> tuple[Specimen, torch.Tensor]:
    """A smooth function of one axis, as a specimen, and a point."""

    def vector(size: int, low: float = 0.3, high: float = 1.2, drawn: Number = moderate) -> torch.Tensor:
        return torch.tensor([drawn(source, low, high) for _ in range(size)], dtype=torch.float64)

    size = source.randint(2, 5)
    kind = source.choice(("sine_sum", "cubic", "exponential"))
    if kind == "sine_sum":
        made = Specimen(kind, {"a": vector(size), "k": vector(size), "c": moderate(source)})
    elif kind == "cubic":
        made = Specimen(kind, {"a": vector(size), "b": vector(size)})
    else:
        made = Specimen(kind, {"b": vector(size, 0.1, 0.5)})
    return made, vector(size, drawn=number)


def recording(*inputs: Any) -> Question:
    """Call the function and record the points at which it asks `f`; or run a program, which records none."""
    if isinstance(inputs[0], Program):
        return TASK.question(*inputs)
    return Question("call_recording", {"target": "finite_difference", "arguments": [*inputs]})


MOST_POINTS = 1_000
"""With more, looking for each one's partner would cost the grader more than asking cost the student."""


def points_asked(case: Case, seen: dict) -> list[torch.Tensor] | None:
    """The points at which `f` was called; None where they are not tensors like x, or too many to look at."""
    x, points = case.inputs[1], seen["points"]
    if len(points) > MOST_POINTS or not all(isinstance(point, SeenTensor) for point in points):
        return None
    return [point.data for point in points] if all(point.data.shape == x.shape for point in points) else None


def asked_in_pairs(case: Case, seen: dict) -> bool:
    """Whether, for each element, f was called at a pair of points on both sides of x."""
    paired, _ = steps_asked(case, seen)
    return paired is None or {int(step.abs().argmax()) for step in paired} == set(range(len(case.inputs[1])))


def asked_nowhere_else(case: Case, seen: dict) -> bool:
    """Whether f was called at x and at such points only."""
    _, others = steps_asked(case, seen)
    return not others


def steps_asked(case: Case, seen: dict) -> tuple[list[torch.Tensor] | None, list[torch.Tensor]]:
    """The steps from x along one element that have an opposite, and all others; None if the question does not tell."""
    if isinstance(case.inputs[0], Program):
        return None, []
    x, points = case.inputs[1], points_asked(case, seen)
    steps = [point - x for point in points or () if not torch.equal(point, x)]
    if not steps:
        return [], []
    away = torch.stack(steps)
    opposite = torch.isclose(away[:, None], -away[None], rtol=1e-4, atol=1e-12).all(dim=2).any(dim=1)
    fits = opposite & ((away != 0).sum(dim=1) == 1)
    return list(away[fits]), list(away[~fits])


BEST_STEP = 1e-5
"""About where the two errors of a central difference are equal, for functions of the size that the task names."""
ROUNDED = 2e-15
"""Steps below this fraction of an element are a few spacings of float64 long."""
NEAR = Tolerance(relative=0.02, of_scale=0, absolute=1e-6)
"""The tiniest steps are themselves rounded, by a fiftieth of their length."""


def step_mistake(f: Any, x: torch.Tensor, points: list[torch.Tensor], got: Any) -> Mistake | None:
    """The mistake of an answer that is nothing but the central differences of the points that were asked for.

    Args:
        f: the function's specimen.
        x: the point.
        points: where `f` was asked: pairs on both sides of `x`, for every element.
        got: the answer.

    Returns:
        The mistake, which names the step at the least exact element; None where the answer is another one.
    """
    function, exact = build(f), REFERENCE.oracle(f, x)
    steps, quotients = [], []
    for i in range(len(x)):
        moved = [point for point in points if point[i] != x[i] and bool((point != x).sum() == 1)]
        high, low = max(moved, key=lambda point: point[i]), min(moved, key=lambda point: point[i])
        steps.append(float(high[i] - low[i]) / 2)
        quotients.append(float(function(high) - function(low)) / (2 * steps[-1]))
    # Beside a large element a tiny step is rounded to another length; the quotient is by the one that was meant.
    whole = [i for i, step in enumerate(steps) if step > ROUNDED * abs(float(x[i]))] or [*range(len(x))]
    if not (isinstance(got, list) and len(got) == len(x)) or not agree(
        [got[i] for i in whole], [quotients[i] for i in whole], NEAR
    ):
        return None
    step = max(((steps[i], got[i], exact[i]) for i in whole), key=lambda one: abs(one[1] - one[2]))[0]
    found = copy.copy(TASK.mistake("step too large" if step > BEST_STEP else "step too small"))
    found.sentence = found.sentence.replace("The step", f"Your step of {step:.2g}", 1)
    return found


def asked_on_one_side(case: Case, seen: dict) -> bool:
    """Each element was moved by itself, and always in the same direction."""
    x, points = case.inputs[1], points_asked(case, seen) or []
    away = torch.stack([point - x for point in points if not torch.equal(point, x)] or [torch.zeros_like(x)])
    forward, backward = (away > 0).any(dim=0), (away < 0).any(dim=0)
    return bool(((away != 0).sum(dim=1) == 1).all() and (forward ^ backward).all())


def wrong_step(case: Case, seen: dict) -> Mistake | None:
    """The mistake that the points tell: only one side was asked, or a central difference took a bad step."""
    if isinstance(case.inputs[0], Program):
        return None
    if asked_on_one_side(case, seen):
        return TASK.mistake("one-sided")
    if not asked_in_pairs(case, seen):
        return None
    f, x = case.inputs
    return step_mistake(f, x, points_asked(case, seen), seen.get("result"))


def asked_in_float64(case: Case, seen: dict) -> bool:
    """Points are float64 and were never rounded to float32, unless x itself looks as if it were."""
    if isinstance(case.inputs[0], Program):
        return True
    x, points = case.inputs[1], points_asked(case, seen)
    if not points:
        return True  # the other check says what is wrong with them
    rounded = [torch.equal(point.float().double(), point) for point in points]
    return all(p.dtype == torch.float64 for p in points) and (not all(rounded) or torch.equal(x.float().double(), x))


@TASK.check("central differences", points=4, draw=with_ends(smooth_function, TINY), ask=recording)
def test_finite_difference(answers: Answers) -> None:
    """The gradient to 1e-6, from pairs of points on both sides of x, which stays as it was."""
    answers.observe(
        asked_in_float64,
        "`f` was called with points of float32 precision.",
        TASK.mistake("float32"),
    )
    answers.agree(seen_in=wrong_step)
    answers.observe(
        asked_in_pairs,
        "`f` was not called in pairs of points, one on each side of `x`.",
        TASK.mistake("not central"),
    )
    answers.observe(
        asked_nowhere_else,
        "`f` was called in pairs of points, and also at a point that is neither `x` nor one of a pair.",
    )
