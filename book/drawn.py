"""Pictures of mistakes: the wrong answers that the tests keep, judged, and the graph that `check` draws for each."""

from __future__ import annotations

import dataclasses
from typing import Any

from autograder.checks.catalogue import tasks_of
from autograder.diagnosis.errors import TOO_SLOW
from autograder.grader.live import judge_namespace
from autograder.pictures import Picture
from tests.answers import Answer, wrong_answers
from tests.submissions import solution_sources


@dataclasses.dataclass(frozen=True)
class Drawn:
    """A mistake as a student meets it.

    Attributes:
        seen: the sentence with what was seen.
        example: the program that was run, or nothing.
        picture: the graph with the wrong numbers marked.
    """

    seen: str
    example: str
    picture: Picture


def drawn(exercise: str) -> dict[tuple[str, str], Drawn]:
    """The first wrong answer with a picture, by task and mistake; only some tasks have graphs to draw."""
    found: dict[tuple[str, str], Drawn] = {}
    for answer in wrong_answers(exercise):
        key = (answer.task, answer.diagnosed)
        slow = answer.diagnosed == TOO_SLOW.name  # it ends with the clock, and without a picture
        if tasks_of(exercise)[answer.task].graph is not None and key not in found and not slow:
            shown = _drawn(answer, exercise)
            if shown is not None:
                found[key] = shown
    return found


def _drawn(answer: Answer, exercise: str) -> Drawn | None:
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(solution_sources(exercise)[answer.task], "<solution>", "exec"), names)  # its imports
    exec(compile(answer.source, f"<{answer.name}>", "exec"), names)
    verdict, _ = judge_namespace(answer.task, names)
    if verdict.picture is not None:
        place, picture = verdict.picture
        result = verdict.results[place]
        if result.mistake == answer.diagnosed:
            return Drawn(result.seen, result.example, picture)
    return None
