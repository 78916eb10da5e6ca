"""What nobody has graded is called so in every table, file and page, and never 0."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory

from tests.course import db_url, hand_in, nbgrader, new_course
from tests.depth import proof
from tests.own_assignment import OWN, answered, write_own_assignment

pytestmark = proof  # each starts nbgrader and a class run; the tables' words are tested in test_standings.py


def autograder(course: Path, *arguments: str, status: int = 0) -> str:
    """Run a command of ours in a course's folder; what it printed."""
    done = subprocess.run(
        ["autograder", *arguments], cwd=course, capture_output=True, text=True, env=os.environ | {"COLUMNS": "160"}
    )
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def said(text: str) -> str:
    """Text without a table's lines, each run of blanks as one."""
    return " ".join(text.translate(dict.fromkeys(map(ord, "│┃"), " ")).split())


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with an assignment of the instructor's own, graded: two answered it, one wrote nothing."""
    course = new_course(tmp_path_factory.mktemp("own"))
    write_own_assignment(course)
    told = nbgrader(course, "generate_assignment", OWN).stderr
    (course / "told.txt").write_text(told)
    hand_in(course, "student-01", OWN, answered(course))
    hand_in(course, "student-02", OWN, answered(course))
    hand_in(course, "student-03", OWN, (course / "exercises" / OWN / f"{OWN}.ipynb").read_bytes())
    (course / "summary.txt").write_text(autograder(course, "grade", OWN))
    return course


def test_generating_and_releasing_tell_which_cells_are_not_graded_automatically(course: Path) -> None:
    release = nbgrader(course, "release_assignment", OWN, "--force").stderr
    for text in ((course / "told.txt").read_text(), release):
        lines = [line for line in text.splitlines() if OWN in line and "WARNING" in line]
        assert [line for line in lines if "test_double (3 points): not graded" in line and "99_own" in line], text
        assert [line for line in lines if "essay (2 points): waits for a person" in line], text
    quiet = nbgrader(course, "generate_assignment", "02_grad", "--force").stderr
    assert "not graded" not in quiet
    assert "waits for" not in quiet


def test_the_summary_says_what_was_not_graded(course: Path) -> None:
    text = said((course / "summary.txt").read_text())
    assert "3 graded" in text
    assert f"{OWN}: test_double: not graded in 3 submissions" in text
    assert f"{OWN}: essay: waits for a person in 2 submissions" in text


def test_the_table_has_a_word_for_each(course: Path) -> None:
    text = said(autograder(course, "scores", OWN))
    assert "student-01 -/5 not graded" in text
    assert "test_double -/3 not graded" in text
    assert "essay -/2 waits for a person" in text
    assert "essay 0/2" in text  # student-03 wrote nothing, and nbgrader knows it


def test_the_exports_leave_out_what_is_not_graded_and_say_so(course: Path, tmp_path: Path) -> None:
    nbgrader(course, "export")
    with (course / "gradebook" / "grades.csv").open() as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file) if row["assignment"] == OWN}
    assert [(row["score"], row["state"]) for row in rows.values()] == [("", "not graded")] * 3
    for exporter in ("moodle.Moodle", "gradescope.Gradescope"):
        text = nbgrader(course, "export", f"--exporter=autograder.exports.{exporter}", f"--to={tmp_path}").stderr
        assert f"{OWN}: not graded, left out: student-01, student-02, student-03" in text


def test_the_formgrader_asks_for_points_and_shows_no_zero(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(course)
    with Gradebook(db_url(course)) as gradebook:
        grades = gradebook.find_submission_notebook(OWN, OWN, "student-01").grades
        assert {grade.cell.name: grade.auto_score for grade in grades} == {"test_double": None, "essay": None}
        assert all(grade.needs_manual_grade for grade in grades)
    folders = {f"{name}_directory": f"gradebook/{name}" for name in ("submitted", "autograded")}
    directory = CourseDirectory(root=str(course), db_url=db_url(course), **folders)
    row = NbGraderAPI(directory).get_submission(OWN, "student-01")
    assert (row["autograded"], row["needs_manual_grade"]) == (True, True)


def test_points_by_hand_for_all_of_it_make_a_score(course: Path, tmp_path: Path) -> None:
    copy = tmp_path / "course"
    shutil.copytree(course, copy)
    with Gradebook(db_url(copy)) as gradebook:
        for grade in gradebook.find_submission_notebook(OWN, OWN, "student-01").grades:
            grade.manual_score, grade.needs_manual_grade = 1.5, False
        gradebook.db.commit()
    assert "student-01 3/5 3 by hand" in said(autograder(copy, "scores", OWN))


def test_after_a_failed_regrade_the_old_score_is_not_current(course: Path, tmp_path: Path) -> None:
    copy = tmp_path / "course"
    shutil.copytree(course, copy)
    with Gradebook(db_url(copy)) as gradebook:
        for student in ("student-01", "student-02"):
            for grade in gradebook.find_submission_notebook(OWN, OWN, student).grades:
                grade.manual_score, grade.needs_manual_grade = 1.5, False
        gradebook.db.commit()
    hand_in(copy, "student-01", OWN, answered(copy, "Another answer."))
    # handed in again with other code, and not graded yet
    hand_in(copy, "student-02", OWN, answered(copy).replace(b"return x + x", b"return x * 2"))
    text = said(autograder(copy, "scores", OWN))
    assert "student-02 -/5 not current: handed in anew" in text
    (copy / "broken.py").write_text(
        "from autograder.classroom import writing\n"
        "def write(*_): raise RuntimeError('no room')\n"
        "writing.Writer.write = write\n"
        "from autograder.command_line import main\n"
        "main(['grade', '99_own', '--force', '--student', 'student-02'])\n"
    )
    subprocess.run(["python", "broken.py"], cwd=copy, check=True, capture_output=True)
    text = said(autograder(copy, "scores", OWN))
    assert "student-02 -/5 not current: grading it failed (RuntimeError: no room); it was 3" in text
