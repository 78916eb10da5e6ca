"""A class of strange files, graded as a class is: each gets its points, and its graded copy can be read."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest

from autograder.classroom.course import Course
from autograder.classroom.done import Done
from autograder.classroom.executors import Cores
from autograder.classroom.run import ClassRun
from autograder.classroom.run_options import RunOptions
from tests.course import gradebook_points, hand_out, nbgrader, new_course
from tests.depth import proof
from tests.hostile import EXERCISE
from tests.hostile.notebooks import FILES, HostileFile

IN_MAKE_TEST = ("honest", "bytes_that_are_no_text", "half_characters_in_answers", "metadata_of_every_shape")


@pytest.fixture(scope="module")
def graded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Done]]:
    """The course, and what became of each file that this run of the tests asks about; of all, if it asks about none."""
    course = new_course(tmp_path_factory.mktemp("course"))
    params = [
        item.callspec.params
        for item in request.session.items
        if item.module is request.module and hasattr(item, "callspec")
    ]
    for number, one in [(one["number"], one["one"]) for one in params] or enumerate(FILES, start=1):
        folder = course / "gradebook" / "submitted" / f"student-{number:02}" / EXERCISE
        folder.mkdir(parents=True)
        (folder / f"{EXERCISE}.ipynb").write_bytes(one.make())
    hand_out(course)
    before = Path.cwd()
    os.chdir(course)
    try:
        run = ClassRun(Course(), RunOptions(), Cores(1))
        done = {one.submission.student: one for one in run.grade(EXERCISE, print)}
    finally:
        os.chdir(before)
    return course, done


@pytest.mark.parametrize(
    ("number", "one"),
    [pytest.param(*each, marks=() if each[1].name in IN_MAKE_TEST else proof) for each in enumerate(FILES, start=1)],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_file_gets_what_it_deserves(number: int, one: HostileFile, graded: tuple[Path, dict[str, Done]]) -> None:
    course, done = graded
    student = f"student-{number:02}"
    assert done[student].state == "graded", done[student].reason
    assert gradebook_points(course, EXERCISE, student) == one.points
    copy = course / "gradebook" / "autograded" / student / EXERCISE / f"{EXERCISE}.ipynb"
    nbformat.validate(nbformat.read(copy, as_version=4))


@proof
def test_feedback_is_made_for_all(graded: tuple[Path, dict[str, Done]]) -> None:
    course, _ = graded
    nbgrader(course, "generate_feedback", EXERCISE)
    pages = list((course / "gradebook" / "feedback").rglob("*.html"))
    assert len(pages) == len(graded[1])
    assert all(b"student" in page.read_bytes() or page.stat().st_size for page in pages)
