"""Item analysis: how hard each task is, and whether it separates those who know the rest from those who do not.

Difficulty is the mean share of points. Discrimination is the corrected point-biserial correlation: that of a task's
points with the total of the other tasks, as a share of what these are worth, so that students whose other tasks are
not all graded can be compared. Students who tried nothing are left out of it, because they would make every task
discriminate.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np

from autograder.class_report.proportions import LEAST, Correlation, PointsShare, Proportion
from autograder.class_report.results import AssignmentResults, CheckResult, Participant, TaskScore

STRONGEST = 0.75
"""The quantile of the points in the other tasks from which students count as the strongest quarter."""
LEAST_STRONGEST = 5
NEGATIVE = -0.1
"""The coefficient up to which a discrimination is called negative; nearer to 0 it is none."""


@dataclasses.dataclass(frozen=True)
class TaskItem:
    """One task as an item of the assignment.

    Attributes:
        task: the task's name.
        maximum: its points.
        tried: how many tried it, of those for whom it is graded.
        full: how many of those who tried have full points.
        mean: share of the points, of all for whom it is graded.
        mean_of_tried: the same of those who tried it.
        discrimination: correlation with the total of the other tasks.
    """

    task: str
    maximum: float
    tried: Proportion
    full: Proportion
    mean: PointsShare
    mean_of_tried: PointsShare
    discrimination: Correlation


@dataclasses.dataclass(frozen=True)
class OddCheck:
    """A check that behaves oddly.

    Attributes:
        task: the task's name.
        check: the check's title.
        why: what is odd about it, in sentences.
        discrimination: correlation of passing it with the total of the other tasks.
    """

    task: str
    check: str
    why: str
    discrimination: Correlation


class Sample:
    """The students who tried something, with their points in the other tasks."""

    def __init__(self, results: AssignmentResults) -> None:
        self.students = [one for one in results.judged if one.tried]
        self._points = np.array([sum(x.points for x in one.tasks.values()) for one in self.students])
        self._worth = np.array([sum(x.maximum for x in one.tasks.values()) for one in self.students])

    def others(self, task: str) -> list[tuple[Participant, float]]:
        """Return the students for whom a task is graded, with their share of the points of the other tasks."""
        found = []
        for one, points, worth in zip(self.students, self._points, self._worth, strict=True):
            score = one.tasks.get(task)
            if score is not None and worth > score.maximum:
                found.append((one, float((points - score.points) / (worth - score.maximum))))
        return found


def task_items(results: AssignmentResults) -> list[TaskItem]:
    """Analyse each task of an assignment, in the order of the notebook."""
    sample = Sample(results)
    return [_item(results, sample, task, maximum) for task, maximum in results.tasks.items()]


def _item(results: AssignmentResults, sample: Sample, task: str, maximum: float) -> TaskItem:
    scores = [one.tasks[task] for one in results.judged if task in one.tasks]
    tried = [one for one in scores if one.tried]
    others = sample.others(task)
    if others or len(results.tasks) > 1:
        points = [one.tasks[task].points for one, _ in others]
        discrimination = Correlation.of(points, [rest for _, rest in others])
    else:
        discrimination = Correlation(None, why_none="there is no other task")
    return TaskItem(
        task,
        maximum,
        Proportion(len(tried), len(scores)),
        Proportion(sum(one.is_full for one in tried), len(tried)),
        points_share(scores),
        points_share(tried),
        discrimination,
    )


def points_share(scores: Sequence[TaskScore]) -> PointsShare:
    """Return what several students earned in a task, out of what they could earn."""
    points, maximum = (sum(getattr(one, name) for one in scores) for name in ("points", "maximum"))
    return PointsShare(points, maximum, len(scores))


def odd_checks(results: AssignmentResults) -> list[OddCheck]:
    """Find the checks that strong students miss, that go with fewer points elsewhere, or that failed by themselves."""
    sample, found = Sample(results), list[OddCheck]()
    for task in results.tasks:
        others = sample.others(task)
        titles = dict.fromkeys(check.title for one, _ in others for check in one.tasks[task].checks)
        for title in titles:
            seen = [(check, rest) for one, rest in others if (check := _check(one, task, title)) is not None]
            passed = Correlation.of([float(check.passed) for check, _ in seen], [rest for _, rest in seen])
            if why := " ".join(_oddities(seen, passed)):
                found.append(OddCheck(task, title, why, passed))
    return sorted(found, key=lambda one: 1.0 if one.discrimination.value is None else one.discrimination.value)


def _check(one: Participant, task: str, title: str) -> CheckResult | None:
    score = one.tasks[task]
    return next((check for check in score.checks if check.title == title), None) if score.tried else None


def _oddities(seen: list[tuple[CheckResult, float]], passed: Correlation) -> Iterator[str]:
    if broken := sum(check.broken for check, _ in seen):
        yield f"The check failed by itself in {broken} submission{'' if broken == 1 else 's'}."
    if passed.value is not None and passed.value <= NEGATIVE:
        chance = ", which chance can explain" if passed.chance_explains else ""
        yield f"Those who pass it have fewer points elsewhere: {passed.shown}{chance}."
    if len(seen) < LEAST:
        return
    strong_from = float(np.quantile([rest for _, rest in seen], STRONGEST))
    strongest = [check for check, rest in seen if rest >= strong_from]
    count = sum(check.passed for check in strongest)
    if len(strongest) >= LEAST_STRONGEST and 2 * count < len(strongest):
        yield f"Hard for strong students: {count} of the {len(strongest)} strongest passed it."
