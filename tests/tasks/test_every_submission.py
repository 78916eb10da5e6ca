"""A wrong answer passes the same checks whatever a submission's seed draws: a public case asks what is promised."""

from __future__ import annotations

import pytest

from autograder.checks.catalogue import cells_before, tasks_of
from autograder.proving.mutants.bench import SEED, Bench
from tests.answers import Answer, wrong_answers
from tests.chosen import EXERCISES, TASK
from tests.depth import exhaustive

pytestmark = exhaustive

SEEDS = (SEED, b"another submission")
PATIENCE = 30.0
"""Seconds for a question: no answer here is endless, and a busy machine may stand still for a while."""
DRAWS = "rand"
"""In the source of an answer that draws numbers itself, so that what it is wrong about depends on them."""


def refused(bench: Bench, exercise: str, answer: Answer, seed: bytes) -> dict[str, str]:
    """The titles of the checks that an answer fails in the submission with this seed, and what was seen."""
    bench.seed, bench.question_seconds = seed, PATIENCE
    task = tasks_of(exercise)[answer.task]
    verdict = bench.verdict(task, answer.source, cells_before(task))
    return {result.title: result.seen for result in verdict.results if not result.points}


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_wrong_answer_passes_the_same_checks_in_every_submission(exercise: str, bench: Bench) -> None:
    lucky = {}
    for one in wrong_answers(exercise):
        if TASK in ("", one.task) and not one.endless and DRAWS not in one.source:
            checks = [refused(bench, exercise, one, seed) for seed in SEEDS]
            if any(one.keys() != checks[0].keys() for one in checks):
                lucky[one.task, one.name] = checks
    assert lucky == {}
