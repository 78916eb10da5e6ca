"""Where no mistake has a name, a card says how and where numbers are wrong; other arguments are recognised."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch

from autograder.checks.contrasting import Contrasts
from autograder.checks.handed_over import bound_elsewhere
from autograder.checks.task import Task
from autograder.diagnosis.explaining import Judged
from autograder.diagnosis.general import GENERAL
from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.two_mistakes import Two
from autograder.grader.live import judge_namespace
from autograder.tasks.altered_arguments import altered_arguments
from autograder.verdicts.verdict import Result
from tests.chosen import CHOOSING
from tests.plain_values import seen

whole_course = pytest.mark.skipif(CHOOSING, reason="asks tasks of several exercises")


def first_missed(task: str, source: str) -> Result:
    """The first check that an answer does not pass."""
    names: dict[str, Any] = {"torch": torch}
    exec(source, names)
    return next(result for result in judge_namespace(task, names)[0].results if not result.points)


SCORED = "def smallest_epsilon(w, b, x):\n    right = (x @ w + b).abs() / w.abs().sum()\n"


@whole_course
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("return right * (1 + 3 * b)", "Each wrong number is the right one times one factor in each question"),
        ("return right * (1 + 3 * b) + (x * x).sum(1)", ""),  # nothing that is short fits
        ("return right + b", "Each wrong number is the right one plus `b`."),
        ("return -2 * right + b", ""),
    ],
)
def test_what_has_no_name_is_related_to_what_was_handed_over(wrong: str, said: str) -> None:
    missed = first_missed("smallest_epsilon", f"{SCORED}    {wrong}\n")
    assert missed.mistake == ""
    assert said in missed.seen
    assert said or "Each wrong number" not in missed.seen


VALUES = "def forward_values(x, w, b):\n    u, v = x * w, x * w + b\n    a = max(v, 0.0)\n"


@whole_course
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            "return dict(u=v, v=u, a=7.5)",
            "`['u']` is the right `['v']`. Each wrong number of `['v']` is the right `['u']`.",
        ),
        (
            "return dict(u=u, v=v, a=max(v, 0.2 * v))",
            "where the right `['v']` is negative, is 0.2 times the right `['v']`",
        ),
        ("return dict(u=w, v=v, a=a)", "Each wrong number of `['u']` is `w`."),
        ("return dict(u=max(u, 0.0), v=v, a=a)", "number of `['u']`, where the right number is negative, is 0."),
        ("return dict(u=u + math.sin(9 * b), v=v, a=a)", ""),
        ("return dict(u=1.37 * u, v=v, a=a)", "number of `['u']` is the right one times 1.37."),
        ("return dict(u=1.37 * u, v=0.58 * v, a=a)", ""),  # two factors, neither of which tells
    ],
)
def test_what_has_no_name_is_related_key_by_key(wrong: str, said: str) -> None:
    missed = first_missed("forward_values", f"import math\n{VALUES}    {wrong}\n")
    assert said in missed.seen
    assert said or "Each wrong number" not in missed.seen


PUSHED = """def push_towards(model, x, goal, rate, steps):
    for step in range(steps):
        leaf = x.detach().clone().requires_grad_()
        loss = torch.nn.functional.mse_loss(model(leaf), goal)
        (gradient,) = torch.autograd.grad(loss, leaf)
        {}
        x = x - rate * gradient
    return x
"""


@whole_course
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("gradient = gradient * 1.7**step", "exactly those where `steps` is above 1 are answered wrongly."),
        ("gradient = gradient + 0.1 * torch.rand_like(x)", "Your function draws random numbers, so the same arguments"),
        ("push_towards.calls += 1; gradient = gradient * 1.1**push_towards.calls", "Your second call with the same"),
        ("gradient = (gradient * 16).round() / 16 + gradient * 1e-4", ""),
    ],
)
def test_what_separates_wrong_questions_is_said(line: str, said: str) -> None:
    missed = first_missed("push_towards", PUSHED.format(line) + "push_towards.calls = 0\n")
    assert said in missed.seen
    assert said or not any(words in missed.seen for words in ("exactly those", "random", "second call"))


SAID_OF_ONE_PROGRAM = {
    "one_at_a_time": (
        """import torch

def one_at_a_time(output, nodes):
    inner_first = sorted(nodes, key=lambda node: node.is_leaf)
    return tuple(torch.autograd.grad(output, node, retain_graph=True)[0].squeeze() for node in inner_first)
""",
        "in each other's places: `result[",
    ),
    "mean_loss": (
        """import torch

def mean_loss(model, loss_fn, batches):
    count = sum(1 for _ in batches)
    with torch.no_grad():
        return sum(loss_fn(model(inputs), y).item() for inputs, y in batches) / count
""",
        "exactly those where `batches` can be gone through only once, as a generator can are answered wrongly.",
    ),
    "finite_difference": (
        """def finite_difference(f, x):
    return [float(f(x + 0.3) - f(x)) / 0.3] * len(x)
""",
        "all your numbers of one question are the same",
    ),
    "gradient_of_vector": (
        """import torch

def gradient_of_vector(y, x, upstream):
    return torch.autograd.grad(y, x, upstream if y.dim() else None)[0]
""",
        "this one is about: an output without axes",
    ),
}


@whole_course
@pytest.mark.parametrize("task", SAID_OF_ONE_PROGRAM)
def test_what_a_program_shows_is_said(task: str) -> None:
    cell, said = SAID_OF_ONE_PROGRAM[task]
    assert said in first_missed(task, cell).seen


RETURNED_GRADS = """import torch

