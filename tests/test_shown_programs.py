"""A program that a check shows can be run as it stands, and what the check says of it can be looked at afterwards."""

from __future__ import annotations

import pytest

from autograder.checks.catalogue import exercises, tasks_of
from autograder.checks.task import PUBLIC_SEED, Task
from autograder.probes.programs import Program
from autograder.tasks.cells import needed
from tests.submissions import solution_sources

TASKS = [task for exercise in exercises() for task in tasks_of(exercise).values()]


def programs(task: Task) -> list[Program]:
    """The programs that may stand in a card: in a notebook the drawn ones too."""
    found = [case.inputs[0] for check in task.checks for case in check.cases(PUBLIC_SEED) if case.inputs]
    return list({one.text: one for one in found if isinstance(one, Program)}.values())


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_program_needs_no_values_that_its_text_does_not_make(task: Task) -> None:
    assert not any(program.given for program in programs(task))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_program_that_is_shown_has_the_imports_that_it_needs(task: Task) -> None:
    cells = solution_sources(task.exercise)
    for program in programs(task):
        names: dict = {"__name__": "__main__"}
        for cell in (*needed(task.name, cells), cells[task.name]):
            exec(compile(cell, "<solution>", "exec"), names)
        own = {task.target: names[task.target]}
        exec(compile(program.as_cell, "<program>", "exec"), own)
        for expression in program.shown:
            try:
                eval(expression, own)
            except NameError as error:
                pytest.fail(f"{task.name}: `{expression}` after the program: {error}")
            except Exception:  # it has no value, which is what is shown of it
                continue
