"""What is wrong with an assignment is told before anybody is graded: its kernel, asserts that its solution fails."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.coursedir import CourseDirectory

from autograder.gradebook_access.folder import gradebook_folder
from autograder.nbgrader_plugin.own_solution import other_kernel, unsolved
from tests.course import nbgrader
from tests.depth import proof
from tests.own_assignment import KERNEL, marked

LINES = "c = get_config()\nfrom autograder.nbgrader_plugin.configuration import configure\nconfigure(c)\n"
PS1 = "ps1"


@pytest.mark.parametrize(
    ("kernelspec", "language"),
    [
        ({"name": "ir", "language": "R"}, "r"),
        ({"name": "julia-1.9"}, "julia-1.9"),
        ({"name": "xpython", "language": "python"}, ""),
        ({"name": "conda-env-py311"}, ""),
        ({}, ""),
    ],
)
def test_only_notebooks_for_python_are_graded(kernelspec: dict[str, str], language: str) -> None:
    said = other_kernel(PS1, "problem1", kernelspec)
    assert said == (language and f"ps1/problem1 is written for {language}, and only Python notebooks are graded here")


def test_points_that_the_own_solution_misses_are_named() -> None:
    lost = {"task": "f", "cell": "test_f", "points": 0.5, "maximum": 2.0, "reason": "It stopped with NameError."}
    full, protected = lost | {"points": 2.0}, {one: value for one, value in lost.items() if one != "cell"}
    assert unsolved(PS1, "problem1", [lost, full, protected]) == [
        "ps1/problem1: its own solution earns 0.5 of 2 in test_f (It stopped with NameError): mend the assignment "
        "before you trust these points, and run `nbgrader generate_assignment ps1 --force`"
    ]


def test_a_course_with_nbgraders_own_folders_keeps_ours_in_one_of_its_own(tmp_path: Path) -> None:
    assert gradebook_folder(CourseDirectory(root=str(tmp_path))) == tmp_path / "gradebook"
    inside = CourseDirectory(root=str(tmp_path), submitted_directory="class/submitted")
    assert gradebook_folder(inside) == tmp_path / "class"


def answer(source: str) -> nbformat.NotebookNode:
    """The cell that students write in."""
    return marked(new_code_cell(f"### BEGIN SOLUTION\n{source}\n### END SOLUTION"), "answer", solution=True)


def write_course(course: Path, kernel: dict[str, str], test: str, right: str = "x = 1") -> None:
    """A course as nbgrader's own commands make it, with two students who handed in the release."""
    (course / "nbgrader_config.py").write_text(LINES)
    cells = [answer(right), marked(new_code_cell(test), "tests", 2, grade=True, locked=True)]
    notebook = new_notebook(cells=cells, metadata={"kernelspec": kernel})
    (course / "source" / PS1).mkdir(parents=True)
    nbformat.write(notebook, course / "source" / PS1 / "problem1.ipynb")
    nbgrader(course, "generate_assignment", PS1)
    for student in ("student-01", "student-02"):
        (course / "submitted" / student / PS1).mkdir(parents=True)
        nbformat.write(notebook, course / "submitted" / student / PS1 / "problem1.ipynb")


def graded(course: Path, status: int = 0) -> str:
    """What `autograder grade` says in a course, on one line."""
    environment = os.environ | {"COLUMNS": "200"}
    done = subprocess.run(["autograder", "grade", PS1], cwd=course, capture_output=True, text=True, env=environment)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return " ".join((done.stdout + done.stderr).split())


@proof
@pytest.mark.parametrize(
    ("test", "why"),
    [
        ("assert x == 2", "It stopped with AssertionError"),
        ("import urllib.request\nurllib.request.urlopen('https://example.org')", "URLError"),
        ("print('a' * 10_000_000)\nassert x == 2", "It raised an exception after it had put out more"),
    ],
    ids=["fails", "needs the network", "prints"],
)
def test_tests_that_fail_on_the_own_solution_are_told_before_grading(test: str, why: str, tmp_path: Path) -> None:
    write_course(tmp_path, KERNEL, test)
    said = graded(tmp_path)
    assert said.index("ps1/problem1: its own solution earns 0 of 2 in tests") < said.index("2 submissions in")
    assert why in said
    assert "2 graded" in said
    again = graded(tmp_path)  # from the record, without another run
    assert "its own solution earns 0 of 2" in again
    assert "2 unchanged" in again
    log = nbgrader(tmp_path, "autograde", PS1, "--force").stderr
    assert log.count("its own solution earns 0 of 2") == 1


@proof
def test_another_language_is_refused_in_one_sentence(tmp_path: Path) -> None:
    write_course(tmp_path, {"name": "ir", "display_name": "R", "language": "R"}, "stopifnot(x == 1)")
    said = graded(tmp_path)
    assert said.count("ps1/problem1 is written for r, and only Python notebooks are graded here") == 1
    assert "0 submissions" in said
    done = subprocess.run(["nbgrader", "autograde", PS1], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "Not graded: ps1/problem1 is written for r" in done.stderr
    assert "Traceback" not in done.stderr
