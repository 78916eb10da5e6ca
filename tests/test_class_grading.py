"""A class run: the same results, whatever happens on the way; that they are nbgrader's stands in test_recording."""

from __future__ import annotations

import gc
import io
import logging
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from typing import Any
from unittest import mock

import psutil
import pytest
from nbgrader.api import Gradebook
from rich.console import Console

from autograder import whole_files
from autograder.classroom.assignment_rows import AssignmentRows
from autograder.classroom.course import Course
from autograder.classroom.database import retry
from autograder.classroom.errors import CourseError, RaceError
from autograder.classroom.executors import Cores
from autograder.classroom.job import JobResult
from autograder.classroom.recording import Recorder
from autograder.classroom.run import ClassRun
from autograder.classroom.run_options import RunOptions
from autograder.classroom.summary import Summary
from autograder.comparison import Tolerance
from tests.class_runs import CLASS, EXERCISE, Here, Nobody, copy_of, inside, run_class
from tests.course import (
    autograded,
    gradebook_points,
    hand_in,
    rows,
    start_grading,
    wait_for_results,
)
from tests.depth import one_of_each, proof
from tests.submissions import as_bytes, cell_of, solved


def test_points_are_those_deserved(graded: Path) -> None:
    assert sum(gradebook_points(graded, EXERCISE, "student-01").values()) == 30
    assert sum(gradebook_points(graded, EXERCISE, "student-02").values()) == 0
    assert gradebook_points(graded, EXERCISE, "student-03")["partials"] == 0
    assert sum(gradebook_points(graded, EXERCISE, "student-04").values()) == 0
    assert sum(gradebook_points(graded, EXERCISE, "student-05").values()) == 26


def test_nothing_is_run_twice_without_a_reason(course: Path) -> None:
    assert {done.state for done in run_class(course, Nobody).values()} == {"unchanged"}
    os.utime(course / "gradebook" / "submitted" / "student-01" / EXERCISE / f"{EXERCISE}.ipynb")
    assert {done.state for done in run_class(course, Nobody).values()} == {"unchanged"}


def test_a_changed_submission_is_run_whatever_its_time_says(course: Path) -> None:
    path = hand_in(course, "student-02", EXERCISE, as_bytes(solved(EXERCISE))) / f"{EXERCISE}.ipynb"
    os.utime(path, (0, 0))
    states = {student: done.state for student, done in run_class(course).items()}
    assert states == dict.fromkeys(CLASS, "unchanged") | {"student-02": "graded"}
    assert sum(gradebook_points(course, EXERCISE, "student-02").values()) == 30


def test_a_manual_score_survives(course: Path) -> None:
    with Gradebook(f"sqlite:///{course}/gradebook/gradebook.db") as gradebook:
        grade = gradebook.find_grade("check_partials", EXERCISE, EXERCISE, "student-03")
        grade.manual_score = 2.5
        gradebook.db.commit()
    run_class(course, force=True)
    with Gradebook(f"sqlite:///{course}/gradebook/gradebook.db") as gradebook:
        grade = gradebook.find_grade("check_partials", EXERCISE, EXERCISE, "student-03")
        assert (grade.manual_score, grade.score, grade.needs_manual_grade) == (2.5, 2.5, False)


@proof
def test_the_logger_that_all_converters_share_is_as_loud_as_before(course: Path) -> None:
    shared = logging.getLogger("traitlets")
    shared.setLevel(logging.INFO)
    run_class(course, force=True)
    assert (shared.level, shared.filters) == (logging.INFO, [])
    shared.setLevel(logging.NOTSET)


def test_a_later_hand_in_of_the_same_notebook_is_penalised_and_not_run(course: Path) -> None:
    with Gradebook(f"sqlite:///{course}/gradebook/gradebook.db") as gradebook:
        gradebook.update_or_create_assignment(EXERCISE, duedate="2026-01-01 12:00:00")
    (hand_in(course, "student-01", EXERCISE, CLASS["student-01"]) / "timestamp.txt").write_text("2026-01-02 12:00:00")
    with (course / "nbgrader_config.py").open("a") as config:
        config.write('\nc.LateSubmissionPlugin.penalty_method = "zero"\n')
    assert run_class(course)["student-01"].state == "judged"
    assert rows(course, EXERCISE)["student-01"][-1] == 30


