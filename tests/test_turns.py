"""Graders of one submission take turns: whoever comes second waits until the first has written it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from nbgrader.converters import Autograde

from autograder.classroom.course import Course
from autograder.gradebook_access import turns
from autograder.gradebook_access.turns import Turns
from tests.class_runs import EXERCISE, run_class
from tests.course import autograded, hand_in, hand_out, new_course, rows
from tests.depth import proof
from tests.submissions import as_bytes, solved

STUDENT = "student-01"
PARTS = (STUDENT, EXERCISE)


def by_nbgrader(course: Path) -> None:
    """Grade the submission as the formgrader's button does."""
    found = Course(course)
    found.directory.student_id, found.directory.assignment_id = STUDENT, EXERCISE
    Autograde(coursedir=found.directory, config=found.config, force=True, create_student=True).start()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Is set when somebody waits for a turn."""
    waits, passed = threading.Event(), threading.Event()
    monkeypatch.setattr(turns, "_pause", lambda: (waits.set(), passed.wait(0.01)))
    return waits


def test_turns_are_for_one_submission_and_end(tmp_path: Path, waits: threading.Event) -> None:
    for student in ("student-01", "student-02"):
        (tmp_path / student / EXERCISE).mkdir(parents=True)
    first, second = Turns(tmp_path), Turns(tmp_path)
    with first.held([PARTS, PARTS]):
        second.take([("student-02", EXERCISE)])
        assert not waits.is_set()
        other = threading.Thread(target=second.take, args=([PARTS],))
        other.start()
        assert waits.wait(60)
        assert other.is_alive()
    other.join(60)
    assert not other.is_alive()
    second.give_back()


def test_what_cannot_be_locked_has_no_turns(tmp_path: Path, waits: threading.Event) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / STUDENT).mkdir()
    (tmp_path / STUDENT / EXERCISE).symlink_to(tmp_path / "elsewhere")
    with Turns(tmp_path).held([PARTS]), Turns(tmp_path).held([PARTS, ("student-02", EXERCISE)]):
        assert not waits.is_set()


def test_who_fails_and_forgets_a_turn_holds_nobody_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "LONGEST_WAIT", 0.1)
    (tmp_path / STUDENT / EXERCISE).mkdir(parents=True)
    with Turns(tmp_path).held([PARTS]), Turns(tmp_path).held([PARTS]):
        pass


@pytest.mark.parametrize("grade", [by_nbgrader, run_class])
def test_a_grader_writes_nothing_before_its_turn(
    grade: Callable[[Path], object], tmp_path: Path, waits: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = new_course(tmp_path / "course")
    hand_in(course, STUDENT, EXERCISE, as_bytes(solved(EXERCISE)))
    hand_out(course)
    monkeypatch.chdir(course)
    grader = threading.Thread(target=grade, args=(course,))
    with Turns(course / "gradebook" / "submitted").held([PARTS]):
        grader.start()
        assert waits.wait(120)
        assert not rows(course, EXERCISE)
        assert not list(course.glob("gradebook/autograded/*/*/*"))
    grader.join(300)
    assert not grader.is_alive()
    assert rows(course, EXERCISE)[STUDENT]
    assert autograded(course, STUDENT, EXERCISE)
    with Turns(course / "gradebook" / "submitted").held([PARTS]):
        pass


@proof
def test_a_conversion_that_fails_ends_its_turn_and_leaves_no_trace(
    tmp_path: Path, waits: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = new_course(tmp_path / "course")
    hand_in(course, STUDENT, EXERCISE, as_bytes(solved(EXERCISE)))
    hand_out(course)
    monkeypatch.chdir(course)

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr("autograder.nbgrader_plugin.execution.Grade.preprocess", fail)
    with pytest.raises(Exception, match="above"):
        by_nbgrader(course)
    assert "NBGRADER_EXECUTION" not in os.environ
    with Turns(course / "gradebook" / "submitted").held([PARTS]):
        assert not waits.is_set()
