"""A submission that cannot be graded: what was recorded for the same file stays; an older file's result does not."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nbgrader.api import Gradebook
from traitlets.config import Config

from autograder.classroom import preparing
from autograder.classroom import run as run_module
from autograder.classroom.course import Course
from autograder.classroom.done import Done
from autograder.classroom.failures import note_failure
from autograder.classroom.store import Store
from autograder.nbgrader_plugin.assignment_files import AssignmentFiles
from autograder.notebooks.reading import UnavailableNotebookError
from autograder.standings.standing import standings
from autograder.wire.frames import TornFrameError
from tests.class_runs import CLASS, EXERCISE, Nobody, inside, run_class
from tests.course import db_url, gradebook_points, hand_in, nbgrader, rows
from tests.submissions import as_bytes, cell_of, solved

WHOSE = "student-01"


def graded_again(course: Path, **options: Any) -> Done:
    """What became of the student, with the failures of the run noted as `autograder grade` does."""
    done = run_class(course, **options)
    with inside(course):
        one = Course()
        for failed in done.values():
            if failed.state == "failed":
                note_failure(one, Store(one.gradebook), failed)
    return done[WHOSE]


def kept(course: Path) -> tuple[Any, ...]:
    """All that was recorded for the student."""
    files = [f"results/{EXERCISE}/{WHOSE}/{EXERCISE}.json", f"autograded/{WHOSE}/{EXERCISE}/{EXERCISE}.ipynb"]
    return rows(course, EXERCISE), *((course / "gradebook" / name).read_bytes() for name in files)


def is_current(course: Path) -> bool:
    """Whether the student's points are shown, and exported, as what they are."""
    with inside(course), Gradebook(db_url(course)) as gradebook:
        (found,) = standings(gradebook, Course().directory, EXERCISE, [WHOSE])
    return not found.reason


def submitted(course: Path) -> Path:
    return course / "gradebook" / "submitted" / WHOSE / EXERCISE / f"{EXERCISE}.ipynb"


