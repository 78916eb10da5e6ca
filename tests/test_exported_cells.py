"""Names and reasons in exported tables: no columns, lines or formulas of a student's making, in any spreadsheet."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.exportapp import ExportApp
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import CsvExportPlugin
from traitlets.config import Config

from autograder.exports import csv_cells
from autograder.exports.canvas_roster import Roster, RosterError
from autograder.exports.grades_csv import COLUMNS, NBGRADERS, Grades
from autograder.verdicts.graded_notebook import verdicts_in
from tests.course import hand_in, hand_in_graded, nbgrader, new_course
from tests.depth import proof
from tests.sample_class import EXERCISE

FORMULAS = ("=cmd|'/C calc'!A0", "+1", "-1+1", "@SUM(A1)", "＝1", "﹦1", "\t=1", "\u200b=1", "\ufeff=1", "\xa0=1")
INSIDE = ('x";=1', "x;=1", "x; =1", 'x,"=1', "x\r=1", "x\n=1", "O'Neil;@SUM(A1)", "';=1", "&;=-+1", "x;= =1")
TIME = "2026-01-01 10:00:00 UTC"
FORGED_COLUMNS = "alice,Smith,Ann,a@b.c,30.0,0.0,30.0,30.0"
"""A folder's name that `STUDENT` allows."""


def as_spreadsheets_read(raw: str) -> list[str]:
    """The cells of a table, by whichever sign the reader thinks that they are separated."""
    return [
        cell
        for delimiter in ",;\t"
        for row in csv.reader(io.StringIO(raw, newline=""), delimiter=delimiter)
        for cell in row
    ]


def formulas(raw: str) -> list[str]:
    """Cells that a spreadsheet would calculate."""
    return [cell for cell in as_spreadsheets_read(raw) if cell.strip()[:1] in tuple("=+-@＝＋－＠")]


@pytest.mark.parametrize("hostile", [*FORMULAS, *INSIDE])
def test_no_cell_is_a_formula_however_it_is_read(hostile: str, tmp_path: Path) -> None:
    name, feedback = csv_cells.text(hostile), csv_cells.html(["27 of 30 points.", f"partials 0 of 3: {hostile}"])
    csv_cells.write(tmp_path / "table.csv", [["alice", name, "27", feedback]])
    raw = (tmp_path / "table.csv").read_text(encoding="utf-8")
    assert not formulas(raw)
    assert len(list(csv.reader(io.StringIO(raw, newline="")))) == 1
    assert not csv_cells.is_plain(hostile)


def test_feedback_looks_as_before_on_a_page() -> None:
    assert csv_cells.html(["a = b - c; d"]) == "a = b - c; d"
    assert csv_cells.html(["x'= 1"]) == "x&#x27;&#61; 1"
    assert csv_cells.text("Ann-Marie O'Neil, Jr.") == "Ann-Marie O'Neil, Jr."


@pytest.fixture(scope="module")
def gradebook(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A class with honest names, and with names that are none."""
    url = f"sqlite:///{tmp_path_factory.mktemp('gradebook')}/gradebook.db"
    with Gradebook(url) as gradebook:
        gradebook.add_assignment(EXERCISE, duedate="2026-01-01 09:00:00 UTC")
        gradebook.add_notebook(EXERCISE, EXERCISE)
        gradebook.add_grade_cell("check_all", EXERCISE, EXERCISE, max_score=30, cell_type="code")
        gradebook.add_student("alice", first_name="Zoë", last_name="O'Neil", email="a@example.org")
        gradebook.add_student("bob")
        for student in ("alice", "bob"):
            gradebook.add_submission(EXERCISE, student, timestamp=TIME)
        (notebook,) = gradebook.find_submission(EXERCISE, "alice").notebooks
        notebook.late_submission_penalty = 2.5
        for student, points in (("alice", 20.0), ("bob", 0.0)):
            (grade,) = gradebook.find_submission(EXERCISE, student).notebooks[0].grades
            grade.auto_score, grade.needs_manual_grade = points, False
        gradebook.add_student("carol")
        gradebook.db.commit()
    return url


def late_work() -> Config:
    """What the penalty of the class above was assigned by."""
    config = Config()
    config.AssignLatePenalties.plugin_class = "autograder.nbgrader_plugin.late_work.LateWork"
    config.LateWork.lost_per_day = 0.125
    return config


def exported(plugin: type, url: str, to: Path) -> str:
    """What a plug-in writes."""
    with Gradebook(url) as gradebook:
        folders = {f"{step}_directory": f"gradebook/{step}" for step in ("submitted", "autograded")}
        app = ExportApp(coursedir=CourseDirectory(root=str(to.parent), config=late_work(), **folders))
        plugin(to=str(to), parent=app).export(gradebook)
    return to.read_text(encoding="utf-8")


def test_the_table_of_honest_students_begins_with_nbgraders_own(gradebook: str, tmp_path: Path) -> None:
    for student in ("alice", "bob"):
        hand_in_graded(tmp_path, student, EXERCISE, TIME)
    ours = exported(Grades, gradebook, tmp_path / "ours.csv").splitlines()
    nbgraders = exported(CsvExportPlugin, gradebook, tmp_path / "nbgraders.csv").splitlines()
    assert [",".join(line.split(",")[: len(NBGRADERS)]) for line in ours] == nbgraders


def test_no_name_makes_columns_or_lines(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/gradebook.db"
    hostile = [FORGED_COLUMNS, "eve"]
    for assignment in (EXERCISE, "=HYPERLINK(A1)"):  # of which somebody else handed something in
        hand_in(tmp_path, "zoe", assignment, b"{}")
    with Gradebook(url) as gradebook:
        gradebook.add_assignment(EXERCISE)
        gradebook.add_assignment("=HYPERLINK(A1)")
        gradebook.add_student(hostile[0])
        forged = f"x\n{EXERCISE},,,{FORGED_COLUMNS}"
        gradebook.add_student("eve", first_name=forged, last_name="=HYPERLINK(A1)")
    rows = list(csv.DictReader(io.StringIO(exported(Grades, url, tmp_path / "grades.csv"), newline="")))
    assert {row["student_id"] for row in rows} == {*hostile, "zoe"}
    assert {row["score"] for row in rows if row["student_id"] != "zoe"} == {"0.0"}
    assert all(tuple(row) == COLUMNS for row in rows)
    assert not formulas((tmp_path / "grades.csv").read_text())


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]", b'{"cells": [{"metadata": 1}]}', b"[" * 100_000, b"\xff"])
def test_a_damaged_graded_notebook_has_no_verdicts_and_stops_nobody(raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / "graded.ipynb"
    assert verdicts_in(path) == {}
    path.write_bytes(raw)
    assert verdicts_in(path) == {}


def test_a_roster_that_csv_cannot_read_is_said(tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(f'Student,ID,Section,E\n"{"x" * 200_000}",1,,1\n')
    with pytest.raises(RosterError, match="cannot be read"):
        Roster.read(path)


@proof
def test_the_table_goes_where_one_says(tmp_path: Path) -> None:
    """`--to` was without effect beside a setting of nbgrader_config.py."""
    course = new_course(tmp_path)
    nbgrader(course, "export")
    nbgrader(course, "export", "--to=elsewhere.csv")
    assert (course / "gradebook" / "grades.csv").read_text() == (course / "elsewhere.csv").read_text()
