"""Every reference has two sources that agree, over many draws, and public values that both confirm."""

from __future__ import annotations

import pytest

from autograder.checks.task import Check, Task
from autograder.proving.two_sources import draws_follow_their_seed, public_values, sources_agree, sources_distinct
from tests.chosen import TASKS
from tests.depth import exhaustive

SEEDS = [
    pytest.param(range(20), id="20 draws"),
    pytest.param(range(20, 200), id="180 more", marks=exhaustive),
]
DRAWN = [check for task in TASKS for check in task.checks if check.strata]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_public_values_are_right(task: Task) -> None:
    assert list(public_values(task)) == []


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("check", DRAWN, ids=lambda check: check.id)
def test_sources_agree_on_draws(check: Check, seeds: range) -> None:
    assert list(sources_agree(check, seeds)) == []


@pytest.mark.parametrize("check", DRAWN, ids=lambda check: check.id)
def test_draws_repeat_with_their_seed_and_differ_with_another(check: Check) -> None:
    assert list(draws_follow_their_seed(check)) == []


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_every_reference_names_two_different_sources(task: Task) -> None:
    assert list(sources_distinct(task)) == []
