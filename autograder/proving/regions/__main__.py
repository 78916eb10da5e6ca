"""`make region-mutants`: what no question asks, and mutants that keep all points; exit status 1 if there are any."""

from __future__ import annotations

import argparse
import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from autograder.checks.catalogue import exercises, tasks_of
from autograder.proving.regions.figures import RegionScore, score
from autograder.proving.regions.recording import SEEDS

HEAD = ("task", "mutants", "allowed", "survivors", "seconds")


def main() -> int:
    """Judge the region mutants of all tasks that declare regions, or of those named."""
    parser = argparse.ArgumentParser(prog="python -m autograder.proving.regions", description=__doc__)
    parser.add_argument("tasks", nargs="*", help="only these tasks")
    names = parser.parse_args().tasks or [name for exercise in exercises() for name in tasks_of(exercise)]
    found: list[RegionScore] = []
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(os.cpu_count() or 1, len(names)), mp_context=context) as pool:
        for name, one in zip(names, pool.map(score, names), strict=True):
            if one is None:
                print(f"{name}: declares no regions yet", flush=True)
                continue
            found.append(one)
            print("".join(details(one)), end="", flush=True)
    print("\n".join(summary(found)))
    return 0 if all(one.clean for one in found) else 1


def details(one: RegionScore) -> Iterator[str]:
    """Yield what somebody must look at: problems, then survivors by region and seeds, a line each."""
    yield from (f"{problem}\n" for problem in one.problems)
    together: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for (region, change), seeds in one.survivors.items():
        together.setdefault((region, tuple(seeds)), []).append(change)
    for (region, at), changes in together.items():
        which = "every seed" if len(at) == len(SEEDS) else f"the seeds {', '.join(map(str, at))}"
        yield f"{one.task}: {region!r} SURVIVES at {which}: {'; '.join(changes)}\n"


def summary(found: list[RegionScore]) -> Iterator[str]:
    """Yield the table of figures, with a line for the total."""
    rows: list[tuple[int, ...]] = [
        (one.mutants, len(one.allowed), len(one.survivors), round(one.seconds)) for one in found
    ]
    names = [*(one.task for one in found), "all"]
    rows.append(tuple(sum(row[column] for row in rows) for column in range(len(HEAD) - 1)))
    for row in (HEAD, *((name, *row) for name, row in zip(names, rows, strict=True))):
        yield "{:<24}{:>9}{:>9}{:>11}{:>9}".format(*row)


if __name__ == "__main__":
    raise SystemExit(main())
