"""Every wrong answer loses points under its own name; every right answer loses none."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from autograder.checks.catalogue import cells_before, tasks_of
from autograder.proving.mutants.bench import Bench
from autograder.proving.written_answers import verdict_problems
from autograder.verdicts.verdict import Verdict
from tests.answer_notebooks import identity, verdicts
from tests.answers import Answer, few, right_answers, wrong_answers
from tests.chosen import EXERCISES, TASK
from tests.depth import exhaustive

PATIENCE = 10.0
"""Seconds for a question of an answer that ends."""
ENDLESS = 1.0
"""Seconds for one that does not: each costs one of a processor."""


def _answers(exercise: str) -> list[Answer]:
    return [one for one in (*right_answers(exercise), *wrong_answers(exercise)) if TASK in ("", one.task)]


def _judged() -> list:
    """Each exercise's answers; those that make the same mistake as another are left to `make exhaustive`."""
    found = []
    for exercise in EXERCISES:
        answers = _answers(exercise)
        kept = few(answers)
        for one in answers:
            marks = () if one in kept else exhaustive
            found.append(pytest.param(exercise, one, marks=marks, id=f"{one.task}-{one.kind}-{one.name}"))
    return found


@pytest.mark.parametrize(("exercise", "answer"), _judged())
def test_an_answer_gets_what_it_must(exercise: str, answer: Answer, bench: Bench) -> None:
    task = tasks_of(exercise)[answer.task]
    bench.question_seconds = ENDLESS if answer.endless else PATIENCE
    verdict = bench.verdict(task, answer.source, cells_before(task))
    assert list(verdict_problems(answer, verdict)) == []
    assert not list(said_as_a_test_would(answer, verdict))


@pytest.mark.parametrize("exercise", EXERCISES)
def test_doing_nothing_earns_nothing(exercise: str, bench: Bench) -> None:
    """A function that returns None leaves everything unchanged, too."""
    for task in tasks_of(exercise).values():
        if TASK in ("", task.name) and re.search(rf"^def {task.name}\(", task.solution, re.MULTILINE):
            source = f"def {task.name}(*args, **kwargs):\n    pass\n"
            assert bench.verdict(task, source, cells_before(task)).points == 0, task.name


@exhaustive
@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_student_gets_what_the_bench_gives(exercise: str) -> None:
    """Of each task the first answer of each kind, and all endless ones, as notebooks that a class hands in."""
    answers = _answers(exercise)
    first = {(one.task, one.kind): one for one in reversed(answers)}.values()
    some = [one for one in answers if one.endless or one in first]
    given = verdicts(exercise, some)
    assert [problem for one in some for problem in verdict_problems(one, given[identity(one)])] == []


JARGON = re.compile(
    r"`[^`]*( == | != | <=? | >=? | is | in |\bnot |\bbool\(|\.requires_grad|\.is_leaf)[^`]*` is (True|False)\b"
    r"|is the text '[^']*', expected the text|not there \("
)
"""What a test would report of an expression, and a sentence for a person would not."""
LOOKED_AT = re.compile(r"After the program below, `(\w+)` is (True|False|'\w*'), expected")
"""A name of the program's own, as far as it is not what the task returned."""


def said_as_a_test_would(answer: Answer, verdict: Verdict) -> Iterator[str]:
    """What a verdict says as a test would, and not as a person."""
    for result in verdict.results:
        own = LOOKED_AT.match(result.seen)
        if JARGON.search(result.seen) or (
            own and not re.search(rf"^{own[1]} = .*\b{answer.task}\(", result.example, re.MULTILINE)
        ):
            yield result.seen
