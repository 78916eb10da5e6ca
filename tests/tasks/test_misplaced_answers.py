"""Answers to other questions, which an attacker can send, are wrong: no check fails by itself over them."""

from __future__ import annotations

import contextlib
import itertools

import pytest

from autograder.checks.answer import Answer
from autograder.checks.catalogue import cells_before, tasks_of
from autograder.diagnosis import Finding
from autograder.judging.evidence import Evidence
from autograder.proving.mutants.bench import Bench
from tests.chosen import EXERCISES
from tests.depth import one_of_each

NO_ANSWER = Answer({"outputs": [], "ok": True, "count": 1})


@pytest.mark.parametrize("exercise", one_of_each(EXERCISES, lambda exercise: ""))
def test_each_answer_stands_for_the_next_question(exercise: str) -> None:
    with Bench() as bench:
        for task in tasks_of(exercise).values():
            bench.verdict(task, task.solution, cells_before(task))
            right = Evidence(bench.seed)
            right.ask(task, bench.answer)
            late = iter([NO_ANSWER, *itertools.chain.from_iterable(right.answers.values())])
            evidence = Evidence(bench.seed)
            evidence.ask(task, lambda question, late=late: next(late))
            for check in task.checks:
                with contextlib.suppress(Finding):
                    check.test(evidence.answers_to(check))
