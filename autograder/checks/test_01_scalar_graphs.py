"""Checks of exercise 01: derivatives along a graph, by hand."""

from __future__ import annotations

import torch

from autograder.checks.answers import Answers
from autograder.checks.draws import scalar_graphs as draws
from autograder.checks.task import Case, Task
from autograder.comparison import Tolerance
from autograder.diagnosis import scalar_graphs as mistakes
from autograder.diagnosis.engines import graph_of_values
from autograder.diagnosis.hypothesis import Mistake
from autograder.probes.question import Question
from autograder.references import PublicCase, public_cases
from autograder.references import scalar_graphs as reference
from autograder.wire.plain import SeenTensor, Specimen

EXERCISE = "01_scalar_graphs"
TOY = [(source, target, None) for source, target in ("xu", "wu", "uv", "bv", "va")]


def cases(task: str, group: str | None = None) -> list:
    """The public cases of this exercise."""
    return public_cases(EXERCISE, task, group)


FORWARD = Task(
    "forward_values",
    EXERCISE,
    minutes=5,
    section="The toy graph",
    reference=reference.forward_values,
    mistakes=mistakes.FORWARD_VALUES,
    graph=lambda *inputs: (TOY, {}),
)


@FORWARD.check("values of u, v and a", points=2, cases=cases("forward_values"), draw=draws.gate_either)
def test_forward_values(answers: Answers) -> None:
    """u, v and a, with the gate open and shut."""
    answers.agree()


PARTIALS = Task(
    "partials",
    EXERCISE,
    minutes=8,
    section="Products along paths",
    reference=reference.partials,
    mistakes=mistakes.PARTIALS,
    graph=lambda *inputs: (TOY, {}),
)


@PARTIALS.check("the gate open", points=2, cases=cases("partials", "open"), draw=draws.gate_open(1, 1))
def test_partials_open(answers: Answers) -> None:
    """v > 0."""
    answers.agree()


@PARTIALS.check("the gate shut, or at its edge", points=1, cases=cases("partials", "shut"), draw=draws.gate_shut(1, 1))
def test_partials_shut(answers: Answers) -> None:
    """v <= 0: all partials are 0."""
    answers.agree()


TWIN = Task(
    "partials_twin",
    EXERCISE,
    minutes=8,
    section="The twin that tells names apart",
    reference=reference.partials_twin,
    mistakes=mistakes.PARTIALS_TWIN,
    graph=lambda *inputs: (TOY, {}),
)


@TWIN.check("the gate open", points=2, cases=cases("partials_twin", "open"), draw=draws.gate_open(2, 5))
def test_twin_open(answers: Answers) -> None:
    """v > 0: five different numbers."""
    answers.agree()


@TWIN.check(
    "the gate shut, or at its edge",
    points=1,
    cases=cases("partials_twin", "shut"),
    draw=draws.gate_shut(2, 5),
)
def test_twin_shut(answers: Answers) -> None:
    """v <= 0 with the twin's own v."""
    answers.agree()


PATHS = Task(
    "path_sum",
    EXERCISE,
    minutes=15,
    section="Sums over paths",
    reference=reference.path_sum,
    mistakes=mistakes.PATH_SUM,
)


def _diamonds(count: int) -> PublicCase:
    """Diamonds in a row, each with two ways through: a sum of 2**count products."""
    edges = []
    for i in range(count):
        edges += [(f"n{i}", f"p{i}", 0.5), (f"n{i}", f"q{i}", -0.25)]
        edges += [(f"p{i}", f"n{i + 1}", 3.0), (f"q{i}", f"n{i + 1}", 2.0)]
    return PublicCase((edges, "n0", f"n{count}"), 1.0)  # each contributes 0.5 * 3 - 0.25 * 2 = 1


@PATHS.check("sums over paths", points=3, cases=cases("path_sum", "sums"), draw=draws.layered_graph)
def test_path_sum(answers: Answers) -> None:
    """Small graphs, edges in any order."""
    answers.arguments_unchanged()
    answers.agree()


@PATHS.check("forty diamonds in a row", points=1, cases=[_diamonds(40)])
def test_path_sum_shares_work(answers: Answers) -> None:
    """2**40 paths."""
    answers.agree()


DIFFERENCE = Task(
    "finite_difference",
    EXERCISE,
    minutes=15,
    section="Finite differences as the judge",
    reference=reference.finite_difference,
    mistakes=mistakes.FINITE_DIFFERENCE,
    tolerance=Tolerance(relative=0, of_scale=0, absolute=1e-6),  # the contract states the error
)


def recording(f: Specimen, x: torch.Tensor) -> Question:
    """Call the function and record the points at which it asks `f`."""
    return Question("call_recording", {"target": "finite_difference", "arguments": [f, x]})


MOST_POINTS = 1_000
"""With more, looking for each one's partner would cost the grader more than asking cost the student."""


def points_asked(case: Case, seen: dict) -> list[torch.Tensor] | None:
    """The points at which `f` was called; None where they are not tensors like x, or too many to look at."""
    x, points = case.inputs[1], seen["points"]
    if len(points) > MOST_POINTS or not all(isinstance(point, SeenTensor) for point in points):
        return None
    return [point.data for point in points] if all(point.data.shape == x.shape for point in points) else None


