"""A class run names every notebook that lies in `submitted` and that it leaves out for its name."""

from __future__ import annotations

from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from autograder.command_line import main
from autograder.standings.handed_in import HandedIn
from tests.course import db_url, hand_in
from tests.submissions import COURSE

NAME = "98_new"


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course of no exercise yet, in which commands run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "nbgrader_config.py").write_text((COURSE / "nbgrader_config.py").read_text())
    return tmp_path


def test_a_renamed_notebook_is_told_with_the_name_that_is_expected(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    released = course / "exercises" / NAME / f"{NAME}.ipynb"
    released.parent.mkdir(parents=True)
    released.write_text("{}")
    hand_in(course, "student-01", NAME, b"{}").joinpath(f"{NAME}.ipynb").rename(
        course / "gradebook" / "submitted" / "student-01" / NAME / f"{NAME} (1).ipynb"
    )
    for words in ([], [NAME]):
        assert main(["grade", *words]) == 0
        said = capsys.readouterr().out
        assert (
            f"rename those that you want graded:\n  {NAME}: student-01: {NAME} (1).ipynb (graded is {NAME}.ipynb)"
            in said
        )
        assert "No submission of" not in said


def test_without_the_released_folder_graded_notebooks_are_not_to_be_renamed(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (course / "gradebook").mkdir()
    with Gradebook(db_url(course)) as gradebook:
        gradebook.add_assignment(NAME)
        gradebook.add_notebook(NAME, NAME)
    folder = hand_in(course, "student-01", NAME, b"{")
    for words in ([], [NAME]):
        assert main(["grade", *words]) == 0
        said = capsys.readouterr().out
        assert "1 submissions" in said
        assert "rename those" not in said
    (folder / "second.ipynb").write_text("{}")
    assert main(["grade"]) == 0
    assert f"student-01: second.ipynb (graded is {NAME}.ipynb)" in capsys.readouterr().out


def test_the_name_of_a_file_stays_code_on_a_feedback_page(tmp_path: Path) -> None:
    course = CourseDirectory()
    course.root, course.submitted_directory = str(tmp_path), "submitted"
    folder = tmp_path / "submitted" / "student-01" / "02_grad"
    folder.mkdir(parents=True)
    (folder / "a` <img src=x onerror=alert(1)> `b.ipynb").touch()
    said = HandedIn(course, "02_grad").misnamed("student-01", {"02_grad"})
    assert said == "its folder holds `a? <img src=x onerror=alert(1)> ?b.ipynb` and not `02_grad.ipynb`, so rename it"
