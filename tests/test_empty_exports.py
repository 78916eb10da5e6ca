"""Exports of a gradebook that was lost, or of an assignment that nobody handed in: no zeros, no table gone."""

from __future__ import annotations

import csv
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder import github_classroom
from autograder.command_line import main
from autograder.exports.canvas import Canvas
from autograder.exports.grades_csv import Grades
from autograder.exports.moodle import Moodle
from autograder.exports.plug_in import ExportError
from tests.course import db_url, hand_in_graded
from tests.submissions import COURSE
from tests.test_exports import export

DONE, COMING = "01_scalar_graphs", "02_grad"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with an assignment that one of two handed in, and one that nobody did."""
    course = tmp_path_factory.mktemp("exports")
    (course / "nbgrader_config.py").write_text((COURSE / "nbgrader_config.py").read_text())
    (course / "gradebook").mkdir()
    with Gradebook(db_url(course)) as gradebook:
        for name in (DONE, COMING):
            gradebook.add_assignment(name)
            gradebook.add_notebook(name, name)
            gradebook.add_grade_cell("check_all", name, name, max_score=30, cell_type="code")
        for student in ("student-01", "student-02"):
            gradebook.add_student(student)
        (notebook,) = gradebook.add_submission(DONE, "student-01").notebooks
        notebook.grades[0].auto_score, notebook.grades[0].needs_manual_grade = 12.0, False
        gradebook.db.commit()
    hand_in_graded(course, "student-01", DONE)
    return course


@pytest.fixture
def course(template: Path, tmp_path: Path) -> Path:
    """A copy of one's own."""
    shutil.copytree(template, tmp_path / "course")
    return tmp_path / "course"


def scores(course: Path) -> dict[tuple[str, str], tuple[str, str]]:
    """State and score by assignment and student, as `nbgrader export` writes them."""
    export(course, Grades)
    with (course / "gradebook" / "grades.csv").open(newline="") as file:
        return {(row["assignment"], row["student_id"]): (row["state"], row["score"]) for row in csv.DictReader(file)}


def test_what_nobody_handed_in_has_no_zeros(course: Path) -> None:
    assert scores(course) == {
        (DONE, "student-01"): ("graded", "12.0"),
        (DONE, "student-02"): ("nothing handed in", "0.0"),  # as nbgrader writes it
        (COMING, "student-01"): ("nothing handed in", ""),
        (COMING, "student-02"): ("nothing handed in", ""),
    }
    said = export(course, Moodle, "--Moodle.zero_for_missing=True")
    assert f"{COMING}: it has no submission, so nothing is exported." in said
    moodle = course / "gradebook" / "moodle"
    assert len((moodle / f"{DONE}.csv").read_text().splitlines()) == 1 + 2
    assert f"There is no final score to send, so {moodle / COMING}.csv is not written." in said
    assert not (moodle / f"{COMING}.csv").exists()


def test_a_file_of_an_earlier_export_is_called_so(course: Path) -> None:
    (course / "roster.csv").write_text("Student,ID,SIS Login ID,Section\nPoints Possible,,,\nAnn,1,student-01,One\n")
    for exporter, path, option in (
        (Moodle, f"moodle/{DONE}.csv", "--Moodle.feedback=False"),
        (Canvas, "canvas.csv", "--Canvas.roster=roster.csv"),
    ):
        with Gradebook(db_url(course)) as gradebook:
            grade = gradebook.find_submission_notebook(DONE, DONE, "student-01").grades[0]
            grade.needs_manual_grade = False
            gradebook.db.commit()
            export(course, exporter, option)
            before = (course / "gradebook" / path).read_bytes()
            assert b"12" in before
            grade.needs_manual_grade = True
            gradebook.db.commit()
        told = f"so {course / 'gradebook' / path} is not written, and the file there is from an earlier export."
        assert told in export(course, exporter, option)
        assert (course / "gradebook" / path).read_bytes() == before


def test_a_lost_gradebook_leaves_the_table_as_it_is(course: Path) -> None:
    assert scores(course)
    table = course / "gradebook" / "grades.csv"
    before = table.read_bytes()
    (course / "gradebook" / "gradebook.db").unlink()
    with pytest.raises(SystemExit, match=r"nothing in the gradebook to export, and .*grades\.csv holds 4 lines, so it"):
        export(course, Grades)
    assert table.read_bytes() == before
    table.unlink()
    export(course, Grades)  # where nothing is lost, an empty table is one
    assert len(table.read_text().splitlines()) == 1


def test_a_misspelt_name_is_refused_and_leaves_the_table_as_it_is(course: Path) -> None:
    assert scores(course)
    before = (course / "gradebook" / "grades.csv").read_bytes()
    for option, said in (("--assignment=02_gard", "no assignment 02_gard; it knows"), ("--student=x", "no student x")):
        with pytest.raises(SystemExit, match=said):
            export(course, Grades, option)
    assert (course / "gradebook" / "grades.csv").read_bytes() == before


def test_a_lost_gradebook_costs_no_feedback_page(course: Path) -> None:
    graded = course / "gradebook" / "autograded" / "student-01" / DONE
    graded.mkdir(parents=True, exist_ok=True)
    (graded / f"{DONE}.ipynb").write_text(nbformat.writes(nbformat.v4.new_notebook()))
    page = course / "gradebook" / "feedback" / "student-01" / DONE / f"{DONE}.html"
    page.parent.mkdir(parents=True)
    page.write_text("a page of last week")
    (course / "gradebook" / "gradebook.db").unlink()
    command = ["nbgrader", "generate_feedback", DONE]
    done = subprocess.run(command, cwd=course, capture_output=True, text=True)
    assert done.returncode == 1
    assert f"No feedback is made, and earlier pages stay: the gradebook knows no {DONE}: put a backup" in done.stderr
    assert "Traceback" not in done.stderr
    assert page.read_text() == "a page of last week"


def test_a_withdrawn_submission_is_named_and_sent_nowhere(course: Path) -> None:
    (course / "gradebook" / "submitted" / "student-01" / DONE / f"{DONE}.ipynb").unlink()
    assert scores(course)[DONE, "student-01"] == ("withdrawn", "")
    said = export(course, Moodle)
    assert f"{DONE}: withdrawn, left out: student-01 (put it back to send its points" in said
    assert not (course / "gradebook" / "moodle" / f"{DONE}.csv").exists()


@pytest.mark.parametrize("command", ["scores", "export", "github_classroom"])
def test_a_task_folder_that_cannot_be_used_is_one_sentence(
    command: str, course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = course / "own"
    (own / "07_sums" / "_tasks").mkdir(parents=True)
    monkeypatch.setenv("AUTOGRADER_COURSE", str(own))
    monkeypatch.chdir(course)
    if command == "scores":
        assert main([command, DONE]) == 2
        said = capsys.readouterr().err
    elif command == "export":
        with pytest.raises(ExportError) as ended:
            export(course, Grades)
        said = str(ended.value)
    else:
        with pytest.raises(SystemExit):
            github_classroom.main(["07_sums"])
        said = capsys.readouterr().err
    assert f"{own / '07_sums' / '_tasks'} lacks exercise.toml" in said
    assert "Traceback" not in said