def second_name(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.link(submitted(course), course / "backup.ipynb")


def defective_disk(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def content(descriptor: int, most: int) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("autograder.notebooks.opening.content", content)


def closed_to_us(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = os.open

    def refusing(path: Any, *arguments: Any, **more: Any) -> int:
        if path == f"{EXERCISE}.ipynb" and "dir_fd" in more:
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path, *arguments, **more)

    monkeypatch.setattr("autograder.notebooks.opening.os.open", refusing)


@pytest.mark.parametrize(
    ("keep_away", "why"),
    [
        (second_name, "is a file with a second name elsewhere (a hard link)"),
        (defective_disk, "cannot be read (Input/output error)"),
        (closed_to_us, "is not readable (Permission denied)"),
    ],
)
def test_a_file_that_nobody_can_read_here_costs_its_author_nothing(
    keep_away: Callable[[Path, pytest.MonkeyPatch], None], why: str, course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kept(course)
    with monkeypatch.context() as meanwhile:
        keep_away(course, meanwhile)
        for _ in range(2):
            done = graded_again(course)
            assert (done.state, f"{WHOSE}/{EXERCISE}/{EXERCISE}.ipynb {why}" in done.reason) == ("failed", True)
            assert kept(course) == before
        assert is_current(course)
    (course / "backup.ipynb").unlink(missing_ok=True)
    assert run_class(course, Nobody)[WHOSE].state == "unchanged"
    assert kept(course) == before


def test_a_time_that_cannot_be_read_here_changes_nothing(course: Path) -> None:
    (submitted(course).parent / "timestamp.txt").write_text("2026-01-03 11:00:00")
    run_class(course)
    before = kept(course)
    os.link(submitted(course).parent / "timestamp.txt", course / "backup.txt")
    done = graded_again(course)
    assert (done.state, "its timestamp.txt is a file with a second name" in done.reason) == ("failed", True)
    assert kept(course) == before
    assert is_current(course)


def test_a_closed_folder_costs_only_its_student(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, listed, opened = kept(course), os.listdir, os.open

    def closed(path: Any, *arguments: Any, **more: Any) -> Any:
        if (WHOSE in str(path) and "submitted" in str(path)) or (path == WHOSE and "dir_fd" in more):
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path, *arguments, **more) if arguments else listed(path)

    monkeypatch.setattr("autograder.notebooks.submission_files.os.listdir", closed)
    monkeypatch.setattr("autograder.notebooks.opening.os.open", closed)
    done = run_class(course)
    assert {student: one.state for student, one in done.items() if one.state == "failed"} == {WHOSE: "failed"}
    assert kept(course) == before
    assert is_current(course)


def test_a_graded_notebook_that_cannot_be_read_here_is_not_lost(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, read = kept(course), Path.read_bytes

    def closed(path: Path) -> bytes:
        if "autograded" in path.parts and WHOSE in path.parts:
            raise PermissionError(errno.EACCES, "Permission denied")
        return read(path)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(Path, "read_bytes", closed)
        done = graded_again(course)
        assert (done.state, "cannot be read (Permission denied)" in done.reason) == ("failed", True)
        assert not is_current(course)
    assert kept(course) == before


def test_a_notebook_that_fails_leaves_the_assignments_others(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = course / "gradebook" / "autograded" / WHOSE / EXERCISE / "other.ipynb"
    other.write_text("{}")
    hand_in(course, WHOSE, EXERCISE, CLASS["student-02"])
    monkeypatch.setattr("autograder.classroom.worker.conclude", lambda *a, **k: 1 / 0)
    assert graded_again(course).state == "failed"
    assert [path.name for path in other.parent.glob("*.ipynb")] == [other.name]


def test_what_fails_in_the_second_pass_is_told(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = list[str]()

    def prepare(submission: Any, *arguments: Any) -> Any:
        prepared.append(submission.student)
        assert prepared.count(submission.student) == 1
        return preparing.prepare(submission, *arguments)

    monkeypatch.setattr(run_module, "prepare", prepare)
    monkeypatch.setattr(run_module, "judging_digest", lambda: "other checks")
    monkeypatch.setattr("autograder.classroom.worker.fits", lambda *arguments: False)
    done = run_class(course, rejudge=True)
    assert (prepared.count(WHOSE), done[WHOSE].state) == (2, "failed")


def test_what_fails_once_is_not_judged_anew_by_the_next_run(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = kept(course)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(run_module, "judging_digest", lambda: 1 / 0)
        assert graded_again(course).state == "failed"
    monkeypatch.setattr(run_module, "judging_digest", lambda: "other checks")
    done = run_class(course, Nobody)[WHOSE]
    assert (done.state, done.outdated) == ("unchanged", True)
    assert kept(course) == before


def test_the_result_of_an_older_file_does_not_count_for_one_that_fails(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(course, WHOSE, EXERCISE, CLASS["student-02"])
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("autograder.classroom.worker.conclude", lambda *a, **k: 1 / 0)
        assert graded_again(course).state == "failed"
    results = course / "gradebook" / "results" / EXERCISE / WHOSE
    assert [path.name for path in results.iterdir()] == [f"{EXERCISE}.failed"]
    assert not (course / "gradebook" / "autograded" / WHOSE / EXERCISE).exists()
    assert graded_again(course).state == "graded"
    assert [path.name for path in results.iterdir()] == [f"{EXERCISE}.json"]


def test_answers_too_many_to_keep_are_judged_all_the_same(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_many(*arguments: Any) -> bytes:
        raise TornFrameError("a frame of 70000000 + 0 bytes is too large to send")

    monkeypatch.setattr("autograder.classroom.worker.pack_answers", too_many)
    notebook = solved(EXERCISE)
    cell_of(notebook, "partials").source += "\n# changed"
    hand_in(course, WHOSE, EXERCISE, as_bytes(notebook))
    points = gradebook_points(course, EXERCISE, WHOSE)
    assert run_class(course)[WHOSE].state == "graded"
    assert gradebook_points(course, EXERCISE, WHOSE) == points


def test_nbgrader_too_leaves_what_it_cannot_read(course: Path) -> None:
    before = kept(course)
    second_name(course, pytest.MonkeyPatch())
    done = nbgrader(course, "autograde", EXERCISE, f"--student={WHOSE}")
    assert f"Not graded: {WHOSE}/{EXERCISE}/{EXERCISE}.ipynb is a file with a second name" in done.stderr
    assert kept(course) == before


def test_a_handed_in_file_that_cannot_be_read_here_is_not_left_out_in_silence(course: Path) -> None:
    data = submitted(course).parent / "data.csv"
    data.write_text("1,2\n")
    with inside(course):
        files = AssignmentFiles(Course().directory, Config(), 1 << 20, [f"{EXERCISE}/*.csv"])
        assert b"1,2" in files.beside(EXERCISE, WHOSE)
        os.link(data, course / "backup.csv")
        with pytest.raises(UnavailableNotebookError, match=r"data\.csv \(a file with a second name elsewhere"):
            files.beside(EXERCISE, WHOSE)


def test_whoever_hands_in_other_files_is_asked_anew(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def seed_beside(files: bytes) -> bytes:
        with inside(course):
            one = Course()
            monkeypatch.setattr(one.files, "beside", lambda assignment, student: files)
            submission = next(iter(one.submissions(EXERCISE, [WHOSE])))
            return preparing.prepare(submission, one, one.cells(EXERCISE)[EXERCISE], b"secret")[0].seed

    assert seed_beside(b"") == seed_beside(b"")
    assert len({seed_beside(files) for files in (b"", b"one", b"other")}) == 3
