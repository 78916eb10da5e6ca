"""`autograder check-task`: a sentence for each problem, and which problems it finds."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import pytest

from autograder.authoring.exercise_notebook import generate_notebook
from autograder.checks.catalogue import find_task
from autograder.command_line import main
from autograder.proving.command import prove
from autograder.proving.derived_notebooks import in_lesson, is_released, left_to_do, up_to_date
from autograder.proving.files import styled, whole
from autograder.proving.mistakes import held_out
from autograder.proving.problems import Problem, grouped
from autograder.tasks.folders import COURSE
from tests.submissions import released

EXERCISE = "01_doubling"


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the smallest course, which is the course of this process for a test: the folder of its exercises."""
    solutions = tmp_path / "solutions"
    shutil.copytree(
        Path(__file__).with_name("miniature"), solutions, ignore=shutil.ignore_patterns("__pycache__", ".ruff_cache")
    )
    monkeypatch.setenv(COURSE, str(solutions))
    return solutions


def edit(file: Path, was: str, wrote: str) -> None:
    text = file.read_text()
    assert was in text
    file.write_text(text.replace(was, wrote))


def test_alike_problems_are_one_sentence() -> None:
    found = [Problem("seed 1 differs\nx = 1", "seeds that differ"), Problem("no check"), Problem("no check")]
    found += [Problem(f"seed {seed} differs\nx = {seed}", "seeds that differ") for seed in range(2, 5)]
    assert list(grouped(found)) == ["seed 1 differs (the first of 4 seeds that differ)\nx = 1", "no check"]
    each = [f"seed {seed} differs\nx = {seed}" for seed in range(1, 5)]
    assert list(grouped(found, each=True)) == [each[0], "no check", *each[1:]]


def test_every_problem_is_said_on_demand(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(course / EXERCISE / "_tasks" / "double" / "answers.py", '@wrong("', '@right  # @wrong("')
    for asked, least in ([], 1), (["--all"], 2):
        assert main(["check-task", f"{EXERCISE}/double", *asked]) == 1
        assert capsys.readouterr().out.count("loses points") >= least


@pytest.mark.parametrize(
    ("file", "was", "wrote", "said"),
    [
        ("task.py", "lambda x: 2 * x", "lambda x: -2 * x", ["public cases that closed form", "20 seeds at which the"]),
        ("cases.toml", "6.0", "-6.0", ["otherwise than closed form and an exact sum give it"]),
        ("solution.py", "return 2 * x", "return -2 * x", ["solution loses points", "is not what the folders say"]),
        ("answers.py", "return x + x", "return -x - x", ["the right answer added loses points"]),
    ],
)
def test_a_wrong_sign_is_said_in_a_line_or_two(
    course: Path, file: str, was: str, wrote: str, said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    edit(course / EXERCISE / "_tasks" / "double" / file, was, wrote)
    assert prove("double") == 1
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("    ")]
    assert len(lines) == len(said)
    assert all(one in line for one, line in zip(said, lines, strict=True))


def test_a_traceback_is_shown_on_demand(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(course / EXERCISE / "_tasks" / "double" / "task.py", "float(Fraction(x)", "float(Fractoin(x)")
    for asked in ([], ["--traceback"]):
        assert main(["check-task", "double", *asked]) == 1
        out = capsys.readouterr()
        assert out.out.count("task.py, line 16: NameError: name 'Fractoin' is not defined") == 1
        assert ("Traceback" in out.err) == bool(asked)


def test_names_without_a_held_out_answer_are_said_unless_they_are_listed(course: Path) -> None:
    listed = course / EXERCISE / "_tasks" / "not_held_out.toml"
    assert list(held_out(find_task("double"))) == []
    listed.write_text('double = ["squared"]')
    (first, second) = (one.sentence for one in held_out(find_task("double")))
    assert "only the answers by which 'left as it was' is known make it" in first
    assert f"{listed}: take 'squared' out of double" in second


def test_ruff_looks_at_the_files_where_the_course_says_how_it_wants_them(course: Path) -> None:
    task = find_task("double")
    file = task.folder / "task.py"
    edit(file, "from fractions", "import os\nfrom fractions")
    edit(file, "lambda x: 2 * x", "lambda x: 2*x")
    (course / EXERCISE / f"{EXERCISE}.ipynb").unlink()
    assert list(styled(task)) == []
    (course.parent / "ruff.toml").write_text("line-length = 120")
    unused, layout = (one.sentence for one in styled(task))
    assert unused == f"{file}, line 5: `os` imported but unused (F401)"
    assert layout == f"{file}, line 17: File would be reformatted (unformatted)"


def test_a_lesson_is_optional_and_its_heading_is_not(course: Path) -> None:
    task, lesson = find_task("double"), course.parent / "lessons" / f"{EXERCISE}.ipynb"
    assert list(in_lesson(task)) == []
    (said,) = (one for one in left_to_do(task) if "lesson" in one)
    assert f"{lesson}, whose section 'Doubling' task.py names, is not there yet" in said
    lesson.parent.mkdir()
    for heading, wrong in (("Doubling", 0), ("Halving", 1)):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(f"## {heading} ")])
        nbformat.write(notebook, lesson)
        assert len(list(in_lesson(task))) == wrong
        assert [one for one in left_to_do(task) if "lesson" in one] == []


def test_an_exercise_that_is_older_than_its_folders_is_said(course: Path) -> None:
    task, path = find_task("double"), course.parent / "exercises" / EXERCISE / f"{EXERCISE}.ipynb"
    notebook = generate_notebook(EXERCISE)
    for cell in notebook.cells:
        if "BEGIN SOLUTION" in cell.source:
            start, end = cell.source.index("    ### BEGIN"), cell.source.index("### END SOLUTION") + 16
            cell.source = cell.source[:start] + "    raise NotImplementedError" + cell.source[end:]
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)
    assert list(up_to_date(task)) == []
    edit(task.folder / "statement.md", "twice as much", "its double")
    stale = [one.sentence for one in up_to_date(task)]
    assert len(stale) == 2
    assert f"run `nbgrader generate_assignment {EXERCISE} --force --no-db`" in stale[1]


def test_an_own_course_is_released_to_nbgraders_folder(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = course.rename(course.with_name("source"))
    monkeypatch.setenv(COURSE, str(source))
    task, path = find_task("double"), course.parent / "release" / EXERCISE / f"{EXERCISE}.ipynb"
    assert any(f"`nbgrader generate_assignment {EXERCISE}`" in one for one in left_to_do(task))
    path.parent.mkdir(parents=True)
    notebook = generate_notebook(EXERCISE)
    notebook.cells.pop()
    nbformat.write(notebook, path)
    assert not any("students" in one for one in left_to_do(task))
    assert f"{EXERCISE} --force`" in list(up_to_date(task))[-1].sentence


@pytest.mark.parametrize("exercise", ["01_scalar_graphs", "06_custom_functions"])
def test_what_nbgrader_releases_is_recognised(exercise: str) -> None:
    now, students = generate_notebook(exercise), released(exercise)
    assert is_released(now, students)
    students.cells[0].source += "!"
    assert not is_released(now, students)


def test_a_task_that_lacks_answers_is_not_whole(course: Path) -> None:
    edit(course / EXERCISE / "_tasks" / "double" / "answers.py", "@right\ndef halved", "@wrong('sign')\ndef halved")
    assert [one.sentence for one in whole(find_task("double"))] == ["double has 1 right answers, and 2 are needed"]
