"""Published solutions, each changed a little: each change loses points. `make mutants` judges all of them."""

from __future__ import annotations

import itertools
import random

import pytest

from autograder.checks.catalogue import cells_before
from autograder.checks.task import Task
from autograder.proving.mutants import equivalent
from autograder.proving.mutants.bench import Bench
from autograder.proving.mutants.figures import mutants_of
from autograder.proving.mutants.making import mutants, places
from tests.chosen import TASKS
from tests.depth import exhaustive, one_of_each

FEW = 6


@pytest.mark.parametrize(
    "task", one_of_each(TASKS, lambda task: task.exercise, rest=exhaustive), ids=lambda task: task.name
)
def test_the_published_solution_loses_none(task: Task, bench: Bench) -> None:
    assert bench.killed_by(task, task.solution, cells_before(task)) is None


@pytest.mark.parametrize("which", [slice(1), pytest.param(slice(1, FEW), marks=exhaustive)], ids=["one", "some more"])
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_mutants_of_each_task_lose_points(task: Task, which: slice, bench: Bench) -> None:
    source, listed = task.solution, equivalent.entries(task)
    some = random.Random(task.name).sample(places(source), FEW)
    new = (one for one in mutants(task.name, source, some) if one.change not in listed)
    made = itertools.islice(new, which.start, which.stop)
    before = cells_before(task)
    assert [one.diff for one in made if bench.killed_by(task, one.source, before) is None] == []


@pytest.mark.parametrize("task", one_of_each(TASKS, lambda task: "", rest=exhaustive), ids=lambda task: task.name)
def test_every_listed_equivalent_still_matches_a_mutant(task: Task) -> None:
    assert equivalent.stale(task, {one.change for one in mutants_of(task)}) == ()
