"""What holds of diagnosis whatever is answered: it never raises, never blames what is right, knows what it names."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from autograder.checks.answer import Answer
from autograder.checks.answers import Answers
from autograder.checks.catalogue import exercises, tasks_of
from autograder.checks.task import PUBLIC_SEED, Case, Check
from autograder.comparison import CONTRACT, agree
from autograder.diagnosis.general import GENERAL
from autograder.diagnosis.hypothesis import Finding, Judged, explain, reproduces
from autograder.wire.plain import encode, has_nan
from tests.plain_values import ANSWERS, GRADIENTS, RIGHT, seen

NAMES = [mistake.name for mistake in GENERAL]
SINGLE = GRADIENTS.map(torch.Tensor.detach)
SEVERAL = st.lists(SINGLE, min_size=2, max_size=3) | st.dictionaries(st.sampled_from("xwb"), SINGLE, min_size=1)


@given(RIGHT, ANSWERS)
@settings(max_examples=300)
def test_no_answer_raises(expected: Any, got: Any) -> None:
    judged = Judged((), expected, got, agree(got, expected))
    found = explain([judged], GENERAL)
    assert found is None or reproduces(found, judged, CONTRACT)


@given(RIGHT)
@settings(max_examples=300)
def test_a_right_answer_is_given_no_mistake_s_name(value: Any) -> None:
    assume(not has_nan(value))
    assert explain([Judged((), value, seen(value), is_right=True)], GENERAL) is None
    assert explain([Judged((), value, seen(value), is_right=False)], GENERAL) is None


def _each(change: Callable) -> Callable:
    """A change on every tensor of a structure."""

    def changed(value: Any, chosen: int) -> Any:
        if isinstance(value, dict):
            return {key: changed(one, chosen) for key, one in value.items()}
        return [changed(one, chosen) for one in value] if isinstance(value, list) else change(value, chosen)

    return changed


def _reduced(reduce: Callable) -> Callable:
    def change(tensor: torch.Tensor, chosen: int) -> torch.Tensor:
        axes = [axis for axis, size in enumerate(tensor.shape) if size > 1]
        if not axes or not tensor.numel():
            return tensor
        return reduce(tensor, dim=axes[chosen % len(axes)], keepdim=bool(chosen % 2))

    return change


def _over_rows(change: Callable) -> Callable:
    """A change of a list of tensors, or of the rows of one."""

    def changed(value: Any, chosen: int) -> Any:
        if isinstance(value, torch.Tensor):
            return torch.stack(change(list(value))) if value.dim() >= 2 and len(value) else value
        alike = isinstance(value, list) and len({(one.shape, one.dtype) for one in value}) == 1
        return change(value) if alike else value

    return changed


def _sums(rows: list) -> list:
    return list(torch.stack(rows).cumsum(0)) if rows else rows


def _other_dtype(tensor: torch.Tensor, chosen: int) -> torch.Tensor:
    dtypes = [one for one in (torch.float32, torch.float64, torch.float16) if one != tensor.dtype]
    return tensor.to(dtypes[chosen % 2])


def _rotated(value: Any, chosen: int) -> Any:
    if isinstance(value, dict):
        names = list(value)
        return {name: value[other] for name, other in zip(names, names[1:] + names[:1], strict=True)}
    return value[1:] + value[:1] if isinstance(value, list) else value


APPLIED: dict[str, Callable[[Any, int], Any]] = {
    "sign": _each(lambda t, n: -t),
    "always zero": _each(lambda t, n: torch.zeros_like(t)),
    "absolute value": _each(lambda t, n: t.abs()),
    "a constant factor": lambda value, n: _each(lambda t, _: t * (2 + n) if n % 2 else t / (2 + n))(value, n),
    "transposed": _each(lambda t, n: t.transpose(-1, -2).contiguous() if t.dim() >= 2 else t),
    "summed over an axis": _each(_reduced(torch.sum)),
    "averaged over an axis": _each(_reduced(torch.mean)),
    "added up from entry to entry": _over_rows(_sums),
    "one result repeated": _over_rows(lambda rows: [rows[-1]] * len(rows)),
    "another shape": _each(lambda t, n: t.reshape((1, *t.shape) if n % 2 else (t.numel(),))),
    "another dtype": _each(_other_dtype),
    "left in a tuple": _each(lambda t, n: (t,)),
    "under another name": _rotated,
    "None instead of a gradient": _each(lambda t, n: None),
    "not a number": _each(lambda t, n: t * float("nan")),
}


@pytest.mark.parametrize("name", APPLIED)
@given(right=SINGLE | SEVERAL, chosen=st.integers(0, 30))
@settings(max_examples=60)
def test_an_applied_mistake_gets_its_name_or_one_that_predicts_the_same(name: str, right: Any, chosen: int) -> None:
    got = seen(APPLIED[name](right, chosen))
    judged = Judged((), right, got, agree(got, right))
    found = explain([judged], GENERAL)
    if judged.is_right or (name == "another dtype" and not agree(got, APPLIED[name](right, chosen))):
        return
    assert found is not None, f"{name} of {right}"
    assert NAMES.index(found.name) <= NAMES.index(name), f"{found.name} hides {name}"
    assert reproduces(found, judged, CONTRACT)


def test_every_general_mistake_on_numbers_is_applied() -> None:
    of_programs = {mistake.name for mistake in GENERAL if mistake.of_programs}
    assert set(NAMES) - of_programs == set(APPLIED)


TASKS = [task for exercise in exercises() for task in tasks_of(exercise).values()]
FURTHER = [
    None,
    float("nan"),
    1.5,
    {},
    [],
    (),
    "x" * 30_000,
    torch.tensor(float("nan")),
    torch.ones(2, 0),
    object(),
]
CHANGES = ("sign", "always zero", "a constant factor", "transposed", "another dtype", "None instead of a gradient")
OBSERVED = {"arguments": [], "points": [], "count": 0}
"""What probes see beside results."""
GARBAGE = re.compile(r"nanj|-nan|nan\+|\d{18}|\d\.\d{17}|SeenTensor|torch\._|object at 0x|<class")


def _public(check: Check) -> tuple[list[Case], list[Any]]:
    """A check's first public case, and what is right there."""
    cases = [case for case in check.cases(PUBLIC_SEED) if not case.secret][:1]
    answers = Answers(check, cases, [])
    return cases, [answers.expected(case) for case in cases]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_whatever_a_task_is_answered_the_finding_is_a_sentence(task: Any) -> None:
    cases, right = _public(task.checks[0])
    assert Answers(task.checks[0], cases, _replies(right)).agree() is None
    number = TASKS.index(task)  # a few for each task, all of them for many tasks
    changed = [[_applied(name, one) for one in right] for name in itertools.islice(CHANGES, number % 2, None, 2)]
    further = [[value] * len(cases) for value in itertools.islice(FURTHER, number % 3, None, 3)]
    for values in changed + further:
        answers = Answers(task.checks[0], cases, _replies(values))
        if all(agree(seen(got), one, task.tolerance) for got, one in zip(values, right, strict=True)):
            continue
        with pytest.raises(Finding) as caught:
            answers.agree()
        _is_for_a_person(caught.value, any(map(_has_nan, values)))


def _applied(name: str, value: Any) -> Any:
    """A general mistake where there are tensors and numbers; all else as it is."""
    if isinstance(value, dict):
        return {key: _applied(name, one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_applied(name, one) for one in value]
    if isinstance(value, torch.Tensor):
        return APPLIED[name](value.detach(), 3)
    return APPLIED[name](torch.tensor(value, dtype=torch.float64), 3) if type(value) is float else value


def _has_nan(value: Any) -> bool:
    return has_nan(value) or (type(value) is float and math.isnan(value))


def _replies(values: list) -> list[Answer]:
    return [Answer({"seen": tree}, blob) for tree, blob in (encode({**OBSERVED, "result": value}) for value in values)]


def _is_for_a_person(finding: Finding, with_nan: bool) -> None:
    said = re.sub(r"`.*?`", "", finding.seen)
    assert not GARBAGE.search(said), said
    assert with_nan or not re.search(r"\bnan\b", said), said
    assert len(said) < 400, said
    assert said.rstrip().endswith("."), said
    assert finding.mistake is None or finding.mistake.name
