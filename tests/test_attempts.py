"""Attempts at tasks in the student's record: until the first full points, never in a check's way."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder import attempts, notebook, record
from autograder.attempts import first_tries, note_attempt
from autograder.notebook import check

RIGHT = "def partials(x, w, b):\n    g = float(x * w + b > 0)\n    return dict(x=g * w, w=g * x, b=g, u=g, v=g)\n"
SWAPPED = RIGHT.replace("x=g * w, w=g * x", "x=g * x, w=g * w")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(record.FOLDER, str(tmp_path / "kept"))
    return tmp_path / "kept"


def checked(monkeypatch: pytest.MonkeyPatch, source: str) -> float | None:
    """The points of a check in a notebook that defines this."""
    namespace: dict = {}
    exec(compile(source, "<cell>", "exec"), namespace)
    monkeypatch.setattr(notebook, "_namespace", lambda: namespace)
    return check("partials")


def noted() -> list[tuple]:
    return [(one["task"], one["points"], one["maximum"], one["mistakes"]) for one in record.events("attempt")]


def test_checks_are_noted_until_the_first_full_points(monkeypatch: pytest.MonkeyPatch) -> None:
    checked(monkeypatch, "")
    checked(monkeypatch, "def partials(x, w, b):\n    raise NotImplementedError")
    assert noted() == []
    checked(monkeypatch, SWAPPED)
    ((task, points, maximum, (mistake,)),) = noted()
    assert (task, points, maximum) == ("partials", 1, 3)
    assert isinstance(mistake, str)
    checked(monkeypatch, RIGHT)
    checked(monkeypatch, SWAPPED)
    assert noted()[1:] == [("partials", 3, 3, [])]


def test_what_an_earlier_session_solved_is_not_noted_again() -> None:
    record.note("attempt", task="t", points=2, maximum=2, mistakes=[])
    note_attempt("t", 1, 2, [])
    note_attempt("other", 1, 2, [])
    assert [one[0] for one in noted()] == ["t", "other"]


def test_first_tries_are_told_from_later_ones() -> None:
    for points, task in ((1, "slow"), (2, "slow"), (2, "quick"), (0, "slow")):
        record.note("attempt", task=task, points=points, maximum=2, mistakes=[])
    record.note("attempt", task="broken", points="2", maximum=2, mistakes=[])
    assert first_tries() == {"slow": False, "quick": True}
    assert len(list(attempts.attempts())) == 3


def test_validating_notes_nothing(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    checked(monkeypatch, RIGHT)
    assert not folder.exists()


def test_a_record_that_fails_disturbs_no_check(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **named: object) -> None:
        raise RuntimeError("no home")

    monkeypatch.setattr(record, "note", fail)
    assert checked(monkeypatch, RIGHT) == 3
