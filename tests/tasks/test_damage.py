"""Right answers that damage an argument afterwards lose points, and the damage gets its name."""

from __future__ import annotations

import pytest

from autograder.checks.catalogue import cells_before
from autograder.checks.task import Task
from autograder.grader.live import judge_namespace
from autograder.proving.damage import Damaged, damaged, parameters
from tests.chosen import TASKS
from tests.depth import exhaustive

TAKING_ARGUMENTS = [task for task in TASKS if parameters(task)]


@pytest.mark.parametrize("which", [slice(1), pytest.param(slice(1, None), marks=exhaustive)], ids=["one", "the others"])
@pytest.mark.parametrize("task", TAKING_ARGUMENTS, ids=lambda task: task.name)
def test_damage_costs_points_under_its_own_name(task: Task, which: slice) -> None:
    found = list(damaged(task))
    assert len(found) > 1
    assert [one.name for one in found[which] if not costs_points_by_name(task, one)] == []


def costs_points_by_name(task: Task, one: Damaged) -> bool:
    """Whether a damaged answer loses points, and is told why."""
    namespace: dict = {}
    for cell in (*cells_before(task), one.source):
        exec(cell, namespace)
    verdict, _ = judge_namespace(task.name, namespace)
    return verdict.points < verdict.maximum and one.diagnosed in {result.mistake for result in verdict.results}
