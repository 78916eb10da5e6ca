"""A picture that no browser should be asked to show is missing from the graded copy of a submission, and only there."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from tests.course import hand_in, hand_out, nbgrader, new_course, start_grading
from tests.depth import proof
from tests.laborious_content import png
from tests.sample_class import EXERCISE
from tests.submissions import as_bytes, solved

BESIDE = {"large.png": 30_000, "deep/large.png": 30_000, "honest.png": 600}


@proof
@pytest.mark.parametrize("way", ["nbgrader autograde", "autograder grade"])
def test_a_picture_too_large_for_a_browser_is_removed_from_the_copy(tmp_path: Path, way: str) -> None:
    course = new_course(tmp_path / "course")
    hand_out(course)
    folder = hand_in(course, "student-01", EXERCISE, as_bytes(solved(EXERCISE)))
    elsewhere = course / "lessons" / "large.png"
    for path, side in [*((folder / name, side) for name, side in BESIDE.items()), (elsewhere, 30_000)]:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(base64.b64decode(png(side, side)))
    if way == "nbgrader autograde":
        nbgrader(course, "autograde", EXERCISE)
    else:
        assert start_grading(course, EXERCISE).wait(300) == 0
    copy = course / "gradebook" / "autograded" / "student-01" / EXERCISE
    assert [path.name for path in copy.rglob("*.png")] == ["honest.png"]
    assert all((folder / name).exists() for name in BESIDE)
    assert elsewhere.exists()
