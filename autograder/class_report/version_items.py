"""The versions of each task side by side: whether what one student was dealt is harder than what another was."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from autograder.class_report.item_analysis import points_share
from autograder.class_report.proportions import LEAST, PointsShare, Proportion
from autograder.class_report.results import AssignmentResults, TaskScore

CHANCE = 0.01
"""Chance that equally hard versions of one task are called unequal. It is small because an exercise has several."""


@dataclasses.dataclass(frozen=True)
class VersionItem:
    """One version of a task.

    Attributes:
        task: the task's name.
        version: its number.
        tried: how many tried it, of those to whom it was dealt.
        full: how many of those who tried have full points.
        mean_of_tried: share of the points, of those who tried it.
    """

    task: str
    version: int
    tried: Proportion
    full: Proportion
    mean_of_tried: PointsShare


def version_items(results: AssignmentResults) -> list[VersionItem]:
    """Describe each dealt version of each task, in the order of the notebook."""
    return [
        VersionItem(
            task,
            version,
            Proportion(len(tried), len(scores)),
            Proportion(sum(one.is_full for one in tried), len(tried)),
            points_share(tried),
        )
        for task in results.tasks
        for version, scores in sorted(_by_version(results, task).items())
        for tried in [[one for one in scores if one.tried]]
    ]


def unequal(results: AssignmentResults) -> Iterator[str]:
    """Yield the tasks whose versions differ in points by more than chance explains, among those who tried them."""
    for task in results.tasks:
        tried = [[one.points for one in scores if one.tried] for scores in _by_version(results, task).values()]
        if _differ([points for points in tried if len(points) >= LEAST]):
            yield task


def _differ(groups: Sequence[Sequence[float]]) -> bool:
    """Apply the test of Kruskal and Wallis, which compares ranks, because points are few and heap at full marks."""
    if len(groups) < 2 or len({points for group in groups for points in group}) < 2:
        return False
    from scipy.stats import kruskal  # takes a second to import

    return bool(kruskal(*groups).pvalue < CHANCE)


def _by_version(results: AssignmentResults, task: str) -> dict[int, list[TaskScore]]:
    """Return the scores in a task by version; empty if it was not dealt."""
    found = dict[int, list[TaskScore]]()
    for one in results.judged:
        score = one.tasks.get(task)
        if score is not None and score.version:
            found.setdefault(score.version, []).append(score)
    return found
