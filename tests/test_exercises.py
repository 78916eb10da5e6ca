"""Exercises, solutions and checks belong together: nothing is kept twice by hand."""

from __future__ import annotations

import filecmp
import re
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest

from autograder.checks.catalogue import exercises, tasks_of
from autograder.hints import all_hints
from autograder.notebooks.reading import GRADE_ID
from tests.lessons import executed, outputs_are_fit_to_read, said
from tests.submissions import COURSE

EXERCISES = exercises()


def cells(exercise: str) -> dict[str, nbformat.NotebookNode]:
    """The solution's nbgrader cells by grade_id."""
    notebook = nbformat.read(COURSE / "solutions" / exercise / f"{exercise}.ipynb", as_version=4)
    marked = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
    return {cell.metadata.nbgrader.grade_id: cell for cell in marked}


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course's solutions released anew by nbgrader itself, in another folder."""
    course = tmp_path_factory.mktemp("course")
    shutil.copytree(COURSE / "solutions", course / "solutions")
    shutil.copy(COURSE / "nbgrader_config.py", course)
    subprocess.run(["nbgrader", "generate_assignment", "*"], cwd=course, check=True, capture_output=True)
    return course / "exercises"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_exercises_are_what_nbgrader_generates(exercise: str, generated: Path) -> None:
    name = f"{exercise}/{exercise}.ipynb"
    assert filecmp.cmp(generated / name, COURSE / "exercises" / name, shallow=False), (
        "run: nbgrader generate_assignment '*' --force --no-db"
    )


def test_no_exercise_is_left_over(generated: Path) -> None:
    folders = {path.name for path in (COURSE / "exercises").iterdir() if path.is_dir()}
    assert {path.name for path in generated.iterdir()} == folders


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_task_stands_in_the_notebook_with_its_points(exercise: str) -> None:
    marked, tasks = cells(exercise), tasks_of(exercise)
    solution_cells = [name for name, cell in marked.items() if cell.metadata.nbgrader.solution]
    assert solution_cells == list(tasks)
    together = f"{sum(task.points for task in tasks.values()):g} points"
    assert together in " ".join(marked["title"].source.split())
    for name, task in tasks.items():
        grade = marked[GRADE_ID + name]
        assert grade.source == f'check("{name}")'
        assert grade.metadata.nbgrader.points == task.points
        heading = marked[f"about_{name}"].source
        kind = "core" if task.core else "extra"
        assert f"{task.points:g} points · {task.minutes} minutes · {kind}" in heading


@pytest.mark.parametrize("exercise", EXERCISES)
def test_no_solution_is_left_in_an_exercise(exercise: str) -> None:
    text = (COURSE / "exercises" / exercise / f"{exercise}.ipynb").read_text()
    assert "BEGIN SOLUTION" not in text
    released = nbformat.reads(text, as_version=4)
    for cell in released.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            assert "raise NotImplementedError" in cell.source


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_task_has_three_hints(exercise: str) -> None:
    hints = all_hints()
    for name in tasks_of(exercise):
        assert len({*hints[name]}) == 3
        assert all(len(hint) > 30 for hint in hints[name])


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_section_that_a_check_names_is_in_the_lesson(exercise: str) -> None:
    lesson = nbformat.read(COURSE / "lessons" / f"{exercise}.ipynb", as_version=4)
    headings = {
        line.lstrip("#").strip()
        for cell in lesson.cells
        if cell.cell_type == "markdown"
        for line in cell.source.splitlines()
        if line.startswith("#")
    }
    assert {task.section for task in tasks_of(exercise).values()} <= headings


@pytest.mark.parametrize("lesson", sorted(path.stem for path in (COURSE / "lessons").glob("*.ipynb")))
def test_a_lesson_runs_from_clean(lesson: str, tmp_path: Path) -> None:
    outputs_are_fit_to_read(executed(lesson, tmp_path))


def test_lesson_01_prints_the_right_numbers(tmp_path: Path) -> None:
    texts = said(executed("01_scalar_graphs", tmp_path))
    for name, partial in (("x", 2.0), ("w", 3.0), ("b", 1.0), ("u", 1.0), ("v", 1.0)):
        assert f"d_a_{name} = {partial:.3f}" in texts["partial-derivatives-run"]
        assert f"d_a_{name}: PyTorch {partial}, by hand {partial}" in texts["pytorch-asked-run"]
    toy = texts["toy-graph-picture"]
    for name, value, partial in (("x", 3, 2), ("w", 2, 3), ("b", 1, 1), ("u", 6, 1), ("v", 7, 1), ("a", 7, 1)):
        assert re.search(rf"- {name} \(\w+\): value {value}, ∂a/∂{name} {partial}\n", toy)
    assert "∂u/∂x = 2" in toy
    assert "upwards 1.000, downwards 0.000, both ways 0.500" in texts["kink-run"]
    assert "two sweeps: 20.0" in texts["engine-second-pass-run"]
