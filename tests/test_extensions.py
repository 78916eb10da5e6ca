"""The table of extensions: read and checked once, before anything is graded, and told with the lines that are wrong."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import PyFileConfigLoader

from autograder.command_line import main
from autograder.nbgrader_plugin.anonymity import formgrader_numbers
from autograder.nbgrader_plugin.delimited import read_once
from autograder.nbgrader_plugin.extensions import (
    ExtensionsError,
    check,
    extensions,
    granted,
    hours_granted,
    remove_student,
)
from autograder.nbgrader_plugin.groups import groups_of_students, remove_from_roster
from autograder.standings.standing import standings
from tests.course import hand_in, new_course
from tests.depth import proof
from tests.submissions import as_bytes, released, solved

EXERCISE = "01_scalar_graphs"
HEAD = "student,assignment,hours\n"
SETTINGS = """c = get_config()
c.AssignLatePenalties.plugin_class = "autograder.nbgrader_plugin.late_work.LateWork"
c.LateWork.lost_per_day = 0.1
"""


def table_of(folder: Path, text: str) -> Path:
    path = folder / "extensions.csv"
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "student-01,,48\n",
        "student;assignment;hours\r\nstudent-01;;48\r\n",
        "\ufeffStudent\tAssignment\tHours\nstudent-01\t\t48\n",
        "remark, hours, assignment, student\n\nill, 48.0,, student-01 \n,,,\n",
    ],
)
def test_a_table_as_spreadsheets_write_it(text: str, tmp_path: Path) -> None:
    assert hours_granted(table_of(tmp_path, text), "student-01", EXERCISE) == 48


WRONG = {
    "who,hours\n": "line 1: the first line must name the columns student, assignment, hours; it lacks student, assignm",
    HEAD + "student-04,,soon\n": "line 2: 'soon' is not a number of hours",
    HEAD + "student-04,,-3\n": "line 2: '-3' is not a number of hours",
    HEAD + "student-04,,nan\n": "line 2: 'nan' is not a number of hours",
    HEAD + "student-04,,inf\n": "line 2: 'inf' is not a number of hours",
    HEAD + "student-04;;48\n": "line 2: 1 columns instead of 3; the first line separates them by ','",
    HEAD + "student-04,,1,5\n": "line 2: 4 columns instead of 3",
    HEAD + ",,48\n": "line 2: no student is named",
    HEAD + "student-04,,1\nstudent-04,,2\n": "line 3: the same student and assignment as in line 2",
    HEAD + "student-04,,\x1b[2J\n": "line 2: '\\x1b[2J' is not a number of hours",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_bad_line_is_told_with_its_number(text: str, tmp_path: Path) -> None:
    path = table_of(tmp_path, text)
    with pytest.raises(ExtensionsError) as said:
        extensions(path)
    assert str(said.value).startswith(f"{path}, {WRONG[text]}")


def test_all_bad_lines_are_told_at_once(tmp_path: Path) -> None:
    path = table_of(tmp_path, HEAD + "student-04,,x\nstudent-01,,3\nstudent-05,,y\nstudent-05,,1\n")
    with pytest.raises(ExtensionsError) as said:
        extensions(path)
    assert [line.split(", ")[1].split(":")[0] for line in str(said.value).splitlines()] == [
        "line 2",
        "line 4",
        "line 5",
    ]


def test_an_unknown_assignment_is_told_with_the_other_bad_lines(tmp_path: Path) -> None:
    path = table_of(tmp_path, HEAD + "student-04,,x\nstudent-01,02_grda,3\nstudent-05,,y\n")
    with pytest.raises(ExtensionsError) as said:
        check(path, {"student-01"}, {EXERCISE})
    assert [line.split(", ")[1].split(":")[0] for line in str(said.value).splitlines()] == [
        "line 2",
        "line 3",
        "line 4",
    ]


def test_a_file_that_is_not_utf_8_is_told(tmp_path: Path) -> None:
    (tmp_path / "extensions.csv").write_bytes(b"student,assignment,hours\nJos\xe9,,3\n")
    with pytest.raises(ExtensionsError, match="is not UTF-8: save it again as CSV in UTF-8"):
        extensions(tmp_path / "extensions.csv")


def test_names_are_compared_with_the_course(tmp_path: Path) -> None:
    path = table_of(tmp_path, HEAD + "student-01,,3\nstudnet-02,01_scalar_graphs,3\n")
    (note,) = check(path, {"student-01", "student-02"}, {EXERCISE})
    assert note == f"{path}, line 3: no student is called 'studnet-02' (did you mean 'student-02'?)"
    path = table_of(tmp_path, HEAD + "student-01,01_scalar_grahps,3\n")
    with pytest.raises(ExtensionsError, match=r"line 2: there is no assignment '01_scalar_grahps' \(did you mean"):
        check(path, {"student-01"}, {EXERCISE})


def test_a_changed_table_is_read_anew(tmp_path: Path) -> None:
    for hours in (3, 48):
        assert hours_granted(table_of(tmp_path, f"{HEAD}student-01,,{hours}\n"), "student-01", EXERCISE) == hours


def test_a_student_is_removed_and_nobody_else(tmp_path: Path) -> None:
    kept = "\ufeffhours;student;assignment\r\n3;student-01.b;\r\n\r\n"
    path = table_of(tmp_path, kept + "3; student-01;02_grad\r\n4;student-01;\r\n")
    assert remove_student(path, "student-01")
    assert path.read_bytes().decode() == kept
    assert not remove_student(path, "student-01")
    assert not remove_student(tmp_path / "none.csv", "student-01")


def test_a_student_is_removed_with_every_line_of_a_quoted_comment(tmp_path: Path) -> None:
    kept = "student,assignment,hours,comment\r\nstudent-08,,24,\r\n"
    path = table_of(tmp_path, kept + '"student-07",,48,"ill; see mail\r\nof Ben Roe\x85, 12 May"\r\n')
    assert remove_student(path, "student-07")
    assert path.read_bytes().decode() == kept


def test_a_quote_that_is_never_closed_takes_no_other_student_along(tmp_path: Path) -> None:
    path = table_of(tmp_path, HEAD + 'student-07,,"48\nstudent-08,,24\n')
    assert remove_student(path, "student-07")
    assert path.read_text() == HEAD + "student-08,,24\n"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course with one submission and a penalty, on a fresh gradebook."""
    course = new_course(tmp_path / "course")
    hand_in(course, "student-01", EXERCISE, as_bytes(released(EXERCISE)))
    (course / "gradebook" / "settings.py").write_text(SETTINGS)
    return course


