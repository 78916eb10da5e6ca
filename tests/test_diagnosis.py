"""Hypotheses predict, differ from what is right and from each other, and choose by all cases."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest
import torch

from autograder.comparison import agree
from autograder.diagnosis import absences
from autograder.diagnosis.altered_autograd import autograd_mistakes, no_return
from autograder.diagnosis.exceptions import finding_of_error
from autograder.diagnosis.explaining import Judged, explain
from autograder.diagnosis.general import GENERAL
from autograder.diagnosis.hypothesis import CONFIRMED, MOST_PASSING, Finding, Mistake, keep_answers_to, memoised
from autograder.probes.programs import Program
from autograder.references.runs import outcome

MATRIX = torch.tensor([[1.0, -2.0, 4.0], [0.5, 3.0, -7.0]])


@pytest.mark.parametrize(
    ("expected", "got", "name"),
    [
        ({"x": 2.0, "w": 3.0}, {"x": -2.0, "w": -3.0}, "sign"),
        ({"x": 2.0, "w": 3.0}, {"x": 3.0, "w": 2.0}, "under another name"),
        ([2.0, 3.0], [0.0, 0.0], "always zero"),
        ({"runs.total()": 3}, {"runs.total()": 0}, None),
        ([2.0, -3.0], [6.0, -9.0], "a constant factor"),
        ([2.0, -3.0], [0.5, -0.75], "a constant factor"),
        ([2.0, -3.0], [2.0, 3.0], "absolute value"),
        ([2.0, -3.0], [2.0, float("nan")], "not a number"),
        ([2.0, -3.0], [2.5, -3.0], None),
        (MATRIX, MATRIX.mT, "transposed"),
        (MATRIX, MATRIX.sum(0), "summed over an axis"),
        (MATRIX, MATRIX.sum(1, keepdim=True), "summed over an axis"),
        (MATRIX, MATRIX.mean(1), "averaged over an axis"),
        (MATRIX, MATRIX.cumsum(0), "added up from entry to entry"),
        (MATRIX, MATRIX[-1:].expand(2, 3), "one result repeated"),
        (MATRIX, MATRIX.reshape(1, 2, 1, 3), "another shape"),
        (MATRIX, MATRIX.double(), "another dtype"),
        (MATRIX, (MATRIX,), "left in a tuple"),
        (MATRIX, None, "None instead of a gradient"),
        ((MATRIX, MATRIX[0]), (MATRIX, None), "None instead of a gradient"),
        ((MATRIX[0], MATRIX[1]), (MATRIX[1], MATRIX[0]), "under another name"),
        ([1.0, 2.0, 4.0], [1.0, 3.0, 7.0], "added up from entry to entry"),
        ([1.0, 2.0, 4.0], [4.0, 4.0, 4.0], "one result repeated"),
        ((MATRIX, MATRIX[0]), (MATRIX.mT, MATRIX[0]), "transposed"),
        (MATRIX, -MATRIX, "sign"),
        (MATRIX, MATRIX * 0, "always zero"),
        (MATRIX, MATRIX / 3, "a constant factor"),
    ],
)
def test_general_mistakes_are_recognised(expected: object, got: object, name: str | None) -> None:
    found = explain([Judged((), expected, got, is_right=False)], GENERAL)
    assert (found.name if found else None) == name


GRAPH = """
x = torch.tensor([1.0, -2.0, -3.0], requires_grad=True)
w = torch.tensor([2.0, 0.5, -1.0], requires_grad=True)
h = torch.relu(x * w)
y = h * h + h
upstream = torch.tensor([2.0, 1.0, -3.0])
result = task(y, x, upstream)
"""
SHOWN = ("result", "x", "x.grad", "result.requires_grad")


def right(y: torch.Tensor, x: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor:
    (gradient,) = torch.autograd.grad(y, x, upstream)
    return gradient


def local_only(y: torch.Tensor, x: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor:
    return torch.tensor([2.0, 0.0, 1.0])


def gate_forgotten(y: torch.Tensor, x: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor:
    h = torch.tensor([2.0, 0.0, 3.0])
    return upstream * (2 * h + 1) * torch.tensor([2.0, 0.5, -1.0])


@pytest.mark.parametrize(
    ("implementation", "name"),
    [
        (lambda y, x, upstream: right(y, x, torch.ones(3)), "upstream gradient ignored"),
        (gate_forgotten, "relu's gate forgotten"),
        (lambda y, x, upstream: y.detach(), "a value instead of a gradient"),
        (
            lambda y, x, upstream: right(y, y, upstream) * 0 + torch.tensor([5.0, 1.0, 7.0]),
            "gradient of something else",
        ),
        (
            lambda y, x, upstream: torch.autograd.grad(y, x, upstream, create_graph=True)[0],
            "attached where data was wanted",
        ),
        (lambda y, x, upstream: None, "None returned"),
        (local_only, None),
    ],
)
def test_general_mistakes_of_programs_are_recognised(implementation: Callable, name: str | None) -> None:
    program = Program(GRAPH, SHOWN)

    def oracle(program: Program) -> dict:
        return outcome(program, "task", right)

    judged = Judged((program,), oracle(program), outcome(program, "task", implementation), is_right=False)
    found = explain([judged], [no_return("task"), *GENERAL, *autograd_mistakes("task", oracle)])
    assert (found.name if found else None) == name


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("u.retain_grad()\n(u * u).backward()", None),
        ("(u * u).backward()\nu.retain_grad()", "retained too late"),
        ("(u * u).backward()", "never retained"),
    ],
)
def test_whether_and_when_a_gradient_was_retained_is_seen(line: str, name: str | None) -> None:
    text = "x = torch.tensor(2.0, requires_grad=True)\nu = x * 3\n"
    shown = ("u.grad",)
    right_program = Program(f"{text}u.retain_grad()\n(u * u).backward()\n", shown, ("u.retains_grad",))
    expected = {"u.grad": outcome(right_program, "task", None)["u.grad"]}
    got = outcome(dataclasses.replace(right_program, text=f"{text}{line}\n"), "task", None)
    found = explain([Judged((right_program,), expected, got, is_right=agree(got, expected))], GENERAL)
    assert (found.name if found else None) == name


@pytest.mark.parametrize(
    ("flag", "found"),
    [(False, (False, True)), (True, (True, False)), ([], (False, False)), ("True", (False, False))],
)
def test_only_the_tensor_that_lacks_its_gradient_tells_why(flag: object, found: tuple[bool, bool]) -> None:
    got = {"u.grad": 1.0, "u.retains_grad": True, "v.grad": None, "v.retains_grad": flag}
    changes = (absences.retained_too_late, absences.never_retained)
    assert tuple(change({"v.grad": 1.0}, got) is CONFIRMED for change in changes) == found


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("y = (x * x).sum()\ny.backward()\ny.backward()", "graph already freed"),
        ("torch.autograd.grad((x * x).sum(), torch.ones(2, requires_grad=True))", "not part of the graph"),
        ("(x * x).backward()", "gradient of a vector"),
        ("x.detach().sum().backward()", "no graph behind it"),
        ("torch.autograd.grad((x * x).sum(), torch.ones(2))", "gradient of plain data"),
        ("torch.ones(2).retain_grad()", "nothing to retain"),
        ("x[-1:0].sum(0, keepdim=True)[1:].item()", "an empty tensor taken for a number"),
        ("x.item()", "several numbers taken for one"),
        ("float(x)", "several numbers taken for one"),
        ("x.detach().numpy().item()", "several numbers taken for one"),
        (
            "torch.nn.functional.cross_entropy(x, torch.tensor([0])).backward()",
            "logits without their batch axis",
        ),
        ("def count():\n    for n in []:\n        pass\n    return n\ncount()", "a name without a value yet"),
        ("torch.ones(2, 2) @ torch.ones(2, 2).double()", "two dtypes"),
        ("torch.dot(x, x.double())", "two dtypes"),
        ("torch.linalg.solve(torch.eye(2), torch.ones(2).double())", "two dtypes"),
        ("torch.conv1d(torch.ones(1, 1, 3), torch.ones(1, 1, 2).double())", "two dtypes"),
        ("torch.zeros(2)[torch.tensor([0, 1])] = torch.ones(2).double()", "two dtypes"),
        ("torch.ones(2, 3).T.view(6)", "a view across the memory"),
        ("x.add_(1)", "written in place"),
        ("y = x.exp()\ny.add_(1)\ny.sum().backward()", "written in place"),
        ("(x.grad * 2).sum()", "None used"),
        ("def f():\n    return f()\nf()", "recursion"),
        ("1 / 0", None),
    ],
)
def test_torchs_exceptions_are_recognised(code: str, name: str | None) -> None:
    """An upgrade of torch that words them otherwise is seen here."""
    with pytest.raises(Exception) as raised:
        exec(code, {"torch": torch, "x": torch.ones(2, requires_grad=True)})
    error = {"kind": "raised", "type": raised.type.__name__, "message": str(raised.value)}
    found = finding_of_error(error, "`f`", ()).mistake
    assert (found.name if found else None) == name


def test_a_hypothesis_must_fit_the_right_answers_too() -> None:
    always = Mistake("always 1", "It is 1.").made_by(lambda v: 1.0)
    at_zero = Mistake("1 at zero", "It is 1 at 0.").made_by(lambda v: 1.0 if v == 0 else 0.0)
    cases = [Judged((0,), 0.0, 1.0, is_right=False), Judged((-1,), 0.0, 0.0, is_right=True)]
    assert explain(cases, [always, at_zero]) is at_zero


@pytest.mark.parametrize("operator", ["", "mm: ", "addmm: "])
def test_a_mistake_in_shapes_is_recognised_whichever_torch_says_so(operator: str) -> None:
    mistake = Mistake("shapes", "They do not fit.", raises="RuntimeError: mat1 and mat2 shapes cannot be multiplied")
    assert mistake.explains(f"RuntimeError: {operator}mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)", False)
    assert not mistake.explains(f"RuntimeError: {operator}another matter", False)


def test_a_hypothesis_that_raises_explains_nothing() -> None:
    broken = Mistake("broken", "It breaks.").made_by(lambda v: 1 / 0)
    assert explain([Judged((0,), 0.0, 1.0, is_right=False)], [broken]) is None


def test_a_finding_is_an_assertion() -> None:
    assert issubclass(Finding, AssertionError)


def test_answers_to_drawn_cases_make_way_and_those_to_public_ones_stay() -> None:
    asked, public = [], (-1,)
    keep_answers_to(public)
    drawn = [(number,) for number in range(MOST_PASSING + 1)]
    for inputs in (public, *drawn, public, drawn[-1], drawn[0]):
        memoised(asked.append, inputs)
    assert asked == [*range(-1, MOST_PASSING + 1), 0]
