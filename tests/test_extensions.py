"""The table of extensions: read and checked once, before anything is graded, and told with the lines that are wrong."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.command_line import main
from autograder.nbgrader_plugin.extensions import ExtensionsError, check, extensions, hours_granted, remove_student
from tests.course import hand_in, new_course
from tests.depth import proof
from tests.submissions import as_bytes, released

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
    HEAD + "student-04,,soon\n": "line 2: 'soon' is no number of hours",
    HEAD + "student-04,,-3\n": "line 2: '-3' is no number of hours",
    HEAD + "student-04,,nan\n": "line 2: 'nan' is no number of hours",
    HEAD + "student-04,,inf\n": "line 2: 'inf' is no number of hours",
    HEAD + "student-04;;48\n": "line 2: 1 columns instead of 3; the first line separates them by ','",
    HEAD + "student-04,,1,5\n": "line 2: 4 columns instead of 3",
    HEAD + ",,48\n": "line 2: no student is named",
    HEAD + "student-04,,1\nstudent-04,,2\n": "line 3: the same student and assignment as in line 2",
    HEAD + "student-04,,\x1b[2J\n": "line 2: '\\x1b[2J' is no number of hours",
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
    assert note == f"{path}, line 3: nobody is called 'studnet-02' (did you mean 'student-02'?)"
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
    assert first == f"autograder grade: {table}, line 2: 'soon' is no number of hours; write 48, or 1.5"
    assert second.startswith(f"{table}, line 3: there is no assignment '03_none'")
    assert not list((course / "gradebook").glob("answers/*/*"))


@proof
def test_nbgrader_says_the_same(course: Path) -> None:
    table = table_of(course / "gradebook", HEAD + "student-01,,soon\n")
    done = tried(course, "nbgrader", "autograde", EXERCISE)
    assert done.returncode == 1
    assert f"Not graded: {table}, line 2: 'soon' is no number of hours" in done.stderr
    assert "Traceback" not in done.stderr
    assert "above" not in done.stderr
    with Gradebook(f"sqlite:///{course}/gradebook/gradebook.db") as gradebook:
        assert not gradebook.students
