"""The mutation testing itself: each operator changes what it says, and a weak check lets a mutant live."""

from __future__ import annotations

import random
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Example, Operator

from autograder.checks.catalogue import exercises, tasks_of
from autograder.checks.task import Check
from autograder.proving.mutants import equivalent
from autograder.proving.mutants.bench import Bench
from autograder.proving.mutants.figures import mutants_of, score
from autograder.proving.mutants.making import Change, Mutant, change_between, mutants
from autograder.proving.mutants.operators import OPERATORS
from autograder.tasks.cells import needed
from autograder.tasks.modules import module
from autograder.tasks.tables import TaskFolderError
from tests.depth import one_of_each
from tests.submissions import solution_sources

EXAMPLES = [(operator, example) for operator in OPERATORS for example in operator.examples()]
CELLS = {task: source for exercise in exercises() for task, source in solution_sources(exercise).items()}
TASKS = {name: task for exercise in exercises() for name, task in tasks_of(exercise).items()}
SOURCE = "def f(x: float) -> float:\n    '''Add 1.'''\n    return x + 1\n"


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench() as one:
        yield one


@pytest.mark.parametrize(("operator", "example"), EXAMPLES, ids=lambda one: getattr(one, "__name__", ""))
def test_each_operator_changes_what_its_example_says(operator: type[Operator], example: Example) -> None:
    changed = mutate_code(example.pre_mutation_code, operator(**example.operator_args), example.occurrence)
    assert changed.split() == example.post_mutation_code.split()


def test_every_operator_has_an_example() -> None:
    assert {operator for operator, _ in EXAMPLES} == set(OPERATORS)


def test_mutants_are_counted_once_and_only_where_code_changes() -> None:
    made = list(mutants("f", SOURCE))
    bodies = [one.change.wrote for one in made]
    assert len(set(bodies)) == len(bodies)
    assert {"return x - 1", "return x + 2", "return x", "return None", "pass"} <= set(bodies)
    assert "Add" not in "".join(bodies)
    assert change_between(SOURCE, SOURCE.replace("+", "-")) == Change("f", "return x + 1", "return x - 1")


def test_lines_behind_a_return_are_left_alone() -> None:
    alive = {one.change.wrote for one in mutants("f", SOURCE)}
    extended = {one.change.wrote for one in mutants("f", f"{SOURCE}    x *= 3\n    return 2 * x\n")}
    # Only where the return itself goes or moves do those lines come to life.
    assert extended - alive == {"pass\nx *= 3\nreturn 2 * x", "x *= 3"}
    assert alive - extended == {"pass"}


def test_swapped_lines_are_told_apart_from_other_changes() -> None:
    change = change_between("a = 1\nb = 2\nc = 3", "b = 2\na = 1\nc = 3")
    assert change == Change("", "a = 1\nb = 2", "b = 2\na = 1")


def test_the_list_of_equivalents_gives_reasons_and_says_nothing_twice(tmp_path: Path) -> None:
    task = types.SimpleNamespace(folder=tmp_path)
    assert equivalent.entries(task) == {}
    text = '[[equivalent]]\nwithin = "f"\nreason = ""\nchanges = [["a", "b"]]\n'
    (tmp_path / equivalent.FILE).write_text(text)
    with pytest.raises(TaskFolderError, match="say why"):
        equivalent.entries(task)
    (tmp_path / equivalent.FILE).write_text(text.replace('""', '"it says so"') * 2)
    with pytest.raises(TaskFolderError, match="twice"):
        equivalent.entries(task)


@pytest.mark.parametrize("wrote", ["return x", "return {'a': \"b\"}", "a = 1\nb = 'é'"])
def test_the_entry_that_is_printed_can_be_pasted(wrote: str, tmp_path: Path) -> None:
    change = Change("f.g", "return 'x'", wrote)
    (tmp_path / equivalent.FILE).write_text(equivalent.as_entry(change).replace('""', '"a reason of words"'))
    assert list(equivalent.entries(types.SimpleNamespace(folder=tmp_path))) == [change]


def test_a_weak_check_lets_a_mutant_live(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the gate open alone, nobody sees that relu was forgotten."""
    task, source = TASKS["forward_values"], CELLS["forward_values"]
    mutant = Mutant(task.name, "relu forgotten", source.replace("max(v, 0.0)", "v"), source)

    def found() -> tuple[Mutant, ...]:
        return score(
            task, [mutant], CELLS, lambda _, ones, __: [bench.killed_by(task, m.source) for m in ones]
        ).survivors

    assert found() == ()
    monkeypatch.setattr(Check, "cases", _only_first(Check.cases))
    assert found() == (mutant,)


def test_nothing_is_left_of_a_mutant(bench: Bench) -> None:
    task = TASKS["forward_values"]
    assert bench.killed_by(task, "import os\nos._exit(1)") is not None
    assert bench.killed_by(task, CELLS["forward_values"]) is None
    assert bench.killed_by(task, "pass") == task.checks[0].title
    assert bench.killed_by(task, CELLS["forward_values"]) is None


def test_a_task_gets_the_cells_that_it_needs() -> None:
    engine = [CELLS[f"value_{part}"] for part in ("arithmetic", "functions", "backward", "long_chains")]
    assert needed("fit_neuron", CELLS) == engine
    assert needed("value_backward", CELLS) == engine[:2]
    assert needed("value_backward", CELLS, "class Value: pass") == []
    assert needed("partials", CELLS) == []


def test_an_engine_that_looks_otherwise_is_refused() -> None:
    task = TASKS["value_backward"]
    shared = module(task.folder.parent / "engine_mutants.py")
    with pytest.raises(shared.NoSuchPlaceError):
        module(task.folder / "mutants.py").mutants(
            task.solution.replace("source.grad +=", "source.grad = source.grad +")
        )


@pytest.mark.parametrize(
    "name", one_of_each(["value_functions", "value_arithmetic", "value_backward", "value_long_chains"], type)
)
def test_some_engine_mutants_lose_points(name: str, bench: Bench) -> None:
    engine = [one for one in mutants_of(TASKS[name]) if one.operator.startswith("engine: ")]
    some, before = random.Random(1).sample(engine, 3), needed(name, CELLS)
    assert [one.operator for one in some if bench.killed_by(TASKS[name], one.source, before) is None] == []


def _only_first(cases: Callable) -> Callable:
    return lambda check, seed: cases(check, seed)[:1]