def tried(course: Path, *command: str) -> subprocess.CompletedProcess:
    return subprocess.run(command, cwd=course, capture_output=True, text=True)


def test_nothing_is_graded_with_a_bad_table(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(course)
    table = table_of(course / "gradebook", HEAD + "student-01,,soon\nstudent-01,03_none,1\n")
    assert main(["grade", EXERCISE]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first == f"autograder grade: {table}, line 2: 'soon' is not a number of hours; write 48, or 1.5"
    assert second.startswith(f"{table}, line 3: there is no assignment '03_none'")
    assert not list((course / "gradebook").glob("answers/*/*"))


@proof
def test_nbgrader_says_the_same(course: Path) -> None:
    table = table_of(course / "gradebook", HEAD + "student-01,,soon\n")
    done = tried(course, "nbgrader", "autograde", EXERCISE)
    assert done.returncode == 1
    assert f"Not graded: {table}, line 2: 'soon' is not a number of hours" in done.stderr
    assert "Traceback" not in done.stderr
    assert "above" not in done.stderr
    with Gradebook(f"sqlite:///{course}/gradebook/gradebook.db") as gradebook:
        assert not gradebook.students


GROUPED = "student,group,assignment,hours,cohort\n"
ROSTER = "id,last_name,first_name,email,Section\nstudent-01,,,,A\nstudent-02,,,,B\nstudent-02,,,,A\nstudent-03,,,,B\n"


def grouped(folder: Path, text: str, roster: str = ROSTER) -> Path:
    (folder / "students.csv").write_text(roster)
    return table_of(folder, GROUPED + text)


def test_the_longest_extension_of_a_student_and_their_groups_counts(tmp_path: Path) -> None:
    path = grouped(tmp_path, f",A,,24,\n,B,{EXERCISE},48,\nstudent-01,,,12,\nstudent-03,,,72,\n")
    hours = {f"student-0{n}": hours_granted(path, f"student-0{n}", EXERCISE) for n in range(1, 5)}
    assert hours == {"student-01": 24, "student-02": 48, "student-03": 72, "student-04": 0}
    assert hours_granted(path, "student-02", "02_grad") == 24
    assert granted(path, "student-02", EXERCISE).said == "48 h extension (group B)"
    assert granted(path, "student-03", EXERCISE).said == "72 h extension"
    assert granted(path, "student-04", EXERCISE).said == ""


def test_a_students_own_cohort_comes_before_that_of_a_group(tmp_path: Path) -> None:
    path = grouped(tmp_path, f",A,,,autumn\n,B,{EXERCISE},,winter\n,B,,6,spring\nstudent-01,,,,summer\n")
    cohorts = {f"student-0{n}": granted(path, f"student-0{n}", EXERCISE).cohort for n in (1, 3, 4)}
    assert cohorts == {"student-01": "summer", "student-03": "winter", "student-04": ""}
    assert granted(path, "student-03", "02_grad").said == "6 h extension (group B), cohort spring"


GROUPS_WRONG = {
    ",C,,48,\n": "line 2: there is no group 'C' in {folder}/students.csv",
    ",,,48,\n": "line 2: no student or group is named",
    "student-01,A,,48,\n": "line 2: both a student and a group are named; write two lines",
    ",A,,,\n": "line 2: '' is not a number of hours; write 48, or 1.5",
    ",A,,1,\n,A,,2,\n": "line 3: the same group and assignment as in line 2; keep one of them",
    ",A,,,autumn\n,B,,,spring\n": "line 3: student-02 is also in the group of line 2, with another cohort; give this",
}


@pytest.mark.parametrize("text", GROUPS_WRONG)
def test_a_bad_line_about_a_group_is_told_with_its_number(text: str, tmp_path: Path) -> None:
    path = grouped(tmp_path, text)
    with pytest.raises(ExtensionsError) as said:
        check(path, {"student-01"}, {EXERCISE})
    assert str(said.value).startswith(f"{path}, {GROUPS_WRONG[text].format(folder=tmp_path)}")


def test_a_roster_is_read_only_for_a_group_and_must_then_name_groups(tmp_path: Path) -> None:
    assert not check(grouped(tmp_path, "student-01,,,48,\n", "id\nstudent-01\n"), {"student-01"}, {EXERCISE})
    with pytest.raises(ExtensionsError, match=r"students.csv, line 1: the first line must name a column group or sect"):
        check(grouped(tmp_path, ",A,,48,\n", "id\nstudent-01\n"), {"student-01"}, {EXERCISE})
    (tmp_path / "students.csv").unlink()
    with pytest.raises(ExtensionsError, match=r"no group 'A' in .*students.csv, which does not exist"):
        check(tmp_path / "extensions.csv", {"student-01"}, {EXERCISE})


def test_a_student_is_removed_from_the_roster(tmp_path: Path) -> None:
    path = grouped(tmp_path, "")
    assert remove_from_roster(path, "student-02")
    assert groups_of_students(tmp_path / "students.csv") == {"student-01": ("A",), "student-03": ("B",)}
    assert not remove_from_roster(path, "student-02")


def test_a_groups_extension_is_taken_off_the_penalty_and_shown(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(course)
    hand_in(course, "student-03", EXERCISE, as_bytes(solved(EXERCISE)))
    for student in ("student-01", "student-03"):
        folder = course / "gradebook" / "submitted" / student / EXERCISE
        (folder / "timestamp.txt").write_text("2026-01-03 12:00:00 UTC")
    with Gradebook(f"sqlite:///{course}/gradebook/gradebook.db") as gradebook:
        gradebook.add_assignment(EXERCISE, duedate="2026-01-02 12:00:00 UTC")
    grouped(course / "gradebook", ",B,,24,\nstudent-01,,,,autumn\n")
    assert main(["grade", EXERCISE, "--workers", "1"]) == 0
    capsys.readouterr()
    assert main(["scores", EXERCISE]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "30/30 │ 24 h extension (group B)" in said
    assert "cohort autumn" in said
    assert main(["report", EXERCISE]) == 0
    folder = course / "gradebook" / "report" / "assignments" / EXERCISE
    page = (folder / "index.html").read_text()
    assert "Who has an extension or a cohort" in page
    rows = list(csv.DictReader((folder / "students.csv").open()))
    assert [(row["student"], row["extension in hours"], row["group"], row["cohort"]) for row in rows] == [
        ("student-01", "0", "", "autumn"),
        ("student-03", "24", "B", ""),
    ]
    (course / "gradebook" / "settings.py").write_text(f"{SETTINGS}c.Grade.anonymous = True\n")
    for command in ("scores", "report"):
        assert main([command, EXERCISE]) == 0
    out = capsys.readouterr().out
    assert "student-0" not in out
    assert "submission #1" in out
    assert "submission #2" in out
    page = (folder / "index.html").read_text()
    assert "student-0" not in page
    assert "2 students have one." in page
    course_of = CourseDirectory(config=PyFileConfigLoader("nbgrader_config.py", path=".").load_config())
    with Gradebook(course_of.db_url) as gradebook:
        every = list(standings(gradebook, course_of, EXERCISE))
        numbers = formgrader_numbers(every, course_of, EXERCISE)
    listed = NbGraderAPI(course_of).get_notebook_submissions(EXERCISE, EXERCISE)
    assert numbers == {one["student"]: f"submission #{one['index'] + 1}" for one in listed}


def test_a_run_grades_by_the_table_that_it_read_first(tmp_path: Path) -> None:
    table = tmp_path / "extensions.csv"
    table.write_text("student,assignment,hours\nstudent-01,,24\n")
    with read_once():
        assert hours_granted(table, "student-01", "02_grad") == 24
        table.write_text("student,assignment,hours\nstudent-01,,48\nstudent-02,\n")  # edited, and half written
        assert hours_granted(table, "student-01", "02_grad") == 24
    with pytest.raises(ExtensionsError):
        hours_granted(table, "student-01", "02_grad")
