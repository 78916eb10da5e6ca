"""Hypotheses predict, differ from what is right and from each other, and choose by all cases."""

from __future__ import annotations

import dataclasses
import gc
import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
import torch

from autograder.checks.catalogue import exercises, tasks_of
from autograder.checks.task import PUBLIC_SEED, Case, Task
from autograder.comparison import agree
from autograder.diagnosis.errors import RAISED, finding_of_error
from autograder.diagnosis.general import GENERAL
from autograder.diagnosis.hypothesis import Finding, Judged, Mistake, explain
from autograder.diagnosis.worlds import argument_changed, in_other_worlds, no_return
from autograder.probes.programs import Program
from autograder.references.replay import outcome, under
from tests.submissions import COURSE

MATRIX = torch.tensor([[1.0, -2.0, 4.0], [0.5, 3.0, -7.0]])
TASKS = [task for exercise in exercises() for task in tasks_of(exercise).values()]


def predictions(task: Task, mistake: Mistake) -> list:
    """What a mistake predicts on every case of a task; None where it has no answer there."""
    predicted = []
    for case in all_cases(task):
        try:
            predicted.append(mistake.predict(case.inputs, None, None))
        except (ArithmeticError, ValueError):  # log of a negative number, a graph too large: no answer here
            predicted.append(None)
        except Exception as error:
            pytest.fail(f"{task.name}: the mistake {mistake.name!r} raises {error!r} on {case.inputs}; use raises=")
    return predicted


def all_cases(task: Task) -> list[Case]:
    """The public and the drawn cases of all its checks."""
    return [case for check in task.checks for case in check.cases(PUBLIC_SEED)]


def right_answers(task: Task) -> list:
    """What is right on every case of a task, as far as it is judged."""
    answers = []
    for case in all_cases(task):
        right = task.reference.oracle(*case.inputs)
        if case.inputs and isinstance(case.inputs[0], Program):
            right = {key: right[key] for key in case.inputs[0].shown}
        answers.append(right)
    return answers


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_inputs_separate_every_mistake_from_the_right_answer(task: Task) -> None:
    right = right_answers(task)
    for mistake in task.mistakes:
        if mistake.answer is None:
            continue
        predicted = predictions(task, mistake)
        differ = [p is not None and not agree(p, r, task.tolerance) for p, r in zip(predicted, right, strict=True)]
        assert any(differ), f"{task.name}: no input shows the mistake {mistake.name!r}"


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_no_two_names_predict_the_same_everywhere(task: Task) -> None:
    known = [(m, predictions(task, m)) for m in task.mistakes if m.answer is not None]
    for index, (one, first) in enumerate(known):
        for other, second in known[index + 1 :]:
            if one.name == other.name:
                continue
            pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None or b is not None]
            same = all(a is not None and b is not None and agree(a, b, task.tolerance) for a, b in pairs)
            assert not same, f"{task.name}: {one.name!r} and {other.name!r} cannot be told apart"


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_what_is_predicted_is_not_kept(task: Task) -> None:
    """A worker that judges thousands would grow: autograd's cycles are not for Python's collector to see."""

    def tensors() -> int:
        gc.collect()
        return sum(issubclass(type(each), torch.Tensor) for each in gc.get_objects())

    def tensors_after_predicting() -> int:
        for mistake in task.mistakes:
            if mistake.answer is not None:
                predictions(task, mistake)
        return tensors()

    right_answers(task)
    before = tensors()
    after = tensors_after_predicting()
    assert after == before or after == tensors_after_predicting()  # what is cached is cached once


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_sentences_are_for_a_person(task: Task) -> None:
    for mistake in task.mistakes:
        assert mistake.sentence[0].isupper() or mistake.sentence[0] == "`"
        assert mistake.sentence.rstrip()[-1] in ".?"
        assert "!" not in mistake.sentence
        assert len(mistake.sentence) < 220


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_task_is_whole(task: Task) -> None:
    assert task.checks, f"{task.name} has no check"
    for check in task.checks:
        assert check.points > 0, f"{check.id} is worth nothing"
        assert check.public or check.draw, f"{check.id} asks nothing"
    assert task.minutes > 0
    assert task.mistakes, f"{task.name} names no mistake"


