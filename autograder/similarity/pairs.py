"""Pairs of submissions that share code that is rare in the class.

The measure is MOSS's, the fraction of one submission's fragments (k-grams) that the other has too (Schleimer,
Wilkerson, Aiken: "Winnowing: Local Algorithms for Document Fingerprinting", 2003). Fragments that are published or
shared by more than a few submissions do not count, so a short answer that everybody finds has none that do.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter, defaultdict

LEAST = 40
"""Shared fragments from which on a pair is reported: five to ten lines. Independent right answers of the course share
at most 17."""
SHARE = 0.5
EVERYTHING = "all tasks"


@dataclasses.dataclass(frozen=True)
class Overlap:
    """What two submissions share in one task, or in all.

    Attributes:
        task: the task's name, or EVERYTHING.
        shared: number of fragments in both.
        own: number of fragments in the smaller submission.
    """

    task: str
    shared: int
    own: int

    @property
    def share(self) -> float:
        """The shared fraction of the smaller submission, from 0 to 1."""
        return self.shared / self.own

    @property
    def telling(self) -> bool:
        """Whether the overlap is large enough to report, in number and as a fraction."""
        return self.shared >= LEAST and self.share >= SHARE


@dataclasses.dataclass(frozen=True)
class Pair:
    """Two students whose submissions are similar.

    Attributes:
        first, second: their ids, in alphabetical order.
        overlaps: the telling ones, the largest first.
        fragments: the fragments that both have.
    """

    first: str
    second: str
    overlaps: tuple[Overlap, ...]
    fragments: frozenset[int]


def few_of(submissions: int) -> int:
    """Return the most submissions that may share a fragment that still counts: from 2 (for up to 11) to 5."""
    return min(5, max(2, submissions // 4))


def pairs(submissions: dict[str, dict[int, str]], published: set[int], few: int) -> list[Pair]:
    """Return the pairs with telling overlaps, the largest first.

    Args:
        submissions: for each student, the submission's fragments and their tasks.
        published: fragments that do not count: those of the released notebook, the solution, the lessons.
        few: the most submissions that may share a fragment that still counts.
    """
    owners: dict[int, list[str]] = defaultdict(list)
    for student in sorted(submissions):
        for fragment in submissions[student].keys() - published:
            owners[fragment].append(student)
    own = {student: Counter[str]() for student in submissions}
    shared: dict[tuple[str, str], list[int]] = defaultdict(list)
    for fragment, students in owners.items():
        if len(students) <= few:
            for student in students:
                own[student][submissions[student][fragment]] += 1
            for two in itertools.combinations(students, 2):
                shared[two].append(fragment)
    found = []
    for (first, second), common in shared.items():
        if len(common) >= LEAST:
            overlaps = _overlaps(common, (submissions[first], submissions[second]), (own[first], own[second]))
            if overlaps:
                found.append(Pair(first, second, overlaps, frozenset(common)))
    return sorted(found, key=lambda pair: (-pair.overlaps[0].shared, pair.first, pair.second))


def _overlaps(
    common: list[int], submissions: tuple[dict[int, str], dict[int, str]], own: tuple[Counter[str], Counter[str]]
) -> tuple[Overlap, ...]:
    found = {EVERYTHING: Overlap(EVERYTHING, len(common), min(own[0].total(), own[1].total()))}
    for submission, mine in zip(submissions, own, strict=True):
        for task, count in Counter(submission[fragment] for fragment in common).items():
            overlap = Overlap(task, count, mine[task])
            if task not in found or overlap.share > found[task].share:  # the other may have written it in another task
                found[task] = overlap
    return tuple(sorted((one for one in found.values() if one.telling), key=lambda one: -one.shared))
