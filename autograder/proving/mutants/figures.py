"""Mutation scores as data: per task the mutants that were made, killed, equivalent and surviving."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import queue
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

from autograder.checks.catalogue import tasks_of
from autograder.checks.task import Task
from autograder.proving.mutants.bench import SEED, Bench
from autograder.proving.mutants.equivalent import Equivalent, entries, stale
from autograder.proving.mutants.making import Mutant, distinct, mutants
from autograder.tasks.cells import needed
from autograder.tasks.modules import module

OWN = "mutants.py"


@dataclasses.dataclass(frozen=True)
class Score:
    """The mutation score of one task.

    Attributes:
        made: number of mutants.
        killed: number of mutants that lose points, by the title of the first check that fails them.
        equivalent: mutants that behave like the solution, each with its entry in the list.
        survivors: mutants that should lose points and do not.
        claimed: mutants that are listed as equivalent but lose points.
        unmatched: entries of the list that no mutant matches.
    """

    task: str
    made: int
    killed: dict[str, int]
    equivalent: tuple[tuple[Mutant, Equivalent], ...] = ()
    survivors: tuple[Mutant, ...] = ()
    claimed: tuple[tuple[Mutant, Equivalent], ...] = ()
    unmatched: tuple[Equivalent, ...] = ()

    @property
    def figures(self) -> dict[str, int]:
        """Return the numbers for a table: mutants, killed, equivalent, survivors."""
        killed = sum(self.killed.values())
        counts = {"mutants": self.made, "killed": killed, "equivalent": len(self.equivalent)}
        return counts | {"survivors": len(self.survivors)}

    @property
    def clean(self) -> bool:
        """Whether every mutant is killed or rightly listed as equivalent."""
        return not (self.survivors or self.claimed or self.unmatched)


def mutants_of(task: Task) -> list[Mutant]:
    """Return all mutants of a published solution, with those that the task's own `mutants.py` adds."""
    source = task.solution
    made = [(one.operator, one.source) for one in mutants(task.name, source)]
    if (own := task.folder / OWN).exists():
        made += module(own).mutants(source)
    return list(distinct(task.name, source, made))


def scores(exercise: str, tasks: list[str] | None = None, seed: bytes = SEED) -> dict[str, Score]:
    """Judge every mutant of an exercise's tasks.

    Args:
        exercise: "01_doubling".
        tasks: only these tasks; all by default.
        seed: seed of the drawn inputs.
    """
    cells = {name: task.solution for name, task in tasks_of(exercise).items()}
    found = {}
    with benches(seed=seed) as each:
        for name, task in tasks_of(exercise).items():
            if tasks is None or name in tasks:
                found[name] = score(task, mutants_of(task), cells, each)
    return found


Judging = Callable[[Task, list[Mutant], list[str]], list[str | None]]
"""From a task, its mutants and the cells to run first to the check that killed each mutant, None for a survivor."""


@contextlib.contextmanager
def benches(count: int | None = None, seed: bytes = SEED) -> Iterator[Judging]:
    """Start a bench per core, and yield a function that judges mutants on them in parallel."""
    count = count or os.cpu_count() or 1
    free: queue.Queue[Bench] = queue.Queue()
    with contextlib.ExitStack() as stack, ThreadPoolExecutor(count) as pool:
        for _ in range(count):
            free.put(stack.enter_context(Bench(seed)))

        def judged(task: Task, ones: list[Mutant], before: list[str]) -> list[str | None]:
            def one_judged(one: Mutant) -> str | None:
                bench = free.get()
                try:
                    return bench.killed_by(task, one.source, before)
                finally:
                    free.put(bench)

            return list(pool.map(one_judged, ones))

        yield judged


def score(task: Task, ones: list[Mutant], cells: Mapping[str, str], each: Judging) -> Score:
    """Judge mutants of one task.

    Raises:
        AssertionError: if the published solution itself loses points, which makes the figures meaningless.
    """
    published = Mutant(task.name, "nothing", cells[task.name], cells[task.name])
    before = needed(task.name, cells)
    loses = each(task, [published], before)[0]
    assert loses is None, f"the published solution of {task.name} loses points: {loses}"
    killed: dict[str, int] = {check.title: 0 for check in task.checks}
    equivalent: list[tuple[Mutant, Equivalent]] = []
    survivors: list[Mutant] = []
    claimed: list[tuple[Mutant, Equivalent]] = []
    listed = entries(task)
    for one, by in zip(ones, each(task, ones, before), strict=True):
        entry = listed.get(one.change)
        if by is not None:
            killed[by] = killed.get(by, 0) + 1
            claimed += [(one, entry)] if entry else []
        elif entry:
            equivalent.append((one, entry))
        else:
            survivors.append(one)
    unmatched = stale(task, {one.change for one in ones})
    return Score(task.name, len(ones), killed, tuple(equivalent), tuple(survivors), tuple(claimed), unmatched)
