"""Verdicts as plain data: what a task earned and why."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from autograder.visible_text import visible

if TYPE_CHECKING:  # this file is read where neither torch nor pytest may be loaded
    from autograder.checks.task import Check, Task
    from autograder.diagnosis import Finding
    from autograder.pictures import Picture

VERDICT = "application/vnd.autograder.verdict+json"
"""A verdict as data beside its HTML and text, for programs that read graded notebooks."""
DEFECT = "The check itself failed, which is our mistake and not yours; tell your instructor"


@dataclasses.dataclass(frozen=True)
class Result:
    """One check: its title, its points, and why some are missing.

    Attributes:
        kind: "passed", a finding's kind, or "defect" where the check itself broke.
        seen: one sentence with what was seen; empty where it passed.
        mistake: name of the mistake that explains it; empty where none does.
        advice: the mistake's sentence; where nothing has been done yet, what to begin with.
        example: code that shows it when it is run.
        picture: draws the graph with the wrong numbers marked; drawing takes longer than judging, so it
            waits until somebody looks.
    """

    title: str
    points: float
    maximum: float
    kind: str
    seen: str = ""
    mistake: str = ""
    advice: str = ""
    example: str = ""
    picture: Callable[[], Any] | None = dataclasses.field(default=None, compare=False, repr=False)

    @staticmethod
    def of(check: Check, passed: bool, finding: Finding | None, broken: str) -> Result:
        """From the outcome of a check's test."""
        if passed:
            return Result(check.title, check.points, check.points, "passed")
        if finding is None:
            return Result(check.title, 0.0, check.points, "defect", f"{DEFECT} ({visible(broken[:300], kept='')}).")
        mistake = finding.mistake
        name, advice = (mistake.name, mistake.sentence) if mistake else ("", "")
        if finding.kind == "not_attempted":
            advice = check.task.begin
        said = finding.kind, finding.seen, name, advice, finding.example, finding.picture
        return Result(check.title, 0.0, check.points, *said)


@dataclasses.dataclass(frozen=True)
class Verdict:
    """One task: its results and where to read again."""

    task: str
    exercise: str
    section: str
    results: tuple[Result, ...]

    @staticmethod
    def of(task: Task, results: list[Result]) -> Verdict:
        """From the results of its checks."""
        return Verdict(task.name, task.exercise, task.section, tuple(results))

    @staticmethod
    def nothing(task: Task, kind: str, reason: str) -> Verdict:
        """No points, for a reason that lies outside the task: an unreadable file, say."""
        reason = visible(reason, kept="")
        return Verdict.of(task, [Result(c.title, 0.0, c.points, kind, reason) for c in task.checks])

    @property
    def points(self) -> float:
        """What was earned."""
        return sum(result.points for result in self.results)

    @property
    def maximum(self) -> float:
        """What could be earned."""
        return sum(result.maximum for result in self.results)

    def out_of(self, worth: float) -> Verdict:
        """Scale all points so that `worth` can be earned; the same verdict where that changes nothing."""
        if not self.maximum or math.isclose(worth, self.maximum):
            return self
        factor = worth / self.maximum
        results = (
            dataclasses.replace(one, points=one.points * factor, maximum=one.maximum * factor) for one in self.results
        )
        return dataclasses.replace(self, results=tuple(results))

    @property
    def passed(self) -> bool:
        """Whether every check passed, also where they are worth nothing."""
        return all(result.kind == "passed" for result in self.results)

    @property
    def reason(self) -> str:
        """Why points are missing, in one line; empty where none are."""
        for result in self.results:
            if result.kind != "passed":
                named = f" [{result.mistake}]" if result.mistake else ""
                return result.seen + named
        return ""

    @functools.cached_property
    def picture(self) -> tuple[int, Picture] | None:
        """One graph a verdict: that of the first wrong answer that has one, with the place of its result."""
        for place, result in enumerate(self.results):
            try:
                drawn = result.picture() if result.picture is not None else None
            except Exception:  # a picture is an extra: where it fails, the verdict stands without it
                continue
            if drawn is not None:
                return place, drawn
        return None

    def as_data(self, *, picture: bool = False) -> dict[str, Any]:
        """For JSON.

        Args:
            picture: with the picture, from which `from_data` makes the same display again.
        """
        sums = {"points": self.points, "maximum": self.maximum, "reason": self.reason}
        results = [{key: value for key, value in vars(one).items() if key != "picture"} for one in self.results]
        if picture and self.picture is not None:
            place, drawn = self.picture
            results[place]["picture"] = {"svg": drawn.svg, "alt": drawn.alt}
        return {"task": self.task, "exercise": self.exercise, "section": self.section, "results": results} | sums

    @staticmethod
    def from_data(data: dict[str, Any]) -> Verdict:
        """From what `as_data` made."""
        from autograder.pictures.picture import Picture

        results = []
        for one in data["results"]:
            drawn = one.get("picture")
            picture = None if drawn is None else functools.partial(Picture, str(drawn["svg"]), str(drawn["alt"]))
            results.append(Result(**{**one, "picture": picture}))
        return Verdict(data["task"], data["exercise"], data["section"], tuple(results))
