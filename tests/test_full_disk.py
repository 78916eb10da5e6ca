"""A full disk: told at once, with how much is free and where; after a minute the run ends, and can be resumed."""

from __future__ import annotations

import errno
import itertools
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from autograder.classroom import database
from autograder.classroom.course import Course
from autograder.classroom.database import retry
from autograder.classroom.errors import CourseError
from autograder.command_line import main
from autograder.gradebook_access.disk import DATABASE, full_disk_message, is_full
from tests.course import hand_in, new_course, rows
from tests.depth import proof
from tests.submissions import as_bytes, released, remarked

EXERCISE = "01_scalar_graphs"
STUDENTS = [f"student-{number:02}" for number in range(1, 5)]


def no_space(path: Path | None = None) -> OSError:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), *([str(path)] if path else []))


def full_database() -> OperationalError:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return OperationalError("INSERT", {}, error)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """Time that passes only while one waits."""
    now = [0.0]
    monkeypatch.setattr(database.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(database.time, "sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    return now


@pytest.mark.parametrize("error", [no_space(), full_database()])
def test_a_run_says_so_at_once_and_waits_a_minute(error: Exception, clock: list[float], tmp_path: Path) -> None:
    said: list[tuple[float, str]] = []

    def write() -> None:
        raise error

    with pytest.raises(CourseError, match=r"the disk is full, .* MiB are free at .*, then repeat the command"):
        retry(write, lambda text: said.append((clock[0], text)), places={tmp_path: DATABASE})
    assert [when for when, _ in said] == [0.0]
    assert said[0][1].startswith("waiting 60 s for room: the disk is full, ")
    assert said[0][1].endswith(f"MiB are free at {tmp_path} ({DATABASE}): make room there")
    assert 60 <= clock[0] < 63


def test_it_goes_on_where_there_is_room_again(clock: list[float]) -> None:
    calls = itertools.count()

    def write() -> str:
        if next(calls) < 5:
            raise no_space(Path("/"))
        return "written"

    assert retry(write, lambda text: None) == "written"
    assert clock[0] < 10


def test_the_disk_is_named_that_the_error_is_about(tmp_path: Path) -> None:
    places = {tmp_path / "answers": "answers", tmp_path: DATABASE}
    assert f"at {tmp_path} (answers): make room" in full_disk_message(
        no_space(tmp_path / "answers" / "x" / "y.answers"), places
    )
    assert f"at {tmp_path} ({DATABASE})" in full_disk_message(full_database(), places)
    behind = RuntimeError("There was an error processing assignment")
    behind.__cause__ = no_space()
    assert is_full(behind)
    assert not is_full(RuntimeError())


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of 3 MiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "none", str(folder)], capture_output=True)
    if done.returncode:
        pytest.skip("only root can mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def graded(course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Run `autograder grade` here, so that it waits two seconds only; its status, and all that it says."""
    monkeypatch.chdir(course)
    monkeypatch.setattr(database, "FULL_SECONDS", 2.0)
    status = main(["grade", EXERCISE, "--workers", "1"])
    said = capsys.readouterr()
    return status, " ".join((said.out + said.err).split())


@proof
@pytest.mark.parametrize("folder", ["", "answers", "autograded"], ids=["everything", "answers", "autograded"])
def test_a_class_is_resumed_after_its_disk_was_full(
    folder: str, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of the gradebook lies on the small disk, or one folder of it."""
    course = new_course(tmp_path / "course")
    (course / "gradebook" / folder).parent.mkdir(exist_ok=True)
    (course / "gradebook" / folder).symlink_to(small)
    for student in STUDENTS:
        hand_in(course, student, EXERCISE, as_bytes(remarked(released(EXERCISE), student)))
    Course(course).assignments([EXERCISE])
    filler = small / "filler"
    filler.write_bytes(b"x" * (shutil.disk_usage(small).free - 40_000 * (folder != "answers")))
    status, said = graded(course, monkeypatch, capsys)
    assert status == 2, said
    assert "waiting 2 s for room: the disk is full, 0.0 MiB are free at" in said
    assert "then repeat the command" in said
    assert "Traceback" not in said
    filler.unlink()
    status, said = graded(course, monkeypatch, capsys)
    assert status == 0, said
    assert sorted(rows(course, EXERCISE)) == STUDENTS
