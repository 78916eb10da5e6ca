"""Exercise 11 hands out programs that run and are wrong: a student starts from them, and they earn nothing."""

from __future__ import annotations

import ast

import pytest

from autograder.checks.catalogue import tasks_of
from autograder.grader.live import judge_namespace
from autograder.verdicts.verdict import Verdict
from tests.answers import wrong_answers
from tests.submissions import cell_of, released

EXERCISE = "11_clinic"
TASKS = tuple(tasks_of(EXERCISE))
STOP = "raise NotImplementedError  # your code here"
REQUEST = "# Delete the next line, and repair what stands below it: the program as given."


def untouched(task: str) -> str:
    """The task's cell as students get it."""
    return cell_of(released(EXERCISE), task).source


def as_given(task: str) -> str:
    """The same after the student has deleted the line."""
    return "\n".join(line for line in untouched(task).splitlines() if line.strip() not in (STOP, REQUEST))


def judged(task: str, source: str) -> Verdict:
    namespace: dict = {}
    exec(source, namespace)
    return judge_namespace(task, namespace)[0]


@pytest.mark.parametrize("task", TASKS)
def test_an_untouched_program_is_not_attempted_and_earns_nothing(task: str) -> None:
    verdict = judged(task, untouched(task))
    assert verdict.points == 0
    assert {result.kind for result in verdict.results} == {"not_attempted"}


@pytest.mark.parametrize("task", TASKS)
def test_one_line_stops_each_program_and_a_comment_says_so(task: str) -> None:
    lines = [line.strip() for line in untouched(task).splitlines()]
    assert lines.count(STOP) == 1
    assert lines[lines.index(STOP) - 1] == REQUEST


@pytest.mark.parametrize("task", TASKS)
def test_a_program_as_given_runs_earns_nothing_and_is_told_its_symptom(task: str) -> None:
    verdict = judged(task, as_given(task))
    assert verdict.points == 0
    assert {result.kind for result in verdict.results} == {"wrong"}
    (symptom,) = {result.mistake for result in verdict.results} - {".grad filled"}  # which a check of its own tells
    assert symptom.startswith("as given: ")


@pytest.mark.parametrize("task", TASKS)
def test_the_program_as_given_is_among_the_wrong_answers(task: str) -> None:
    (answer,) = (one for one in wrong_answers(EXERCISE) if one.task == task and one.name.startswith("as_given_"))
    assert _code(answer.source) == _code(as_given(task))


def _code(source: str) -> str:
    """Without layout and docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.unparse(tree)
