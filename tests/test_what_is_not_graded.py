"""What nobody has graded is called so in every table, file and page, and never 0."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory

from autograder.checks.catalogue import tasks_of
from autograder.grader.sandbox_outputs import NO_CHECK
from autograder.verdicts.plain_text import asserted_notice
from tests.course import db_url, hand_in, nbgrader, new_course, rows
from tests.depth import proof
from tests.own_assignment import OWN, add_own_cells, answered, write_own_assignment
from tests.submissions import cell_of, solution_sources

KNOWN = "02_grad"
SAID = re.compile(r"points\)|asserted")
ALL, ONE = (asserted_notice({"test_double": True} | others) for others in ({}, {"check_sums": False}))
FULL = sum(task.points for task in tasks_of(KNOWN).values())
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


def formgraders(course: Path) -> NbGraderAPI:
    """What the formgrader asks for its tables."""
    folders = {f"{name}_directory": f"gradebook/{name}" for name in ("submitted", "autograded")}
    return NbGraderAPI(CourseDirectory(root=str(course), db_url=db_url(course), **folders))


def give_points(course: Path, *students: str) -> None:
    """Do what the formgrader does, for each cell of the instructor's own assignment."""
    with Gradebook(db_url(course)) as gradebook:
        for student in students:
            for grade in gradebook.find_submission_notebook(OWN, OWN, student).grades:
                grade.manual_score, grade.needs_manual_grade = 1.5, False
        gradebook.db.commit()


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with an assignment of the instructor's own, graded: two answered it, one wrote nothing."""
    course = new_course(tmp_path_factory.mktemp("own"))
    write_own_assignment(course)
    add_own_cells(course, KNOWN)
    for name in (OWN, KNOWN):
        (course / f"told_{name}.txt").write_text(nbgrader(course, "generate_assignment", name, "--force").stderr)
    hand_in(course, "student-01", OWN, answered(course))
    hand_in(course, "student-02", OWN, answered(course))
    hand_in(course, "student-03", OWN, (course / "exercises" / OWN / f"{OWN}.ipynb").read_bytes())
    solution = nbformat.read(course / "exercises" / KNOWN / f"{KNOWN}.ipynb", as_version=4)
    for task, source in solution_sources(KNOWN).items():
        cell_of(solution, task).source = source
    hand_in(course, "student-01", KNOWN, nbformat.writes(solution).encode())
    (course / "summary.txt").write_text(autograder(course, "grade", OWN, KNOWN))
    return course


def test_generating_and_releasing_tell_which_cells_are_not_graded_automatically(course: Path) -> None:
    release = nbgrader(course, "release_assignment", OWN, "--force").stderr
    own = [
        f"{OWN}: essay (2 points): waits for a person: an answer for a person to grade in the formgrader",
        f"{OWN}: check_lost (1 points): not graded: {NO_CHECK}",
        f"{OWN}: {ALL}",
    ]
    for text in ((course / f"told_{OWN}.txt").read_text(), release):
        assert [line.partition("] ")[2] for line in text.splitlines() if SAID.search(line)] == own, text
    known = (course / f"told_{KNOWN}.txt").read_text()
    assert [line.partition("] ")[2] for line in known.splitlines() if SAID.search(line)] == [
        own[0].replace(OWN, KNOWN),
        f"{KNOWN}: {ONE}",
    ]


def test_the_summary_says_what_was_not_graded(course: Path) -> None:
    text = said((course / "summary.txt").read_text())
    assert "4 graded" in text
    assert f"{OWN}: lost: not graded in 3 submissions ({NO_CHECK})" in text
    assert asserted_notice({"sums": False, f"{OWN}: test_double": True, f"{KNOWN}: test_double": True}) in text
    assert f"{OWN}: essay: waits for a person in 2 submissions" in text


def test_the_table_has_a_word_for_each(course: Path) -> None:
    text = said(autograder(course, "scores", OWN))
    assert "student-01 -/6 not graded; so far 3" in text
    assert "lost -/1 not graded" in text
    assert "essay -/2 waits for a person" in text
    assert "test_double 0/3 It stopped with NameError" in text
    assert "essay 0/2" in text  # student-03 wrote nothing, and nbgrader knows it
    assert ONE in text
    mixed = said(autograder(course, "scores", KNOWN))
    assert f"student-01 {FULL + 3:g}/{FULL + 5:g} essay 0/2" in mixed
    assert ONE in mixed


