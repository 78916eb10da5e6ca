"""Verdicts and the results of single checks, as plain data."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from autograder.notebooks.grade_cells import GRADE_ID
from autograder.tasks.lesson_sections import with_reading
from autograder.tasks.versions import label
from autograder.visible_text import visible
from autograder.wire.outcome import Outcome

if TYPE_CHECKING:  # processes import this file that must load neither torch nor pytest
    from autograder.checks.task import Check, Task
    from autograder.diagnosis import Finding
    from autograder.pictures import Picture

VERDICT = "application/vnd.autograder.verdict+json"
"""MIME type of a verdict as data, which stands beside its HTML and text for programs that read graded notebooks."""
DEFECT = "The check itself failed, which is our mistake and not yours; tell your instructor"


@dataclasses.dataclass(frozen=True)
class Result:
    """The result of one check.

    Attributes:
        title: the check's title.
        points: points earned.
        maximum: points that can be earned.
        kind: how the check ended.
        seen: one sentence about what was seen; empty if the check passed.
        mistake: name of the mistake that explains it; empty if none does.
        advice: the mistake's sentence; what to do first if the task was not attempted.
        example: code that reproduces it.
        fact_first: whether what was seen says it best, and the advice only what to do about it.
        picture: draws the graph with the wrong numbers marked; called when it is shown, because drawing takes longer
            than judging.
    """

    title: str
    points: float
    maximum: float
    kind: Outcome
    seen: str = ""
    mistake: str = ""
    advice: str = ""
    example: str = ""
    fact_first: bool = False
    picture: Callable[[], Picture | None] | None = dataclasses.field(default=None, compare=False, repr=False)

    @staticmethod
    def of(check: Check, passed: bool, finding: Finding | None, broken: str) -> Result:
        """Make the result of a check from the outcome of its test.

        Args:
            check: the check.
            passed: whether its test passed.
            finding: the reason why it did not pass, or None if the check itself failed.
            broken: the check's own error, if it failed.
        """
        if passed:
            return Result(check.title, check.points, check.points, Outcome.PASSED)
        if finding is None:
            return Result(
                check.title, 0.0, check.points, Outcome.DEFECT, f"{DEFECT} ({visible(broken[:300], kept='')})."
            )
        mistake = finding.mistake
        name, advice = (mistake.name, with_reading(mistake.sentence)) if mistake else ("", "")
        if finding.kind == Outcome.NOT_ATTEMPTED:
            advice = check.task.begin
        fact_first = bool(getattr(mistake, "fact_first", False))  # the general hypotheses explain
        said = finding.kind, finding.seen, name, advice, finding.example, fact_first, finding.picture
        return Result(check.title, 0.0, check.points, *said)


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The verdict on one task: the results of its checks, and the lesson's section to read again.

    Attributes:
        task: its name.
        exercise: the notebook's name.
        section: the lesson's.
        results: of its checks.
        cell: the grade_id of a cell with asserts of the instructor's own, which no check judged; empty for a task.
        changed: what the notebook had changed beneath such a cell, and was put back.
        version: the version of the task that was dealt; 0 if the task has not been dealt.
    """

    task: str
    exercise: str
    section: str
    results: tuple[Result, ...]
    cell: str = ""
    changed: tuple[str, ...] = ()
    version: int = 0

    @staticmethod
    def of(task: Task, results: list[Result]) -> Verdict:
        """Make a task's verdict from the results of its checks."""
        return Verdict(task.name, task.exercise, task.section, tuple(results), version=task.version)

    @staticmethod
    def nothing(task: Task, kind: Outcome, reason: str) -> Verdict:
        """Make a verdict without points for a reason outside the task, such as an unreadable file."""
        reason = visible(reason, kept="")
        return Verdict.of(task, [Result(c.title, 0.0, c.points, kind, reason) for c in task.checks])

    @property
    def label(self) -> str:
        """The task's name with the version that was dealt."""
        return label(self.task, self.version)

    @property
    def named(self) -> str:
        """The task's name as a reader gets it, with the version that was dealt."""
        return f"{self.task}, version {self.version}" if self.version else self.task

    @property
    def asserted(self) -> bool:
        """Whether it is about a cell with asserts, which ran beside the student's code."""
        return bool(self.cell)

    @property
    def points(self) -> float:
        """Points earned."""
        return sum(result.points for result in self.results)

    @property
    def maximum(self) -> float:
        """Points that can be earned."""
        return sum(result.maximum for result in self.results)

    def out_of(self, worth: float) -> Verdict:
        """Return the verdict with all points scaled so that `worth` can be earned."""
        if not self.maximum or math.isclose(worth, self.maximum):
            return self
        factor = worth / self.maximum
        results = (
            dataclasses.replace(one, points=one.points * factor, maximum=one.maximum * factor) for one in self.results
        )
        return dataclasses.replace(self, results=tuple(results))

    @property
    def passed(self) -> bool:
        """Whether every check passed, those without points included."""
        return all(result.kind == Outcome.PASSED for result in self.results)

    @property
    def reason(self) -> str:
        """Why the first check failed, and what a person should look at, in one line; empty if all passed."""
        if self.asserted:
            seen = self.results[0].seen
            return " ".join(filter(None, [f"{seen.rstrip('.')}." if seen and self.changed else seen, self.look_again]))
        for result in self.results:
            if result.kind != Outcome.PASSED:
                named = f" [{result.mistake}]" if result.mistake else ""
                return result.seen.replace("the program below", "the check's program", 1) + named  # without it
        return ""

    @property
    def look_again(self) -> str:
        """What the notebook had changed beneath a cell with asserts, in words; empty if nothing was noticed."""
        return f"Look at it by hand: the notebook had changed {', '.join(self.changed)}." if self.changed else ""

    @functools.cached_property
    def picture(self) -> tuple[int, Picture] | None:
        """The picture of the first result that has one, after the index of that result; None without pictures."""
        for place, result in enumerate(self.results):
            try:
                drawn = result.picture() if result.picture is not None else None
            except Exception:  # a picture is an extra, without which the verdict is still complete
                continue
            if drawn is not None and drawn.wrong:  # one without a mark would show what is right
                return place, drawn
        return None

    def as_data(self, *, picture: bool = False) -> dict[str, Any]:
        """Return the verdict as JSON data.

        Args:
            picture: whether to include the picture, so that `from_data` makes the same display again.
        """
        sums = {"points": self.points, "maximum": self.maximum, "reason": self.reason}
        results = [{key: value for key, value in vars(one).items() if key != "picture"} for one in self.results]
        if picture and self.picture is not None:
            place, drawn = self.picture
            results[place]["picture"] = {"svg": drawn.svg, "alt": drawn.alt}
        about = {"task": self.task, "exercise": self.exercise, "section": self.section, "results": results}
        own = {"cell": self.cell, "changed": [*self.changed]} if self.asserted else {}
        return about | sums | own | ({"version": self.version} if self.version else {})

    @staticmethod
    def from_data(data: dict[str, Any]) -> Verdict:
        """Make a verdict from what `as_data` returned."""
        from autograder.pictures.picture import Picture  # with the drawing of graphs, which few importers need

        results = []
        for one in data["results"]:
            drawn = one.get("picture")
            picture = None if drawn is None else functools.partial(Picture, str(drawn["svg"]), str(drawn["alt"]))
            results.append(Result(**{**one, "kind": Outcome(one["kind"]), "picture": picture}))
        own = str(data.get("cell", "")), tuple(map(str, data.get("changed", ()))), int(data.get("version", 0))
        return Verdict(data["task"], data["exercise"], data["section"], tuple(results), *own)


def cell_of(verdict: Mapping[str, Any]) -> str:
    """Return the grade_id of the cell that a verdict, in the form of `Verdict.as_data`, belongs to."""
    return str(verdict.get("cell") or GRADE_ID + verdict["task"])


def weighted(verdicts: Mapping[str, Verdict], worth: Mapping[str, float]) -> dict[str, Verdict]:
    """Scale verdicts to what their tasks are worth in the notebook.

    Args:
        verdicts: by task, with the points of the checks.
        worth: points by task; a task that is missing here keeps its own.
    """
    return {name: verdict.out_of(worth.get(name, verdict.maximum)) for name, verdict in verdicts.items()}
