"""Pairs of works that share what is rare in the class.

The measure is MOSS's: the part of one work's fragments that the other has too (Schleimer, Wilkerson, Aiken:
"Winnowing: Local Algorithms for Document Fingerprinting", 2003), of those fragments that say something: neither
published nor shared by more than a few. A short answer to which everybody comes has no such fragment.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter, defaultdict

LEAST = 40
"""Shared fragments below which nothing is said: five to ten lines. Independent right answers of the course share at
most 17."""
SHARE = 0.5
EVERYTHING = "all tasks"


@dataclasses.dataclass(frozen=True)
class Overlap:
    """What two works share in one task, or in all.

    Attributes:
        task: its name, or EVERYTHING.
        shared: fragments of both.
        own: fragments of the one that has fewer.
    """

    task: str
    shared: int
    own: int

    @property
    def share(self) -> float:
        """0 to 1."""
        return self.shared / self.own

    @property
    def telling(self) -> bool:
        """Whether it is much, and much of the whole."""
        return self.shared >= LEAST and self.share >= SHARE


@dataclasses.dataclass(frozen=True)
class Pair:
    """Two students.

    Attributes:
        first, second: who, in order.
        overlaps: the telling ones, the largest first.
        fragments: what they share.
    """

    first: str
    second: str
    overlaps: tuple[Overlap, ...]
    fragments: frozenset[int]


def few_of(works: int) -> int:
    """How many may share a fragment that still counts, in a class of this size: 2 of up to 11, at most 5."""
    return min(5, max(2, works // 4))


def pairs(works: dict[str, dict[int, str]], published: set[int], few: int) -> list[Pair]:
    """The telling pairs, those that share most first.

    Args:
        works: for each student, fragments and their tasks.
        published: fragments that count nothing: of the released notebook, the solution, the lessons.
        few: as many may share a fragment that counts.
    """
    owners: dict[int, list[str]] = defaultdict(list)
    for student in sorted(works):
        for fragment in works[student].keys() - published:
            owners[fragment].append(student)
    own = {student: Counter[str]() for student in works}
    shared: dict[tuple[str, str], list[int]] = defaultdict(list)
    for fragment, students in owners.items():
        if len(students) <= few:
            for student in students:
                own[student][works[student][fragment]] += 1
            for two in itertools.combinations(students, 2):
                shared[two].append(fragment)
    found = []
    for (first, second), common in shared.items():
        if len(common) >= LEAST:
            overlaps = _overlaps(common, (works[first], works[second]), (own[first], own[second]))
            if overlaps:
                found.append(Pair(first, second, overlaps, frozenset(common)))
    return sorted(found, key=lambda pair: (-pair.overlaps[0].shared, pair.first, pair.second))


def _overlaps(
    common: list[int], works: tuple[dict[int, str], dict[int, str]], own: tuple[Counter, Counter]
) -> tuple[Overlap, ...]:
    found = {EVERYTHING: Overlap(EVERYTHING, len(common), min(own[0].total(), own[1].total()))}
    for work, mine in zip(works, own, strict=True):
        for task, count in Counter(work[fragment] for fragment in common).items():
            overlap = Overlap(task, count, mine[task])
            if task not in found or overlap.share > found[task].share:  # wherever the other one put it
                found[task] = overlap
    return tuple(sorted((one for one in found.values() if one.telling), key=lambda one: -one.shared))
