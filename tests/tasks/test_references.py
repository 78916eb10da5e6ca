"""Every reference has two sources that agree, over many draws, and public values that both confirm."""

from __future__ import annotations

import random
from typing import Any

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter

from autograder.checks.task import Check, Task
from autograder.comparison import Tolerance, differences
from autograder.probes.programs import Program
from tests.chosen import TASKS
from tests.depth import proof

SEEDS = [pytest.param(range(20), id="20 draws"), pytest.param(range(20, 200), id="180 more", marks=proof)]
DRAWN = [check for task in TASKS for check in task.checks if check.draw is not None]
DOUBLE = Tolerance(relative=1e-12, of_scale=1e-13)
SINGLE = Tolerance(relative=4 * torch.finfo(torch.float32).eps, of_scale=4 * torch.finfo(torch.float32).eps)
"""Processors round float32 differently: where a layer's weights are drawn in it, results differ by two of its steps."""


class Dtypes(TorchDispatchMode):
    """Notes the dtypes of all that is computed inside the block."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[torch.dtype] = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        computed = func(*args, **(kwargs or {}))
        self.seen |= {one.dtype for one in tree_iter(computed) if isinstance(one, torch.Tensor)}
        return computed


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_public_values_are_right(task: Task) -> None:
    second = Tolerance(relative=task.reference.second_error, of_scale=task.reference.second_error)
    for check in task.checks:
        for case in check.public:
            with Dtypes() as dtypes:
                right = task.reference.oracle(*case.inputs)
            precision = SINGLE if torch.float32 in dtypes.seen else DOUBLE
            assert differences(right, case.expected, precision) == []
            assert differences(task.reference.second(*case.inputs), case.expected, second) == []


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("check", DRAWN, ids=lambda check: check.id)
def test_sources_agree_on_draws(check: Check, seeds: range) -> None:
    reference = check.task.reference
    tolerance = Tolerance(relative=reference.second_error, of_scale=reference.second_error)
    for seed in seeds:
        inputs = check.draw(random.Random(seed))
        expected = reference.oracle(*inputs)
        if isinstance(inputs[0], Program):  # what is looked at for diagnosis is not judged
            expected = {key: expected[key] for key in inputs[0].shown}
        found = differences(reference.second(*inputs), expected, tolerance)
        assert not found, f"seed {seed}, inputs {inputs}: {found[0]}"


@pytest.mark.parametrize("check", DRAWN, ids=lambda check: check.id)
def test_draws_repeat_with_their_seed_and_differ_with_another(check: Check) -> None:
    def drawn(seed: bytes) -> list:
        return [str(case.inputs) for case in check.cases(seed) if case.secret]

    one = drawn(b"one")
    assert one != drawn(b"two")
    assert one == [str(case.inputs) for case in check.drawn_anew(b"one") if case.secret]
    assert len(set(one)) == check.draws


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_every_reference_names_two_different_sources(task: Task) -> None:
    reference = task.reference
    assert reference.oracle is not reference.second
    assert reference.oracle_by != reference.second_by
