"""Answers to other questions, which an attacker can send, are wrong: no check fails by itself over them."""

from __future__ import annotations

import contextlib
import itertools

import pytest

from autograder.checks.answer import Answer
from autograder.checks.catalogue import cells_before
from autograder.checks.task import Task
from autograder.diagnosis import Finding
from autograder.judging.evidence import Evidence
from autograder.proving.mutants.bench import Bench
from tests.chosen import TASKS
from tests.depth import exhaustive, one_of_each

NO_ANSWER = Answer({"outputs": [], "ok": True, "count": 1})


@pytest.mark.parametrize("task", one_of_each(TASKS, lambda task: "", rest=exhaustive), ids=lambda task: task.name)
def test_each_answer_stands_for_the_next_question(task: Task, bench: Bench) -> None:
    bench.verdict(task, task.solution, cells_before(task))
    right = Evidence(bench.seed)
    right.ask(task, bench.answer)
    late = iter([NO_ANSWER, *itertools.chain.from_iterable(right.answers.values())])
    evidence = Evidence(bench.seed)
    evidence.ask(task, lambda question: next(late))
    for check in task.checks:
        with contextlib.suppress(Finding):
            check.test(evidence.answers_to(check))
