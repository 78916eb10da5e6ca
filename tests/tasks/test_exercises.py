"""Exercises and solutions are made from the folders of the tasks, and hold nothing that is not to be handed out."""

from __future__ import annotations

import filecmp
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest

from autograder.authoring.exercise_notebook import RULES, as_text, generate_notebook, title_and_rest
from autograder.checks.catalogue import tasks_of
from autograder.hints import hints_of
from autograder.proving.derived_notebooks import in_lesson
from autograder.tasks.folders import known_exercise
from tests.chosen import CHOOSING, EXERCISES
from tests.submissions import COURSE


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
def test_what_holds_for_every_task_is_said_at_the_head(exercise: str) -> None:
    _, how_it_works = title_and_rest(known_exercise(exercise), tasks_of(exercise).values())
    assert RULES.read_text().rstrip() in how_it_works


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
def test_a_solution_is_made_from_the_folders_of_its_tasks(exercise: str) -> None:
    path = COURSE / "solutions" / exercise / f"{exercise}.ipynb"
    assert path.read_text() == as_text(generate_notebook(exercise)), "run: autograder notebook"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_nothing_of_a_task_folder_is_generated(exercise: str, generated: Path) -> None:
    assert [path.name for path in (generated / exercise).rglob("*")] == [f"{exercise}.ipynb"]


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
    for name in tasks_of(exercise):
        hints = hints_of(name)
        assert len({*hints}) == 3
        assert all(len(hint) > 30 for hint in hints)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_section_that_a_check_names_is_in_the_lesson(exercise: str) -> None:
    assert [problem for task in tasks_of(exercise).values() for problem in in_lesson(task)] == []
