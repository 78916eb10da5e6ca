"""`make mutants`: the figures of every task; survivors as diffs, and exit status 1 where there are any."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator

from autograder.checks.catalogue import exercises
from autograder.proving.mutants.bench import SEED
from autograder.proving.mutants.equivalent import FILE, as_entry
from autograder.proving.mutants.figures import Score, scores

HEAD = ("task", "mutants", "killed", "equivalent", "survivors")


def main() -> int:
    """Judge the mutants, print the figures; return 1 if a mutant survives or a list of equivalents is wrong, else 0."""
    parser = argparse.ArgumentParser(prog="python -m autograder.proving.mutants", description=__doc__)
    parser.add_argument("tasks", nargs="*", help="only these tasks")
    parser.add_argument("--seed", default=SEED.decode(), help="what the further inputs are drawn from")
    wanted = parser.parse_args()
    start = time.monotonic()
    found: list[Score] = []
    for exercise in exercises():
        found += scores(exercise, wanted.tasks or None, seed=wanted.seed.encode()).values()
    for one in found:
        print("\n".join(details(one)))
    print("\n".join(table(found)))
    print(f"\n{time.monotonic() - start:.0f} s")
    return 0 if all(one.clean for one in found) else 1


def table(found: Iterable[Score]) -> Iterator[str]:
    """Yield the table of figures: a line per task and one for the total."""
    rows = [(one.task, *one.figures.values()) for one in found]
    rows.append(("all", *(sum(column) for column in list(zip(*rows, strict=True))[1:])))
    yield "{:<20}{:>10}{:>10}{:>12}{:>11}".format(*HEAD)
    for row in rows:
        yield "{:<20}{:>10}{:>10}{:>12}{:>11}".format(*row)


def details(one: Score) -> Iterator[str]:
    """Yield what somebody must look at (survivors, wrong entries of the list), then equivalent mutants by reason."""
    for mutant in one.survivors:
        yield f"\n{one.task}: SURVIVES ({mutant.operator}, in {mutant.change.within})\n{mutant.diff}\n"
        yield f"its entry in {FILE}, if nothing that it does has changed:\n\n{as_entry(mutant.change)}"
    for mutant, _ in one.claimed:
        yield f"\n{one.task}: listed as equivalent, yet it loses points\n{mutant.diff}"
    for entry in one.unmatched:
        yield f"\n{one.task}: no mutant matches this entry of the list any more\n{entry.change}"
    reasons: dict[str, list[str]] = {}
    for mutant, entry in one.equivalent:
        reasons.setdefault(entry.reason, []).append(f"{mutant.change.was!r} -> {mutant.change.wrote!r}")
    for reason, changes in reasons.items():
        yield f"\n{one.task}: equivalent, for {reason}"
        yield from (f"    {change}" for change in changes)


if __name__ == "__main__":
    raise SystemExit(main())
