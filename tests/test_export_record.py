"""`autograder export-record`: shown whole, written only after a yes in a terminal, without whoever it is about."""

from __future__ import annotations

import json
import math
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder import record
from autograder.attempts import note_attempt
from autograder.desk.record_export import contents
from tests import lesson_course
from tests.lesson_course import keep, noted

COMMAND = [sys.executable, "-m", "autograder.command_line", "export-record"]


@pytest.fixture(autouse=True)
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The course, and a record of one's own, with a prediction, an attempt, and names that are not the course's."""
    monkeypatch.setenv(record.FOLDER, str(tmp_path / "student-01"))
    monkeypatch.setenv("AUTOGRADER_COURSE", str(lesson_course.made(tmp_path / "course")))
    keep(noted("half", False, sure=3), noted("student-01", True), noted("third", True, 4, answer="student-01"))
    keep(noted("half", True, 5, review=True))
    note_attempt("double", 1, 2, ["added"])
    note_attempt("student-01", 1, 2, [])
    return tmp_path


def typed(text: str | None, *arguments: str) -> tuple[int, str]:
    """Exit status and text of the command; in a terminal, into which a text is typed, unless it is None."""
    ours, theirs = pty.openpty()
    try:
        if text is not None:
            os.write(ours, text.encode())
        stdin = subprocess.DEVNULL if text is None else theirs
        done = subprocess.run([*COMMAND, *arguments], stdin=stdin, capture_output=True, text=True, timeout=60)
    finally:
        os.close(ours)
        os.close(theirs)
    return done.returncode, done.stdout + done.stderr


def test_it_holds_days_and_no_name_path_or_time() -> None:
    found = contents()
    days = found["attempts"][0].pop("day")
    assert days > 0
    assert found["predictions"] == [
        {"day": 0, "which": "half", "answer": "2", "right": False, "sure": 3, "before": True, "review": False},
        {"day": 4, "which": "third", "answer": None, "right": True, "sure": 2, "before": True, "review": False},
        {"day": 5, "which": "half", "answer": "`3`", "right": True, "sure": 2, "before": True, "review": True},
    ]
    assert found["attempts"] == [{"task": "double", "points": 1, "maximum": 2, "mistakes": ["added"]}]
    assert set(found) == {"export", "predictions", "attempts"}
    assert contents()["export"] != found["export"]
    text = json.dumps(found)
    assert "student-01" not in text
    assert not re.search(r"\d\d:\d\d|20\d\d-|/", text)


def test_a_number_that_json_does_not_have_is_left_out() -> None:
    keep(noted("third", False, 6, answer=math.inf))
    found = contents()
    assert found["predictions"][-1]["answer"] is None
    json.dumps(found, allow_nan=False)


def test_it_shows_all_then_asks_then_writes(course: Path) -> None:
    file = course / "mine.json"
    status, said = typed("yes\n", str(file))
    assert status == 0
    assert file.read_text() in said
    assert f"made from your record, {record.path()}. Nothing was sent." in said
    status, said = typed("yes\n", str(file))
    assert status == 2
    assert "exists; name another file" in said


@pytest.mark.parametrize(
    ("text", "arguments", "status", "said"),
    [
        ("no\n", ["FILE"], 1, "Nothing was written."),
        (None, ["FILE"], 2, "there is no terminal to ask in: add --show to look"),
        (None, ["FILE", "--show"], 0, "Nothing was sent."),
        (None, [], 2, "name the file to write, or add --show"),
    ],
)
def test_nothing_is_written_without_a_yes(
    course: Path, text: str | None, arguments: list[str], status: int, said: str
) -> None:
    file = course / "mine.json"
    got = typed(text, *(str(file) if one == "FILE" else one for one in arguments))
    assert got[0] == status
    assert said in got[1]
    assert '"which": "half"' in got[1]
    assert not file.exists()


@pytest.mark.parametrize(
    ("folder", "said"), [("off", "AUTOGRADER_RECORD is off"), ("empty", "nothing is recorded yet in")]
)
def test_an_empty_record_is_said(folder: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(record.FOLDER, folder if folder == "off" else str(tmp_path / folder))
    status, text = typed(None, "--show")
    assert status == 2
    assert said in text


def test_attempts_alone_are_exported_where_the_lessons_are_not(course: Path) -> None:
    (course / "course" / "lessons").rename(course / "elsewhere")
    found = contents()
    assert found["predictions"] == []
    assert [one["task"] for one in found["attempts"]] == ["double"]
