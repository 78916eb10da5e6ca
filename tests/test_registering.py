"""A known exercise that the gradebook lacks is registered as `nbgrader generate_assignment` would have written it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from autograder.classroom.course import Course
from autograder.classroom.errors import CourseError
from autograder.nbgrader_plugin.registering import exercises, register
from tests.course import db_url, hand_in, nbgrader, new_course
from tests.depth import proof
from tests.submissions import as_bytes, released

EXERCISE = "01_scalar_graphs"


def everything(course: Path) -> dict[str, list[tuple]]:
    """All rows of all tables in their order, without the random ids by which they name each other."""
    found = {}
    with sqlite3.connect(db_url(course).removeprefix("sqlite:///")) as database:
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            kept = [name for name in columns if table == "course" or name == "course_id" or not name.endswith("id")]
            found[table] = database.execute(f"SELECT {', '.join(kept or ['1'])} FROM {table} ORDER BY rowid").fetchall()
    return found


def directory(course: Path) -> CourseDirectory:
    return CourseDirectory(
        root=str(course), release_directory="exercises", db_url=db_url(course), course_id="gradients"
    )


@pytest.mark.parametrize("names", [EXERCISE, pytest.param("*", marks=proof)])
def test_the_rows_are_those_of_nbgrader(names: str, tmp_path: Path) -> None:
    theirs, ours = new_course(tmp_path / "theirs"), new_course(tmp_path / "ours")
    nbgrader(theirs, "generate_assignment", names, "--force")
    for name in exercises(directory(ours)) if names == "*" else [names]:
        assert register(directory(ours), name) == [name]
        assert register(directory(ours), name) == []
    assert everything(ours) == everything(theirs)
    assert everything(ours)["source_cell"]


@proof
def test_a_due_date_that_came_first_stays(tmp_path: Path) -> None:
    """`nbgrader db assignment add` and the formgrader make the assignment's row, and nothing else."""
    course = new_course(tmp_path)
    with Gradebook(db_url(course)) as gradebook:
        gradebook.add_assignment(EXERCISE, duedate="2026-12-01 12:00:00 UTC")
    assert register(directory(course), EXERCISE) == [EXERCISE]
    with Gradebook(db_url(course)) as gradebook:
        assert gradebook.find_assignment(EXERCISE).duedate.year == 2026
        assert gradebook.find_notebook(EXERCISE, EXERCISE).grade_cells


@proof
def test_nothing_is_added_to_what_was_handed_in(tmp_path: Path) -> None:
    course = new_course(tmp_path)
    register(directory(course), EXERCISE)
    with Gradebook(db_url(course)) as gradebook:
        gradebook.add_student("student-01")
        gradebook.add_submission(EXERCISE, "student-01")
    before = everything(course)
    nbformat.write(released("02_grad"), course / "exercises" / EXERCISE / "second.ipynb")
    assert register(directory(course), EXERCISE) == []
    assert everything(course) == before


def test_an_unknown_name_is_told_with_the_nearest(tmp_path: Path) -> None:
    course = Course(new_course(tmp_path))
    with pytest.raises(CourseError, match=r"no exercise '01_scalar_grahps' \(did you mean '01_scalar_graphs'\?\)"):
        course.assignments(["01_scalar_grahps"])
    with pytest.raises(CourseError, match=r"no exercise '\.\./exercises/02_grad'"):
        course.assignments(["../exercises/02_grad"])
    with Gradebook(course.directory.db_url) as gradebook:
        assert not gradebook.assignments


def test_what_nobody_handed_in_is_not_registered(tmp_path: Path) -> None:
    course = Course(new_course(tmp_path))
    assert course.assignments([EXERCISE]) == []
    with Gradebook(course.directory.db_url) as gradebook:
        assert not gradebook.assignments
    hand_in(tmp_path, "student-01", EXERCISE, b"{}")
    assert course.assignments([EXERCISE]) == [EXERCISE]


@proof
@pytest.mark.parametrize("lost", [False, True], ids=["fresh", "lost"])
@pytest.mark.parametrize("command", ["autograder grade", "nbgrader autograde"])
def test_grading_goes_on_where_the_gradebook_knows_nothing(command: str, lost: bool, tmp_path: Path) -> None:
    course = new_course(tmp_path / "course")
    if lost:
        nbgrader(course, "generate_assignment", EXERCISE, "--force")
        (course / "gradebook" / "gradebook.db").unlink()
    nbgrader(course, "release_assignment", EXERCISE)
    hand_in(course, "student-01", EXERCISE, as_bytes(released(EXERCISE)))
    words = [sys.executable, "-m", "autograder.command_line", "grade"] if command[0] == "a" else command.split()
    done = subprocess.run([*words, EXERCISE], cwd=course, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with Gradebook(db_url(course)) as gradebook:
        assert [one.student.id for one in gradebook.assignment_submissions(EXERCISE)] == ["student-01"]
