"""Exercises, solutions and checks belong together: nothing is kept twice by hand."""

from __future__ import annotations

import filecmp
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest

from autograder.checks.catalogue import tasks_of
from autograder.hints import all_hints
from autograder.notebooks.grade_cells import GRADE_ID
from tests.chosen import CHOOSING, EXERCISES
from tests.submissions import COURSE


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
    which = EXERCISES[0] if CHOOSING else "*"
    subprocess.run(["nbgrader", "generate_assignment", which], cwd=course, check=True, capture_output=True)
    return course / "exercises"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_exercises_are_what_nbgrader_generates(exercise: str, generated: Path) -> None:
    name = f"{exercise}/{exercise}.ipynb"
    assert filecmp.cmp(generated / name, COURSE / "exercises" / name, shallow=False), (
        "run: nbgrader generate_assignment '*' --force --no-db"
    )


@pytest.mark.skipif(CHOOSING, reason="one exercise alone was generated")
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
