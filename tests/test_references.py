"""Every reference has two sources that agree, over many draws, and public values that both confirm."""

from __future__ import annotations

import random

import pytest

from autograder.checks.catalogue import exercises, tasks_of
from autograder.checks.task import Check, Task
from autograder.comparison import Tolerance, differences
from autograder.probes.programs import Program

SEEDS = 200
TASKS = [task for exercise in exercises() for task in tasks_of(exercise).values()]
DRAWN = [check for task in TASKS for check in task.checks if check.draw is not None]
EXACT = Tolerance(relative=1e-12, of_scale=1e-13)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_public_values_are_right(task: Task) -> None:
    second = Tolerance(relative=task.reference.second_error, of_scale=task.reference.second_error)
    for check in task.checks:
        for case in check.public:
            assert differences(task.reference.oracle(*case.inputs), case.expected, EXACT) == []
            assert differences(task.reference.second(*case.inputs), case.expected, second) == []


@pytest.mark.parametrize("check", DRAWN, ids=lambda check: check.id)
def test_sources_agree_on_draws(check: Check) -> None:
    reference = check.task.reference
    tolerance = Tolerance(relative=reference.second_error, of_scale=reference.second_error)
    for seed in range(SEEDS):
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

    assert drawn(b"one") == drawn(b"one")
    assert drawn(b"one") != drawn(b"two")
    assert len(set(drawn(b"one"))) == check.draws


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_every_reference_names_two_different_sources(task: Task) -> None:
    reference = task.reference
    assert reference.oracle is not reference.second
    assert reference.oracle_by != reference.second_by