def test_a_corrected_check_judges_stored_answers(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--diff` says what would change and writes nothing; `--rejudge` writes it; no student code runs."""
    from autograder.checks.catalogue import find_task
    from autograder.classroom import run as run_module

    monkeypatch.setattr("autograder.classroom.worker.NotebookRun", None)
    monkeypatch.setattr(run_module, "judging_digest", lambda: "other checks")
    monkeypatch.setattr(find_task("partials"), "tolerance", Tolerance(absolute=1e13))
    before = rows(course, EXERCISE)
    done = run_class(course, rejudge=True, write=False)
    assert rows(course, EXERCISE) == before
    assert {one.state for student, one in done.items() if student != "student-04"} == {"judged"}
    changed = [
        (student, verdict["task"], old["points"], verdict["points"])
        for student, one in done.items()
        for verdict, old in zip(one.verdicts, one.before, strict=True)
        if verdict["points"] != old["points"]
    ]
    assert changed == [("student-03", "partials", 0, 3)]
    assert {one.state for one in run_class(course).values()} == {"unchanged"}
    assert all(one.outdated for one in run_class(course).values())
    run_class(course, rejudge=True, reason="the tolerance was too narrow")
    assert gradebook_points(course, EXERCISE, "student-03")["partials"] == 3
    assert not any(one.outdated for one in run_class(course).values())


@proof
def test_a_locked_database_is_waited_for(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program, the formgrader say, holds the lock longer than SQLite's own patience of 5 s."""
    course = copy_of(template, tmp_path)
    for student in list(CLASS)[1:]:
        shutil.rmtree(course / "gradebook" / "submitted" / student)
    other = sqlite3.connect(course / "gradebook" / "gradebook.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    held = threading.Timer(8.0, lambda: other.execute("ROLLBACK"))
    held.start()
    done = run_class(course)["student-01"]
    assert done.state == "graded", done.reason
    held.join()
    assert sum(gradebook_points(course, EXERCISE, "student-01").values()) == 30


class PowerCutError(BaseException):
    """Nothing after it runs."""


@pytest.mark.parametrize("at", one_of_each(range(1, 10), type))
def test_a_power_cut_at_any_write_loses_nothing(at: int, graded: Path, template: Path, tmp_path: Path) -> None:
    course = copy_of(template, tmp_path)
    shutil.copy(graded / "gradebook" / "secret_seed", course / "gradebook")
    for student in ("student-02", "student-04", "student-05"):
        shutil.rmtree(course / "gradebook" / "submitted" / student)
    count = 0

    def cut(original: Callable) -> Callable:
        def writing(*args: Any, **kwargs: Any) -> Any:
            nonlocal count
            count += 1
            if count == at:
                raise PowerCutError
            return original(*args, **kwargs)

        return writing

    with (
        mock.patch.object(whole_files.os, "replace", cut(os.replace)),
        mock.patch.object(AssignmentRows, "write", cut(AssignmentRows.write)),
        mock.patch.object(Recorder, "record", cut(Recorder.record)),
        pytest.raises(PowerCutError),
    ):
        run_class(course)
    run_class(course)
    for student in ("student-01", "student-03"):
        assert rows(course, EXERCISE)[student] == rows(graded, EXERCISE)[student]
        assert autograded(course, student, EXERCISE) == autograded(graded, student, EXERCISE)
    assert not list((course / "gradebook").rglob(".writing-*"))


@proof
def test_killed_at_random_moments_it_ends_as_if_uninterrupted(graded: Path, template: Path, tmp_path: Path) -> None:
    """kill -9 of the command and all its workers, then Ctrl-C, then to the end."""
    course = copy_of(template, tmp_path)
    shutil.copy(graded / "gradebook" / "secret_seed", course / "gradebook")
    source = random.Random(1)
    for number, written in ((signal.SIGKILL, 1), (signal.SIGINT, 2)):
        process = start_grading(course, EXERCISE)
        wait_for_results(course, written, process)
        time.sleep(source.uniform(0, 0.2))
        os.killpg(process.pid, number)
        process.communicate(timeout=60)
    process = start_grading(course, EXERCISE)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 0, said
    assert rows(course, EXERCISE) == rows(graded, EXERCISE)
    for student in CLASS:
        assert autograded(course, student, EXERCISE) == autograded(graded, student, EXERCISE)


@proof
@pytest.mark.parametrize("grading", [False, True])
def test_what_the_command_started_ends_with_it(grading: bool, template: Path, tmp_path: Path) -> None:
    """kill -9 of the command alone: while it starts, and while it grades."""
    course = copy_of(template, tmp_path)
    process = start_grading(course, EXERCISE)
    wait_for_results(course, int(grading), process)
    while len(started := psutil.Process(process.pid).children(recursive=True)) < 5 and process.poll() is None:
        time.sleep(0.05)  # two workers with a supervisor each, and what forks them
    assert len(started) >= 5
    process.kill()
    process.communicate(timeout=60)
    assert not psutil.wait_procs(started, timeout=120)[1]


class Fragile(Here):
    """A pool whose processes are killed when they get their second job."""

    made = 0

    def __init__(self) -> None:
        Fragile.made += 1
        self.jobs = 0

    def submit(self, function: Callable, /, *args: Any, **kwargs: Any) -> Future:
        self.jobs += 1
        if self.jobs == 2:
            future: Future = Future()
            future.set_exception(BrokenExecutor("killed"))
            return future
        return super().submit(function, *args, **kwargs)


def test_killed_workers_are_replaced(template: Path, graded: Path, tmp_path: Path) -> None:
    course = copy_of(template, tmp_path)
    assert {done.state for done in run_class(course, Fragile).values()} == {"graded"}
    assert Fragile.made == 2
    assert {student: found[:7] for student, found in rows(course, EXERCISE).items()} == {
        student: found[:7] for student, found in rows(graded, EXERCISE).items()
    }


NO_SCORES = {"automatic": {}, "waits": [], "comments": {}, "answers": {}}
NONSENSE = {
    "no bytes": b"",
    "noise": bytes(range(256)),
    "nothing": JobResult().pack(),
    "a score that is no number": JobResult(scores=NO_SCORES | {"automatic": {"check_partials": "3"}}).pack(),
    "no scores": JobResult(notebook=b"{}").pack(),
    "verdicts that are none": JobResult(scores=NO_SCORES, verdicts=[{"points": None}]).pack(),
    "something else than verdicts": JobResult(scores=NO_SCORES, verdicts=None).pack(),
    "seconds in words": JobResult(scores=NO_SCORES, seconds="soon").pack(),
    "a tier that is none": JobResult(scores=NO_SCORES, tier="z").pack(),
}


@pytest.mark.parametrize("sent", NONSENSE)
def test_a_worker_that_sends_nonsense_costs_one_submission(sent: str, course: Path) -> None:
    class Confused(Here):
        jobs = 0

        def submit(self, function: Callable, /, *args: Any, **kwargs: Any) -> Future:
            Confused.jobs += 1
            return super().submit(*((lambda: NONSENSE[sent],) if Confused.jobs == 1 else (function, *args)), **kwargs)

    before = rows(course, EXERCISE)
    done = run_class(course, Confused, rejudge=True, force=True)
    assert [student for student, one in done.items() if one.state == "failed"] == ["student-01"]
    assert done["student-01"].reason
    assert rows(course, EXERCISE) == before
    summary = Summary()
    for one in done.values():
        summary.add(one)
    summary.show(Console(file=io.StringIO()), 1.0)
    assert summary.failures(EXERCISE) == ["student-01"]


def test_two_runs_at_a_time_are_refused(course: Path) -> None:
    with inside(course):
        run = ClassRun(Course(), RunOptions(), Here)
        with run.store.only_one():
            done = subprocess.run(
                [sys.executable, "-m", "autograder.command_line", "grade"], capture_output=True, text=True
            )
    assert done.returncode == 2
    assert done.stderr == "autograder grade: another `autograder grade` is running on this course: wait until it ends\n"


def test_an_unknown_assignment_is_named(course: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "autograder.command_line", "grade", "99_none"],
        cwd=course,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "nbgrader generate_assignment 99_none" in done.stderr


def test_a_student_of_whom_nothing_is_there_is_named(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(course)
    Course().require(["student-01"])
    with pytest.raises(CourseError, match=r"handed in by 'student-011' \(did you mean 'student-01'\?\)"):
        Course().require(["student-01", "student-011"])


def test_a_defect_of_ours_costs_one_submission_and_is_said(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any) -> None:
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr("autograder.classroom.worker.conclude", broken)
    before = rows(course, EXERCISE)
    notebook = solved(EXERCISE)
    cell_of(notebook, "partials").source += "\n# changed"
    hand_in(course, "student-01", EXERCISE, as_bytes(notebook))
    done = run_class(course)
    assert done["student-01"].state == "failed"
    assert "please report it: ZeroDivisionError: a defect (test_" in done["student-01"].reason.splitlines()[-1]
    assert rows(course, EXERCISE) == before


def test_scores_are_written_all_or_none(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """nbgrader commits after each cell; scoring that ends between two leaves no mixture of old and new."""
    from nbgrader.utils import determine_grade

    cells = []

    def stopped(cell: Any, *arguments: Any) -> tuple:
        cells.append(cell)
        if len(cells) % 4 == 0:
            raise OSError("in the middle")
        return 0.5, determine_grade(cell, *arguments)[1]

    monkeypatch.setattr("nbgrader.utils.determine_grade", stopped)
    before = rows(course, EXERCISE)
    done = run_class(course, force=True)
    assert {one.state for one in done.values()} == {"failed"}
    assert all("OSError: in the middle" in one.reason for one in done.values())
    assert len(cells) >= 4
    assert rows(course, EXERCISE) == before
    assert "NBGRADER_EXECUTION" not in os.environ


@proof
def test_a_worker_does_not_collect_what_it_shares() -> None:
    """A collection writes to each object, and so copied 47 MiB of the process from which a worker is forked."""
    with Cores(1).open() as pool:
        assert pool.submit(gc.get_freeze_count).result() > 0


def test_what_another_grader_removed_meanwhile_is_written_again() -> None:
    left = [RaceError("gone"), RaceError("gone")]

    def write() -> str:
        if left:
            raise left.pop()
        return "written"

    assert retry(write, print) == "written"
