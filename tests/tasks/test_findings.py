"""Whatever a task is answered, the finding is a sentence for a person."""

from __future__ import annotations

import itertools
import math
import re
from typing import Any

import pytest
import torch

from autograder.checks.answer import Answer
from autograder.checks.answers import Answers
from autograder.checks.task import PUBLIC_SEED, Case, Check
from autograder.comparison import agree
from autograder.diagnosis.hypothesis import Finding
from autograder.wire.plain import encode, has_nan
from tests.applied_mistakes import APPLIED
from tests.chosen import TASKS
from tests.plain_values import seen

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
OBSERVED = {"points": [], "count": 0}
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
    """A general mistake where there are numbers and tensors of them; all else as it is."""
    if isinstance(value, dict):
        return {key: _applied(name, one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_applied(name, one) for one in value]
    if isinstance(value, torch.Tensor) and value.dtype != torch.bool:
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
