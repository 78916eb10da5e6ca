"""Lessons run from a clean kernel; `make test` runs most of them in a sandbox instead, where torch is loaded."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

import nbformat
import pytest

from autograder.checks.task import PUBLIC_SEED
from autograder.grader.custody import NotebookRun
from autograder.sandbox.limits import Limits
from tests.chosen import CHOOSING, EXERCISES
from tests.depth import one_of_each
from tests.lessons import executed, outputs_are_fit_to_read, said, with_proofs
from tests.prose import figures
from tests.submissions import COURSE

LESSONS = [path.stem for path in sorted((COURSE / "lessons").glob("*.ipynb")) if not CHOOSING or path.stem in EXERCISES]
NOT_IN_A_SANDBOX = ("07_jacobians", "08_higher_order", "09_cnn", "10_adversarial")
"""They take the time of what they do, or train on the digits: a sandbox hides the processor's clock and the package."""
LIMITS = Limits(cell=60.0, notebook=120.0)


@pytest.fixture(scope="module")
def from_clean(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], nbformat.NotebookNode]:
    """From a lesson's name to the lesson as it was run, once."""
    return functools.cache(lambda lesson: executed(lesson, tmp_path_factory.mktemp("lessons")))


@pytest.mark.parametrize("lesson", one_of_each(LESSONS, type))
def test_a_lesson_runs_from_clean(lesson: str, from_clean: Callable) -> None:
    outputs_are_fit_to_read(from_clean(lesson))
    assert [*figures.findings(lesson[:2], from_clean(lesson))] == []


@pytest.mark.parametrize("lesson", [lesson for lesson in LESSONS if lesson not in NOT_IN_A_SANDBOX])
def test_a_lesson_runs_in_a_sandbox(lesson: str) -> None:
    notebook = with_proofs(lesson)
    custody = NotebookRun(notebook.cells, {}, PUBLIC_SEED, LIMITS).custody()
    for index, outputs in custody.outputs.items():
        notebook.cells[index].outputs = nbformat.from_dict(outputs)
    outputs_are_fit_to_read(notebook)


@pytest.mark.skipif("01_scalar_graphs" not in LESSONS, reason="another lesson was chosen")
def test_lesson_01_prints_the_right_numbers(from_clean: Callable) -> None:
    texts = said(from_clean("01_scalar_graphs"))
    for name, partial in (("x", 2.0), ("w", 3.0), ("b", 1.0), ("u", 1.0), ("v", 1.0)):
        assert f"d_a_{name} = {partial:.3f}" in texts["partial-derivatives-run"]
        assert f"d_a_{name}: PyTorch {partial}, by hand {partial}" in texts["pytorch-asked-run"]
    toy = texts["toy-graph-picture"]
    for name, value, partial in (("x", 3, 2), ("w", 2, 3), ("b", 1, 1), ("u", 6, 1), ("v", 7, 1), ("a", 7, 1)):
        assert re.search(rf"- {name} \(\w+\): value {value}, ∂a/∂{name} {partial}\n", toy)
    assert "∂u/∂x = 2" in toy
    assert "upwards 1.000, downwards 0.000, both ways 0.500" in texts["kink-run"]
    assert "two sweeps: 20.0" in texts["engine-second-pass-run"]
