"""The four tasks that build one class: each can be solved with the earlier ones only, and pays for itself only."""

from __future__ import annotations

from typing import Any

import pytest

from autograder.checks.catalogue import tasks_of
from autograder.grader.custody import NotebookRun
from autograder.grader.live import judge_namespace
from autograder.judging.judge import judge
from autograder.sandbox.limits import Limits
from tests.answers import Answer, right_answers
from tests.depth import one_of_each, proof
from tests.submissions import cell_of, released, solution_sources, solved

EXERCISE = "01_scalar_graphs"
SOLUTIONS = solution_sources(EXERCISE)
PARTS = [task for task in SOLUTIONS if task.startswith("value_")]
BUILT = [*PARTS, "fit_neuron"]
FULL = {task: tasks_of(EXERCISE)[task].points for task in BUILT}
ENGINES = [answer for answer in right_answers(EXERCISE) if answer.task == PARTS[0]]
UNTOUCHED = {task: cell_of(released(EXERCISE), task).source for task in BUILT}


def points(**cells: str) -> dict[str, float]:
    """The points of each check, pressed after its own cell; cells that are not given are the published ones."""
    names: dict[str, Any] = {"__name__": "__main__"}
    found = {}
    for task in BUILT:
        exec(compile(cells.get(task, SOLUTIONS[task]), f"<{task}>", "exec"), names)
        found[task] = judge_namespace(task, names)[0].points
    return found


def test_each_task_is_solved_with_the_earlier_ones_only() -> None:
    assert list(points().values()) == [4, 2, 2, 2, 4]
    assert points() == FULL
    assert points(**UNTOUCHED) == dict.fromkeys(BUILT, 0)


@pytest.mark.parametrize("engine", one_of_each(ENGINES, lambda answer: answer.kind), ids=lambda answer: answer.name)
def test_a_whole_engine_in_the_first_cell_answers_every_task(engine: Answer) -> None:
    assert points(**dict.fromkeys(PARTS[1:], "pass"), **{PARTS[0]: engine.source}) == FULL


@pytest.mark.parametrize(
    ("was", "wrote"),
    [
        ("[(self, 1.0), (other, 1.0)]", "[(self, 1.0), (other, -1.0)]"),
        ("[(self, other.data), (other, self.data)]", "[(self, self.data), (other, other.data)]"),
        pytest.param("-quotient / other.data", "quotient / other.data", marks=proof),
        pytest.param("power * math.log(self.data)", "power", marks=proof),
        pytest.param("Value(self.data * other.data", "Value(self.data / other.data", marks=proof),
    ],
)
def test_a_wrong_operator_is_blamed_in_its_own_task(was: str, wrote: str) -> None:
    assert was in SOLUTIONS["value_arithmetic"]
    found = points(value_arithmetic=SOLUTIONS["value_arithmetic"].replace(was, wrote))
    assert found.pop("value_arithmetic") < 4
    found.pop("fit_neuron")
    assert found == {"value_functions": 2, "value_backward": 2, "value_long_chains": 2}


def test_operators_that_are_not_written_cost_no_later_task_anything() -> None:
    assert points(value_arithmetic=UNTOUCHED["value_arithmetic"]) == FULL | {"value_arithmetic": 0, "fit_neuron": 0}


def test_a_wrong_function_costs_its_own_task_only() -> None:
    wrong = SOLUTIONS["value_functions"].replace("1 - t * t", "1 - t")
    assert points(value_functions=wrong) == FULL | {"value_functions": 1}


def test_a_recursive_engine_loses_only_the_long_chain() -> None:
    assert points(value_long_chains=UNTOUCHED["value_long_chains"]) == FULL | {"value_long_chains": 1}


def test_a_class_whose_cell_did_not_run_is_told_in_the_later_tasks() -> None:
    notebook = solved(EXERCISE, value_arithmetic=SOLUTIONS["value_arithmetic"].replace("class Value:", "class Value"))
    evidence = NotebookRun(notebook.cells, tasks_of(EXERCISE), b"seed".ljust(32, b"."), Limits()).custody().evidence
    told = {verdict.reason for verdict in judge().verdicts(BUILT, evidence).values()}
    assert told == {"The notebook defines no `Value`: its cell did not run (SyntaxError, line 4)."}
