"""Pictures of mistakes: the wrong answers that the tests keep, judged, and the graph that `check` draws for each."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable

from autograder.checks.catalogue import tasks_of
from autograder.checks.task import PUBLIC_SEED, Task
from autograder.diagnosis.exceptions import TOO_SLOW
from autograder.pictures import Picture
from autograder.proving.mutants.bench import Bench
from autograder.tasks.cells import needed
from book.source import EXECUTED, fingerprint, put
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
    """The first wrong answer with a picture, by task and mistake; kept from build to build."""
    answers = [f"{answer.task} {answer.diagnosed} {answer.source}" for answer in wrong_answers(exercise)]
    digest = hashlib.sha256("\0".join([*answers, *solution_sources(exercise).values()]).encode()).hexdigest()
    kept = EXECUTED / fingerprint() / "drawn" / f"{exercise}-{digest[:16]}.json"
    if not kept.exists():
        rows = [(*key, one.seen, one.example, one.picture.svg, one.picture.alt) for key, one in _judged(exercise)]
        put(kept, json.dumps(rows).encode())
    rows = json.loads(kept.read_text(encoding="utf-8"))
    return {(task, mistake): Drawn(seen, example, Picture(svg, alt)) for task, mistake, seen, example, svg, alt in rows}


def _judged(exercise: str) -> Iterable[tuple[tuple[str, str], Drawn]]:
    """Of the tasks that have a graph."""
    tasks, found = tasks_of(exercise), {}
    with Bench(PUBLIC_SEED) as bench:
        for answer in wrong_answers(exercise):
            key = (answer.task, answer.diagnosed)
            slow = answer.diagnosed == TOO_SLOW.name  # it ends with the clock, and without a picture
            if tasks[answer.task].graph is None or slow or key in found:
                continue
            shown = _drawn(bench, tasks[answer.task], answer)
            if shown is not None:
                found[key] = shown
    return found.items()


def _drawn(bench: Bench, task: Task, answer: Answer) -> Drawn | None:
    verdict = bench.verdict(task, answer.source, needed(task.name, solution_sources(task.exercise), answer.source))
    if verdict.picture is None:
        return None
    place, picture = verdict.picture
    result = verdict.results[place]
    return Drawn(result.seen, result.example, picture) if result.mistake == answer.diagnosed else None
