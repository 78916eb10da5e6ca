"""Regions of each task: all are asked every time, and solutions that are wrong in one region only lose points."""

from __future__ import annotations

import pytest

from autograder.checks.catalogue import cells_before, find_task
from autograder.checks.task import PUBLIC_SEED, Task
from autograder.proving.mutants.bench import Bench
from autograder.proving.regions.asking import asked, fails
from autograder.proving.regions.declared import FILE, declared
from autograder.proving.regions.figures import problems_of
from autograder.proving.regions.mutants import harmless, region_mutants
from autograder.proving.regions.recording import record
from tests.chosen import TASKS
from tests.depth import exhaustive, one_of_each

DECLARING = [task for task in TASKS if (task.folder / FILE).exists()]


@pytest.mark.parametrize(
    "task", one_of_each(DECLARING, lambda task: task.exercise, rest=exhaustive), ids=lambda task: task.name
)
def test_every_region_that_a_statement_promises_is_asked_every_time(task: Task) -> None:
    assert [one.sentence for one in problems_of(record(task, declared(task)))] == []


@exhaustive
@pytest.mark.parametrize("task", DECLARING, ids=lambda task: task.name)
def test_a_region_mutant_of_each_kind_loses_points(task: Task, bench: Bench) -> None:
    """Judged as a submission is, in a sandbox and with all questions; `make region-mutants` judges all, at 20 seeds."""
    found = record(task, declared(task))
    each = {one.wrong.change: one for one in region_mutants(found) if not found.declared.allows(str(one.wrong))}
    before = cells_before(task)
    assert bench.killed_by(task, harmless(found), before) is None
    assert [str(one.wrong) for one in each.values() if bench.killed_by(task, one.cell, before) is None] == []


HOLES = [
    ("distance", "apart = squared > 0", "apart = (a != b).all(1)"),
    ("finite_difference", "step[i] = h", "h = 1e-5 * abs(float(x[i])); step[i] = h"),
    ("gradient_of_vector", "return gradient", "return gradient.squeeze()"),
    ("GradientReversal", "-ctx.strength", "-abs(ctx.strength)"),
    ("MatMul", "(A.mT @ upstream).sum", "(A.mT @ upstream)[0] if A.dim() > 2 == B.dim() else (A.mT @ upstream).sum"),
    ("max_pool_gradient", "max_pool2d(x,", "max_pool2d(x.float(),"),
]
"""What a stranger's answer did, as a change of the published solution, and had full points."""


@pytest.mark.parametrize(("name", "was", "wrote"), [one for one in HOLES if one[0] in {task.name for task in TASKS}])
def test_a_hole_that_strangers_found_is_closed(name: str, was: str, wrote: str) -> None:
    """A public case shows it, so it loses points whatever is drawn."""
    task = find_task(name)
    assert was in task.solution
    public = [(check, case) for check in task.checks for case in check.cases(PUBLIC_SEED)[: len(check.public)]]
    cell = task.solution.replace(was, wrote)
    assert any(fails(check, case, asked(case.question, [cell])) for check, case in public)