def test_the_exports_leave_out_what_is_not_graded_and_say_so(course: Path, tmp_path: Path) -> None:
    nbgrader(course, "export")
    with (course / "gradebook" / "grades.csv").open() as file:
        table = {row["student_id"]: row for row in csv.DictReader(file) if row["assignment"] == OWN}
    assert [(row["score"], row["state"]) for row in table.values()] == [("", "not graded")] * 3
    for exporter in ("moodle.Moodle", "gradescope.Gradescope"):
        text = nbgrader(course, "export", f"--exporter=autograder.exports.{exporter}", f"--to={tmp_path}").stderr
        assert f"{OWN}: not graded, left out: student-01, student-02, student-03" in text


def test_the_formgrader_asks_for_points_and_shows_no_zero(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(course)
    with Gradebook(db_url(course)) as gradebook:
        grades = gradebook.find_submission_notebook(OWN, OWN, "student-01").grades
        scores = {grade.cell.name: (grade.auto_score, grade.needs_manual_grade) for grade in grades}
        assert scores == {"test_double": (3.0, False), "essay": (None, True), "check_lost": (None, True)}
    row = formgraders(course).get_submission(OWN, "student-01")
    assert (row["autograded"], row["needs_manual_grade"]) == (True, True)


def test_nbgraders_own_command_leaves_the_same_rows(course: Path, tmp_path: Path) -> None:
    copy = tmp_path / "course"
    shutil.copytree(course, copy)
    nbgrader(copy, "autograde", OWN, "--force")
    assert rows(copy, OWN) == rows(course, OWN)


def test_the_feedback_page_says_what_is_not_graded(course: Path, tmp_path: Path) -> None:
    copy = tmp_path / "course"
    shutil.copytree(course, copy)
    give_points(copy, "student-02")
    told = nbgrader(copy, "generate_feedback", OWN).stderr
    pages = {path.parts[-3]: path.read_text() for path in copy.glob("gradebook/feedback/*/*/*.html")}
    assert "not recognized" not in told
    assert "student-01: the page is made and the score is not final" in told
    assert "<code>check_lost</code>: not graded" in pages["student-01"]
    assert "test_double: 3 of 3 points, asserted in the student" in pages["student-01"]
    assert "<code>essay</code>: waits for a person" in pages["student-01"]
    assert "not final" not in pages["student-02"]


def test_points_by_hand_for_all_of_it_make_a_score(course: Path, tmp_path: Path) -> None:
    copy = tmp_path / "course"
    shutil.copytree(course, copy)
    give_points(copy, "student-01")
    assert "student-01 4.5/6 4.5 by hand" in said(autograder(copy, "scores", OWN))


def test_after_a_failed_regrade_the_old_score_is_not_current(course: Path, tmp_path: Path) -> None:
    copy = tmp_path / "course"
    shutil.copytree(course, copy)
    give_points(copy, "student-01", "student-02")
    hand_in(copy, "student-01", OWN, answered(copy, "Another answer."))
    # handed in again with other code, and not graded yet
    hand_in(copy, "student-02", OWN, answered(copy).replace(b"return x + x", b"return x * 2"))
    text = said(autograder(copy, "scores", OWN))
    assert "student-02 -/6 not current: handed in anew" in text
    (copy / "broken.py").write_text(
        "from autograder.classroom.recording import Recorder\n"
        "def record(*_): raise RuntimeError('no room')\n"
        "Recorder.record = record\n"
        "from autograder.command_line import main\n"
        "main(['grade', '99_own', '--force', '--student', 'student-02'])\n"
    )
    subprocess.run(["python", "broken.py"], cwd=copy, check=True, capture_output=True)
    text = said(autograder(copy, "scores", OWN))
    assert "student-02 -/6 not current: grading it failed (a defect of the grader, please report it" in text
    assert "no room" in text
    assert not formgraders(copy).get_submission(OWN, "student-02")["autograded"]
    assert "3 graded" not in autograder(copy, "grade", OWN)
    assert "not current" not in said(autograder(copy, "scores", OWN))