def test_every_section_that_a_sentence_names_is_in_its_lesson() -> None:
    sentences = [mistake.sentence for task in TASKS for mistake in task.mistakes]
    sentences += [mistake.sentence for mistake in (*GENERAL, *RAISED, *in_other_worlds("task", print))]
    for sentence in sentences:
        for lesson, section in re.findall(r"lesson (\d\d), “(.+?)”", sentence):
            (path,) = (COURSE / "lessons").glob(f"{lesson}_*.ipynb")
            headings = re.findall(r"^#+ (.+)$", text_of(path), re.MULTILINE)
            assert section in headings, sentence


def text_of(path: Path) -> str:
    """A notebook's Markdown."""
    cells = nbformat.read(path, as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


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


def in_place(y: torch.Tensor, x: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor:
    gradient = right(y, x, upstream)
    x.data.mul_(2)
    return gradient


def local_only(y: torch.Tensor, x: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor:
    return torch.tensor([2.0, 0.0, 1.0])


def by_backward(y: torch.Tensor, x: torch.Tensor, upstream: torch.Tensor) -> torch.Tensor:
    y.backward(upstream)
    return x.grad.clone()


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
        (by_backward, ".grad filled"),
        (in_place, "argument changed"),
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
    oracle = under("task", right)
    judged = Judged((program,), oracle(program), outcome(program, "task", implementation), is_right=False)
    found = explain([judged], [argument_changed("task"), no_return("task"), *GENERAL, *in_other_worlds("task", oracle)])
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
    ("code", "name"),
    [
        ("y = (x * x).sum()\ny.backward()\ny.backward()", "graph already freed"),
        ("torch.autograd.grad((x * x).sum(), torch.ones(2, requires_grad=True))", "not part of the graph"),
        ("(x * x).backward()", "gradient of a vector"),
        ("x.detach().sum().backward()", "no graph behind it"),
        ("torch.autograd.grad((x * x).sum(), torch.ones(2))", "gradient of plain data"),
        ("torch.ones(2).retain_grad()", "nothing to retain"),
        ("x.item()", "several numbers taken for one"),
        ("float(x)", "several numbers taken for one"),
        ("x.detach().numpy().item()", "several numbers taken for one"),
        ("def count():\n    n += 1\ncount()", "a name local to the function"),
        ("torch.ones(2, 2) @ torch.ones(2, 2).double()", "two dtypes"),
        ("torch.dot(x, x.double())", "two dtypes"),
        ("torch.linalg.solve(torch.eye(2), torch.ones(2).double())", "two dtypes"),
        ("torch.conv1d(torch.ones(1, 1, 3), torch.ones(1, 1, 2).double())", "two dtypes"),
        ("torch.zeros(2)[torch.tensor([0, 1])] = torch.ones(2).double()", "two dtypes"),
        ("torch.ones(2, 3).T.view(6)", "a view across the memory"),
        ("x.add_(1)", "written in place"),
        ("y = x.exp()\ny.add_(1)\ny.sum().backward()", "written in place"),
        ("(x.grad * 2).sum()", "None used as a gradient"),
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
    always = Mistake("always 1", "It is 1.", lambda v: 1.0)
    at_zero = Mistake("1 at zero", "It is 1 at 0.", lambda v: 1.0 if v == 0 else 0.0)
    cases = [Judged((0,), 0.0, 1.0, is_right=False), Judged((-1,), 0.0, 0.0, is_right=True)]
    assert explain(cases, [always, at_zero]) is at_zero


@pytest.mark.parametrize("operator", ["", "mm: ", "addmm: "])
def test_a_mistake_in_shapes_is_recognised_whichever_torch_says_so(operator: str) -> None:
    mistake = Mistake("shapes", "They do not fit.", raises="RuntimeError: mat1 and mat2 shapes cannot be multiplied")
    assert mistake.explains(f"RuntimeError: {operator}mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)", False)
    assert not mistake.explains(f"RuntimeError: {operator}another matter", False)


def test_a_hypothesis_that_raises_explains_nothing() -> None:
    broken = Mistake("broken", "It breaks.", lambda v: 1 / 0)
    assert explain([Judged((0,), 0.0, 1.0, is_right=False)], [broken]) is None


def test_a_finding_is_an_assertion() -> None:
    assert issubclass(Finding, AssertionError)
