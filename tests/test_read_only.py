"""A folder or a file that may not be written, or that is gone: one sentence, nothing half written, the rest goes on."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder.classroom.course import Course
from autograder.classroom.errors import CourseError
from autograder.classroom.executors import Cores
from autograder.classroom.run import ClassRun
from autograder.classroom.run_options import RunOptions
from autograder.command_line import main
from tests.class_runs import CLASS, EXERCISE, copy_of, inside
from tests.course import autograded, results, rows
from tests.depth import proof

STUDENTS = ["student-01", "student-02", "student-03"]


def mount(*words: str) -> bool:
    return subprocess.run(["mount", *words], capture_output=True).returncode == 0


@pytest.fixture
def course(template: Path, graded: Path, tmp_path: Path) -> Path:
    """Three students who have handed in, with the seed of those who are graded."""
    course = copy_of(template, tmp_path)
    shutil.copy(graded / "gradebook" / "secret_seed", course / "gradebook")
    for student in CLASS.keys() - set(STUDENTS):
        shutil.rmtree(course / "gradebook" / "submitted" / student)
    return course


@pytest.fixture
def protect(course: Path) -> Iterator[Callable[[str], Path]]:
    """Makes a path of the gradebook read-only, even for root, until the test ends or unmounts it."""
    protected = list[Path]()

    def protect(name: str) -> Path:
        path = course / "gradebook" / name
        if not path.exists():
            path.mkdir(parents=True)
            (path / "old.txt").touch()
        if not mount("--bind", str(path), str(path)):
            pytest.skip("only root can mount")
        protected.append(path)
        assert mount("-o", "remount,ro,bind", str(path))
        return path

    yield protect
    for path in protected:
        subprocess.run(["umount", str(path)], capture_output=True)


def grade(course: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Run `autograder grade` in this process; its status and all that it says."""
    with inside(course):
        status = main(["grade", EXERCISE, "--workers", "1"])
    said = capsys.readouterr()
    return status, said.out + said.err


def assert_graded(course: Path, graded: Path, students: list[str]) -> None:
    for student in students:
        assert rows(course, EXERCISE)[student] == rows(graded, EXERCISE)[student]
        assert autograded(course, student, EXERCISE) == autograded(graded, student, EXERCISE)


@proof
@pytest.mark.parametrize(
    ("name", "expected"), [("answers", 2), ("results", 1), ("autograded", 1), ("gradebook.db", 2), (".", 2)]
)
def test_what_may_not_be_written_is_said_in_a_sentence(
    name: str,
    expected: int,
    protect: Callable[[str], Path],
    course: Path,
    graded: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Course(course).assignments([EXERCISE])
    path = protect(name)
    status, said = grade(course, capsys)
    assert status == expected, said
    assert "Traceback" not in said
    assert re.search("read-?only", said, re.IGNORECASE)
    assert not results(course)
    subprocess.run(["umount", str(path)], check=True)
    status, said = grade(course, capsys)
    assert status == 0, said
    assert_graded(course, graded, STUDENTS)


@proof
@pytest.mark.parametrize("folder", [f"autograded/student-02/{EXERCISE}", f"results/{EXERCISE}/student-02"])
def test_one_folder_that_may_not_be_written_costs_its_student_alone(
    folder: str,
    protect: Callable[[str], Path],
    course: Path,
    graded: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    protect(folder)
    status, said = grade(course, capsys)
    assert status == 1, said
    assert "Traceback" not in said
    assert "student-02" in said
    assert len(results(course)) == 2
    assert_graded(course, graded, ["student-01", "student-03"])


@proof
def test_a_database_that_vanishes_in_mid_run_is_made_again_by_the_next(
    course: Path, graded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with inside(course):
        Course().assignments([EXERCISE])
        run = ClassRun(Course(), RunOptions(), Cores(1)).grade(EXERCISE, print)
        assert next(run).state == "graded"
        (course / "gradebook" / "gradebook.db").unlink()
        with pytest.raises(CourseError, match="see that its file or server is there"):
            list(run)
    status, said = grade(course, capsys)
    assert status == 0, said
    assert_graded(course, graded, STUDENTS)
