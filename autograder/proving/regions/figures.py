"""The regions of a task as problems and as figures: what is not asked every time, which mutants keep all points."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator

from autograder.checks.catalogue import find_task
from autograder.proving.problems import Problem
from autograder.proving.regions.bounds import unasked_bounds
from autograder.proving.regions.declared import declared, matches
from autograder.proving.regions.mutants import Wrong, damaging_mutants, harmless, region_mutants, survived
from autograder.proving.regions.recording import SEEDS, Record, record


@dataclasses.dataclass(frozen=True)
class RegionScore:
    """The figures of one task.

    Attributes:
        task: its name.
        problems: regions that are not asked every time, and entries of `regions.toml` that have become needless.
        mutants: number of mutants.
        survivors: the mutants that keep all points at some seeds, each with the indices of these seeds.
        allowed: those that do, and that `regions.toml` allows.
        seconds: processor time.
    """

    task: str
    problems: tuple[str, ...]
    mutants: int
    survivors: dict[Wrong, list[int]]
    allowed: dict[Wrong, list[int]]
    seconds: float

    @property
    def clean(self) -> bool:
        """Whether every region is asked, and every mutant loses points at every seed or is allowed."""
        return not (self.problems or self.survivors)


def score(name: str) -> RegionScore | None:
    """Judge every region mutant of the task of that name; None if it declares no regions.

    Raises:
        AssertionError: if a mutant that changes nothing loses points, which makes the figures meaningless.
    """
    begin, task = time.process_time(), find_task(name)
    if (of_task := declared(task)) is None:
        return None
    found = record(task, of_task)
    one_seed = tuple(one for one in found.asked if one.seed in (None, 0))
    assert survived(found, harmless(found), one_seed), f"{name}: a mutant that changes nothing loses points"
    judged, alive = 0, dict[Wrong, list[int]]()
    for one in (*region_mutants(found), *damaging_mutants(found)):
        if len(alive.get(one.anywhere, ())) == len(SEEDS):
            continue  # no check sees this change anywhere, which is said once
        judged += 1
        if seeds := survived(found, one.cell, one.concerned):
            alive[one.wrong] = seeds
    allowed = {one: seeds for one, seeds in alive.items() if of_task.allows(str(one))}
    survivors = {one: seeds for one, seeds in alive.items() if one not in allowed}
    stale = tuple(
        f"{of_task.file}: no mutant keeps its points as {pattern!r} allows; take it out"
        for pattern in of_task.allowed
        if not any(matches(str(one), pattern) for one in alive)
    )
    problems = (*(one.sentence for one in problems_of(found)), *stale)
    return RegionScore(name, problems, judged, survivors, allowed, time.process_time() - begin)


def problems_of(found: Record) -> Iterator[Problem]:
    """Report regions that are not asked every time, and exclusions that exclude nothing, or what is asked."""
    where, task = found.declared.file, found.task.name
    yield from unasked_bounds(found.task, found.declared)
    for region in found.promised:
        _, seeds = found.times(region)
        if not found.is_always_asked(region):
            asked = f"asked at {seeds} of {len(SEEDS)} seeds and in no public case" if seeds else "never asked"
            yield Problem(
                f"{task}: {region!r} is {asked}; ask it, or quote the words that exclude it in {where}",
                "regions that are not asked every time",
            )
        elif found.undifferentiated(region):
            yield Problem(
                f"{task}: no question differentiates what the function gives for {region!r}",
                "regions in which nothing is differentiated",
            )
    for pattern in found.declared.excluded:
        these = [region for region in found.known if matches(region, pattern)]
        if not these:
            yield Problem(f"{where}: no argument has the region {pattern!r}", "needless exclusions")
        for region in these:
            if any(found.times(region)):
                yield Problem(f"{where}: {region!r} is excluded, and asked", "regions that are excluded and asked")


def table(found: Record) -> Iterator[str]:
    """Yield the table of regions: in how many public cases, and at how many seeds, each is asked."""
    width = max(map(len, found.promised))
    yield f"{'region':<{width}}{'public':>8}{'seeds':>7}"
    for region in found.promised:
        public, seeds = found.times(region)
        yield f"{region:<{width}}{public:>8}{seeds:>4}/{len(SEEDS)}"
