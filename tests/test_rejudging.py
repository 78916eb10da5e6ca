"""Judging anew runs no student code but where a question is new, and says so before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autograder.checks import task as declarations
from autograder.checks.catalogue import find_task
from autograder.classroom import run as run_module
from autograder.classroom import worker
from tests.class_runs import CLASS, run_class
from tests.course import gradebook_points
from tests.depth import proof

RUNNABLE = 4
"""Submissions that are notebooks."""


def contents(course: Path) -> dict[Path, bytes]:
    """Every file of the gradebook."""
    return {path: path.read_bytes() for path in (course / "gradebook").rglob("*") if path.is_file()}


@pytest.fixture
def other_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checks are others than when the class was graded."""
    monkeypatch.setattr(declarations, "_drawn", {})
    monkeypatch.setattr(run_module, "judging_digest", lambda: "other checks")


@pytest.fixture
def new_question(other_checks: None) -> Any:
    """A check draws one more question."""
    check = find_task("partials").checks[0]
    object.__setattr__(check, "draws", check.draws + 1)
    yield
    object.__setattr__(check, "draws", check.draws - 1)


@proof
@pytest.mark.usefixtures("other_checks")
def test_a_reworded_title_runs_and_writes_nothing(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check = find_task("partials").checks[0]
    title = check.title
    monkeypatch.setattr(worker, "NotebookRun", None)
    object.__setattr__(check, "title", "a title in other words")
    try:
        before, told = contents(course), []
        done = run_class(course, say=told.append, rejudge=True, write=False)
        assert contents(course) == before
        assert {one.state for one in done.values()} == {"judged"}
        assert not told
        run_class(course, say=told.append, rejudge=True)
        assert not told
    finally:
        object.__setattr__(check, "title", title)
    record = (
        course / "gradebook" / "results" / "01_scalar_graphs" / "student-01" / "01_scalar_graphs.json"
    ).read_text()
    assert "a title in other words" in record


@proof
@pytest.mark.usefixtures("new_question")
def test_a_difference_is_shown_without_running_anything(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "NotebookRun", None)
    before, told = contents(course), []
    done = run_class(course, say=told.append, rejudge=True, write=False)
    assert contents(course) == before
    left_out = {student for student, one in done.items() if one.state == "without answers"}
    assert left_out == set(CLASS) - {"student-04"}
    (sentence,) = told
    assert sentence.startswith(f"{RUNNABLE} of {len(CLASS)} submissions have no kept answers to today's questions")
    assert "left out" in sentence


@proof
@pytest.mark.usefixtures("new_question")
def test_what_is_asked_to_be_run_for_a_difference_writes_nothing(course: Path) -> None:
    before = contents(course)
    done = run_class(course, rejudge=True, write=False, force=True)
    assert contents(course) == before
    assert {one.state for one in done.values()} == {"graded"}


@proof
@pytest.mark.usefixtures("new_question")
def test_what_has_to_be_run_is_said_before(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[str] = []
    original = worker.NotebookRun

    def running(*arguments: Any) -> Any:
        events.append("run")
        return original(*arguments)

    monkeypatch.setattr(worker, "NotebookRun", running)
    done = run_class(course, say=events.append, rejudge=True)
    assert events[1:] == ["run"] * RUNNABLE
    assert events[0].startswith(f"{RUNNABLE} of {len(CLASS)} submissions have no kept answers")
    assert {one.state for student, one in done.items() if student != "student-04"} == {"graded"}
    assert sum(gradebook_points(course, "01_scalar_graphs", "student-01").values()) == 30