def token_accumulation(model, batches, ignore_index=-100):
    model.zero_grad(set_to_none=False)
    total = sum(int((targets != ignore_index).sum()) for _, targets in batches)
    for X, targets in batches:
        loss = torch.nn.functional.cross_entropy(
            model(X).transpose(1, 2), targets.long(), ignore_index=ignore_index, reduction="sum")
        (loss / total).backward()
        del loss
    return [p.grad for p in model.parameters()]
"""


@whole_course
def test_a_result_that_a_later_call_overwrites_is_named() -> None:
    said = first_missed("token_accumulation", RETURNED_GRADS).seen
    assert "`result[0]` holds the numbers that belong in `tiny[0]`. Does a call change what an earlier one" in said


def test_quantities_of_one_call_explain_no_result_of_another() -> None:
    text = "w = torch.ones(2)\nresult = f(w)\nzeros, other = f(0 * w)\nplain = w + 1\n"
    assert bound_elsewhere(text, "f") == {"zeros", "other"}
    assert bound_elsewhere("first = f(1)\nsecond = f(first)\n", "f") == {"second"}


def test_nan_beside_a_named_mistake_is_no_second_one() -> None:
    nan = next(one for one in GENERAL if one.name == "not a number")
    both = Two(Mistake("one per unit", "You divided every unit by its own."), nan)
    assert both.sentence.endswith("You divided every unit by its own. Others contain nan, which may follow from it.")


@whole_course
def test_a_sum_over_ways_is_named_where_one_replaces_another() -> None:
    source = """class Value:
    def __init__(self, data, inputs=()):
        self.data, self.inputs, self.grad = data, inputs, 0.0

    def derivative(self, node):
        found = {id(self): 1.0}
        for one in reversed(self.order([])):
            for source, local in one.inputs:
                found[id(source)] = local * found[id(one)]
        return found.get(id(node), 0.0)

    def order(self, met):
        if not any(self is one for one in met):
            for source, _ in self.inputs:
                source.order(met)
            met.append(self)
        return met
"""
    for sign, name, here, there in (("+", "add", "1.0", "1.0"), ("*", "mul", "other.data", "self.data")):
        source += f"""
    def __{name}__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data {sign} other.data, ((self, {here}), (other, {there})))

    __r{name}__ = __{name}__
"""
    source += """
    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + -1.0 * other

    def __rsub__(self, other):
        return other + -self

    def __pow__(self, other):
        if not isinstance(other, Value):
            slope = other * self.data ** (other - 1) if other else 0.0
            return Value(self.data**other, ((self, slope),))
        power = self.data**other.data
        slope = other.data * self.data ** (other.data - 1) if other.data else 0.0
        return Value(power, ((self, slope), (other, power * math.log(self.data) if self.data > 0 else 0.0)))

    def __rpow__(self, other):
        return Value(other) ** self

    def __truediv__(self, other):
        return self * other**-1

    def __rtruediv__(self, other):
        return other * self**-1
"""
    missed = first_missed("value_arithmetic", f"import math\n{source}")
    assert missed.mistake == "ways not added up"


SQUARE = cast(Task, SimpleNamespace(name="Cube", target="square", solution="def square(x): return x * x"))


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        (lambda x: x < 0, " Numbers are wrong only where `x` is negative."),
        (lambda x: x == x, ""),  # everywhere is no place
    ],
)
def test_what_has_a_name_without_a_cause_is_placed(spoilt: Callable[[torch.Tensor], torch.Tensor], said: str) -> None:
    judged = []
    for seed in range(3):
        x = torch.randn(9, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
        got = torch.where(spoilt(x), -x * x, x * x)
        judged.append(Judged((x,), x * x, seen(got), is_right=False))
    assert Contrasts(SQUARE, judged).placed() == said


def right(x: torch.Tensor, other: torch.Tensor, times: int, scale: float) -> torch.Tensor:
    """A solution with arguments of three kinds."""
    return scale * (x - other) * times


def predicted(name: str) -> list[Any]:
    """What the mistakes of a name predict for two tensors, 2 and 0.5."""
    inputs = torch.tensor([5.0, 7.0]), torch.tensor([1.0, 4.0]), 2, 0.5
    mistakes = [one for one in altered_arguments(right, lambda way: way) if one.name == name]
    return [one.answer(*inputs).tolist() for one in mistakes if one.answer is not None]


@pytest.mark.parametrize(
    ("name", "predictions"),
    [
        ("x and other exchanged", [[-4.0, -3.0]]),
        ("times: off by one", [[6.0, 4.5], [2.0, 1.5]]),
        ("scale: a number squared", [[2.0, 1.5]]),
        ("x: only the first row", [[4.0, 1.0]]),
        ("other and times exchanged", []),
        ("x: left out", [[0.0, -3.0]]),
        ("scale: the other sign", [[-4.0, -3.0]]),
        ("times: a number left out", [[2.0, 1.5]]),
        ("times: a number squared", []),
        ("scale: off by one", []),
        ("x: in reverse order", []),
    ],
)
def test_the_right_answer_for_altered_arguments(name: str, predictions: list[Any]) -> None:
    assert predicted(name) == predictions


def test_what_may_be_anything_is_altered_in_every_way_that_applies() -> None:
    names = {one.name for one in altered_arguments(lambda x: x, lambda way: way)}
    assert {"x: off by one", "x: in reverse order", "x: probability for logit"} <= names


def test_a_class_has_no_altered_arguments() -> None:
    assert list(altered_arguments(dict, lambda way: way)) == []
