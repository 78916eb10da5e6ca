"""What checks said that was not true, or sent a student to the wrong lesson: each stays mended."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import torch
from torch import nn

from autograder.grader.live import judge_namespace
from autograder.verdicts.plain_text import verdict_as_text
from tests.answers import Answer, wrong_answers
from tests.submissions import cell_of, released, solution_sources


def names_of(source: str) -> dict[str, Any]:
    """A notebook's names after one cell."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(source, "<answer>", "exec"), names)
    return names


def said(task: str, source: str) -> str:
    """The check's text on one line."""
    return " ".join(verdict_as_text(judge_namespace(task, names_of(source))[0]).split())


def central(step: str) -> str:
    """A finite_difference with this step."""
    return f"""import torch
def finite_difference(f, x):
    gradient = []
    for i in range(len(x)):
        h = {step}
        away = torch.zeros_like(x)
        away[i] = h
        gradient.append(float(f(x + away) - f(x - away)) / (2 * h))
    return gradient
"""


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        ("1e-1", "Your step of 0.1 is too large: the error is truncation"),
        ("1e-3", "Your step of 0.001 is too large: the error is truncation"),
        ("1e-3 * abs(float(x[i])) + 1e-4", "Your step of 0.0016 is too large"),
        ("1e-9", "Your step of 1e-09 is too small: f changes in its last digits only"),
        ("3e-11", "Your step of 3e-11 is too small"),
        ("1e-14", "Your step of 1e-14 is too small"),
    ],
)
def test_the_step_of_a_difference_is_read_from_the_points_that_were_asked(step: str, sentence: str) -> None:
    assert sentence in said("finite_difference", central(step))


@pytest.mark.parametrize(
    "answer",
    [one for one in wrong_answers("01_scalar_graphs") if one.task == "partials_twin"],
    ids=lambda one: one.name,
)
def test_the_twin_is_told_one_mistake(answer: Answer) -> None:
    """With the gate of the first graph, the shut cases said "the gate follows the sign of `u`", which is false."""
    results = judge_namespace(answer.task, names_of(answer.source))[0].results
    assert {result.mistake for result in results if result.mistake} <= {answer.diagnosed}


@pytest.mark.parametrize("step", ["parameter.data -= lr * gradient", "parameter.data = parameter.data - lr * gradient"])
def test_a_tensor_hook_that_forgets_too_early_is_sent_to_its_own_lesson(step: str) -> None:
    text = said(
        "step_in_backward",
        f"""def step_in_backward(parameters, lr):
    def hook_of(parameter):
        def hook(gradient):
            {step}
            parameter.grad = None
        return parameter.register_hook(hook)
    return [hook_of(parameter) for parameter in parameters]
""",
    )
    assert "a hook that receives the gradient runs before it is accumulated" in text
    assert "Read again: lesson 04, “Post-accumulate-grad hooks”." in text
    assert "lesson 02" not in text


class Model(nn.Module):
    """A model that writes into what its first child puts out."""

    def __init__(self, first: nn.Module, written: Any) -> None:
        super().__init__()
        self.first, self.written = first, written

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.first(2 * x)
        self.written(h)
        return h * h


CURVES = {"none": nn.Identity, "tanh": nn.Tanh, "sigmoid": nn.Sigmoid, "softplus": nn.Softplus, "elu": nn.ELU}
IN_PLACE = {
    "relu_": nn.functional.relu_,
    "mul_": lambda h: h.mul_(3),
    "zero_": lambda h: h.zero_(),
    "through a detached view": lambda h: h.detach().abs_(),
}
NEED_THEIR_OUTPUT = {"tanh", "sigmoid"}


@pytest.mark.parametrize(("curve", "written"), list(itertools.product(CURVES, IN_PLACE)))
def test_first_layer_inside_is_solved_on_all_that_its_statement_allows(curve: str, written: str) -> None:
    """The published solution raised where the model wrote into Tanh's output, which the statement allowed."""
    torch.manual_seed(0)
    first = nn.Sequential(nn.Linear(2, 3), CURVES[curve]()).double()
    x = torch.tensor([[0.5, -1.0]], dtype=torch.float64)
    kept: list[int] = []
    with torch.autograd.graph.saved_tensors_hooks(lambda one: kept.append(one.data_ptr()) or one, lambda one: one):
        output = first(2 * x.requires_grad_())
    allowed = output.data_ptr() not in kept
    assert allowed is (curve not in NEED_THEIR_OUTPUT)
    if not allowed:
        statement = " ".join(cell_of(released("07_jacobians"), "about_first_layer_inside").source.split())
        assert "though into nothing that the backward pass of `first` needs" in statement
        return
    solve = names_of(solution_sources("07_jacobians")["first_layer_inside"])["first_layer_inside"]
    found = solve(Model(first, IN_PLACE[written]), x.detach())
    expected = torch.autograd.functional.jacobian(lambda x: first(2 * x)[0], x.detach())[:, 0]
    torch.testing.assert_close(found, expected)
