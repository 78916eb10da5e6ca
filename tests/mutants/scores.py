"""The figures of a mutation run, as data: per task the mutants made, killed, equivalent and surviving."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import queue
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

from autograder.checks.catalogue import tasks_of
from autograder.checks.task import Task
from tests.mutants.bench import SEED, Bench, needed
from tests.mutants.engine import engine_mutants
from tests.mutants.equivalent import Equivalent, entries, stale
from tests.mutants.making import Mutant, distinct, mutants
from tests.submissions import solution_sources


@dataclasses.dataclass(frozen=True)
class Score:
    """One task's figures.

    Attributes:
        made: how many mutants.
        killed: how many lose points, by the title of the check that saw them first.
        equivalent: those that behave as the solution does, with the entry that says why.
        survivors: those that should lose points and do not.
        claimed: those that are listed as equivalent and yet lose points.
        unmatched: entries of the list of equivalents that no mutant matches.
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
        """For a table: mutants, killed, equivalent, survivors."""
        killed = sum(self.killed.values())
        counts = {"mutants": self.made, "killed": killed, "equivalent": len(self.equivalent)}
        return counts | {"survivors": len(self.survivors)}

    @property
    def clean(self) -> bool:
        """Whether every mutant that matters loses points, and the list of the others is right."""
        return not (self.survivors or self.claimed or self.unmatched)


def mutants_of(exercise: str, task: str) -> list[Mutant]:
    """All mutants of a published solution; an engine gets those of its own kind too."""
    source = solution_sources(exercise)[task]
    general = mutants(task, source)
    special = [(one.operator, one.source) for one in engine_mutants(task, source)]
    return distinct(task, source, [*((one.operator, one.source) for one in general), *special])


def scores(exercise: str, tasks: list[str] | None = None, seed: bytes = SEED) -> dict[str, Score]:
    """Judge every mutant of an exercise's tasks.

    Args:
        exercise: "01_scalar_graphs".
        tasks: only these.
        seed: what the further inputs are drawn from.
    """
    cells = solution_sources(exercise)
    found = {}
    with benches(seed=seed) as each:
        for name, task in tasks_of(exercise).items():
            if tasks is None or name in tasks:
                found[name] = score(task, mutants_of(exercise, name), cells, each)
    return found


Judging = Callable[[Task, list[Mutant], list[str]], list[str | None]]


@contextlib.contextmanager
def benches(count: int | None = None, seed: bytes = SEED) -> Iterator[Judging]:
    """A bench per core. Yields a function from mutants to what killed each, None for a survivor."""
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
        AssertionError: where the published solution itself loses points, so that nothing here means anything.
    """
    published = Mutant(task.name, "nothing", cells[task.name], cells[task.name])
    before = needed(cells[task.name], cells)
    loses = each(task, [published], before)[0]
    assert loses is None, f"the published solution of {task.name} loses points: {loses}"
    killed: dict[str, int] = {check.title: 0 for check in task.checks}
    equivalent, survivors, claimed = [], [], []
    listed = {(one.task, one.change): one for one in entries()}
    for one, by in zip(ones, each(task, ones, before), strict=True):
        entry = listed.get((task.name, one.change))
        if by is not None:
            killed[by] = killed.get(by, 0) + 1
            claimed += [(one, entry)] if entry else []
        elif entry:
            equivalent.append((one, entry))
        else:
            survivors.append(one)
    unmatched = stale(task.name, {one.change for one in ones})
    return Score(task.name, len(ones), killed, tuple(equivalent), tuple(survivors), tuple(claimed), unmatched)
