"""Published solutions, each changed a little: each change loses points. `make mutants` judges all of them."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from autograder.checks.task import Task
from tests.chosen import EXERCISES, TASKS
from tests.depth import one_of_each, proof
from tests.mutants import equivalent
from tests.mutants.bench import Bench, needed
from tests.mutants.making import mutants, places
from tests.submissions import solution_sources

CELLS = {task: source for exercise in EXERCISES for task, source in solution_sources(exercise).items()}
FEW = 6


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench() as one:
        yield one


@pytest.mark.parametrize("which", [slice(1), pytest.param(slice(1, FEW), marks=proof)], ids=["one", "some more"])
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_mutants_of_each_task_lose_points(task: Task, which: slice, bench: Bench) -> None:
    source = CELLS[task.name]
    some = random.Random(task.name).sample(places(source), FEW)
    listed = {one.change for one in equivalent.entries() if one.task == task.name}
    made = [one for one in mutants(task.name, source, some) if one.change not in listed][which]
    before = needed(source, solution_sources(task.exercise))
    assert bench.killed_by(task, source, before) is None
    assert [one.diff for one in made if bench.killed_by(task, one.source, before) is None] == []


@pytest.mark.parametrize("task", one_of_each(TASKS, lambda task: task.exercise), ids=lambda task: task.name)
def test_every_listed_equivalent_still_matches_a_mutant(task: Task) -> None:
    if task.name != "Value":  # its entries are of its own operators: tests/mutants/engine.py
        assert equivalent.stale(task.name, {one.change for one in mutants(task.name, CELLS[task.name])}) == ()
