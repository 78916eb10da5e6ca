"""A mistake is known from answers that did not teach it: each has one that is held out, or stands in a list of debts.

The lists may only shrink: write another answer of that name, `@wrong(name)` in the task's `answers.py`, and take it out
of the exercise's `not_held_out.toml`.
"""

from __future__ import annotations

import tomllib

import pytest

from autograder.checks.task import Task
from autograder.proving.mistakes import NOT_HELD_OUT, held_out
from tests.chosen import TASKS
from tests.submissions import COURSE

MOST = 584


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_mistake_is_found_by_an_answer_that_is_held_out(task: Task) -> None:
    assert list(held_out(task)) == []


def test_the_debts_only_shrink() -> None:
    lists = [tomllib.loads(path.read_text()) for path in (COURSE / "solutions").glob(f"*/_tasks/{NOT_HELD_OUT}")]
    assert sum(len(names) for debts in lists for names in debts.values()) <= MOST