def asked_in_pairs(case: Case, seen: dict) -> bool:
    """Each point, apart from x itself, has a partner on the other side of x, and only one element moved."""
    x, points = case.inputs[1], points_asked(case, seen)
    if points is None:
        return False
    steps = [point - x for point in points if not torch.equal(point, x)]
    moved = {int(step.abs().argmax()) for step in steps if (step != 0).sum() == 1}
    if moved != set(range(len(x))):
        return False
    away = torch.stack(steps)
    partners = torch.isclose(away[:, None], -away[None], rtol=1e-4, atol=1e-12).all(dim=2)
    return bool(partners.any(dim=1).all())


def wrong_step(case: Case, seen: dict) -> Mistake | None:
    """The step's mistake, where the answer is a central difference of the points that were asked for."""
    if not asked_in_pairs(case, seen):
        return None
    f, x = case.inputs
    return mistakes.step_mistake(f, x, points_asked(case, seen), seen.get("result"))


def asked_in_float64(case: Case, seen: dict) -> bool:
    """Points are float64 and were never rounded to float32, unless x itself looks as if it were."""
    x, points = case.inputs[1], points_asked(case, seen)
    if not points:
        return True  # the other check says what is wrong with them
    rounded = [torch.equal(point.float().double(), point) for point in points]
    return all(p.dtype == torch.float64 for p in points) and (not all(rounded) or torch.equal(x.float().double(), x))


@DIFFERENCE.check(
    "central differences",
    points=4,
    cases=cases("finite_difference"),
    draw=draws.smooth_function,
    ask=recording,
)
def test_finite_difference(answers: Answers) -> None:
    """The gradient to 1e-6, from pairs of points on both sides of x, which stays as it was."""
    answers.arguments_unchanged()
    answers.observe(
        asked_in_float64,
        "`f` was called with points of float32 precision.",
        DIFFERENCE.mistake("float32"),
    )
    answers.agree(seen_in=wrong_step)
    answers.observe(
        asked_in_pairs,
        "`f` was not called in pairs of points, one on each side of `x`.",
        DIFFERENCE.mistake("not central"),
    )


VALUE = Task(
    "Value",
    EXERCISE,
    minutes=45,
    section="A scalar engine from nothing",
    reference=reference.value,
    mistakes=mistakes.VALUE,
    graph=graph_of_values,
)
OPERATORS = ("{p} + {q}", "{p} * {q}", "{p} - {q}", "-{p}", "{p} / a", "{p} ** 2", "a ** b", "{p} * {p}")
FUNCTIONS = ("{p}.relu()", "({p} * 0.1).exp()", "({p} * {p} + 1).log()", "{p}.tanh()", "{p} * {q}")
NUMBERS = (
    "{n} - {p}",
    "{n} / a",
    "{n} * {p}",
    "{n} + {p}",
    "{n} ** b",
    "{p} - {n}",
    "{p} / {n}",
    "{p} + {n}",
)


@VALUE.check("operators", points=3, cases=cases("Value", "operators"), draw=draws.program(*OPERATORS))
def test_value_operators(answers: Answers) -> None:
    """+ - * / ** and unary minus between nodes."""
    answers.agree()


@VALUE.check("functions", points=2, cases=cases("Value", "functions"), draw=draws.program(*FUNCTIONS))
def test_value_functions(answers: Answers) -> None:
    """relu, exp, log, tanh; relu at 0."""
    answers.agree()


@VALUE.check(
    "numbers on either side",
    points=1,
    cases=cases("Value", "numbers"),
    draw=draws.program(*NUMBERS),
)
def test_value_numbers(answers: Answers) -> None:
    """Plain numbers as operands, left and right."""
    answers.agree()


@VALUE.check(
    "each node once, after all its uses",
    points=2,
    cases=cases("Value", "order"),
    draw=draws.program("{p} + {q}", "{p} * {q}", "{p} * {p}"),
)
def test_value_order(answers: Answers) -> None:
    """Nodes used several times; nested diamonds; equal numbers in different nodes."""
    answers.agree()


@VALUE.check("a second backward", points=1, cases=cases("Value", "second"))
def test_value_second_backward(answers: Answers) -> None:
    """Leaves hold twice as much."""
    answers.agree()


@VALUE.check("a chain of 10,000 nodes", points=1, cases=cases("Value", "chain"), ask=VALUE.question_once)
def test_value_long_chain(answers: Answers) -> None:
    """Deeper than Python's recursion limit."""
    answers.agree()


FIT = Task(
    "fit_neuron",
    EXERCISE,
    minutes=15,
    section="Fitting one neuron",
    reference=reference.fit_neuron,
    mistakes=mistakes.FIT_NEURON,
)


def counting_passes(xs: list, ys: list, steps: int, lr: float) -> Question:
    """Call the function and count the backward passes of the notebook's Value."""
    inputs = {"target": "fit_neuron", "arguments": [xs, ys, steps, lr], "method": "Value.backward"}
    return Question("call_counting", inputs)


@FIT.check("w and b after some steps", points=4, cases=cases("fit_neuron"), draw=draws.fit_data, ask=counting_passes)
def test_fit_neuron(answers: Answers) -> None:
    """Gradient descent on the mean squared error, with the notebook's own engine."""
    answers.agree()
    answers.observe(
        lambda case, seen: seen["count"] >= case.inputs[2],
        "`Value.backward` ran less often than there are steps.",
        FIT.mistake("Value not used"),
    )
    answers.arguments_unchanged()
