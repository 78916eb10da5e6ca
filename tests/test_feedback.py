"""`autograder feedback`: the pages of `nbgrader generate_feedback` to the byte; one that fails costs one student."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autograder.command_line import main
from tests.class_runs import CLASS, EXERCISE, inside
from tests.course import nbgrader


def pages(course: Path) -> dict[str, tuple[int, bytes]]:
    folder = course / "gradebook" / "feedback"
    return {
        str(path.relative_to(folder)): (path.stat().st_mode, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_pages_are_nbgraders(course: Path, capfd: pytest.CaptureFixture[str]) -> None:
    nbgrader(course, "generate_feedback", EXERCISE)
    expected = pages(course)
    shutil.rmtree(course / "gradebook" / "feedback")
    with inside(course):
        assert main(["feedback", EXERCISE, "--workers", "2"]) == 0
    assert pages(course) == expected
    assert {name.split("/")[0] for name in expected} == set(CLASS)
    said = capfd.readouterr().out
    assert f"{EXERCISE}: pages of {len(CLASS)} students, 0 failed" in said


def test_a_page_that_cannot_be_made_costs_one_student(course: Path, capfd: pytest.CaptureFixture[str]) -> None:
    broken = course / "gradebook" / "autograded" / "student-02" / EXERCISE / f"{EXERCISE}.ipynb"
    broken.chmod(0o644)
    broken.write_text("{ not a notebook")
    with inside(course):
        assert main(["feedback", EXERCISE, "--workers", "2"]) == 1
    assert {name.split("/")[0] for name in pages(course)} == set(CLASS) - {"student-02"}
    said = capfd.readouterr().out
    assert "No page for student-02: " in said
    assert f"pages of {len(CLASS) - 1} students, 1 failed" in said


def test_what_nobody_handed_in_has_no_pages(course: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with inside(course):
        assert main(["feedback", "99_none"]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("autograder feedback: No notebooks were matched by")
