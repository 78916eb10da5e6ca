"""All exercises of the course, handed in and graded by one command."""

from __future__ import annotations

from pathlib import Path

from autograder.checks.catalogue import exercises, tasks_of
from benchmarks.classes import new_class
from tests.course import gradebook_points, hand_in, start_grading
from tests.depth import proof
from tests.submissions import as_bytes, released

pytestmark = proof


def test_a_class_on_all_exercises(tmp_path: Path) -> None:
    first, *others = exercises()
    course = new_class(tmp_path / "course", first, 1, *others)
    for exercise in exercises():
        hand_in(course, "student-9999", exercise, as_bytes(released(exercise)))
    process = start_grading(course, *exercises())
    said, _ = process.communicate(timeout=500)
    assert process.returncode == 0, said
    assert f"{2 * len(exercises())} graded" in said
    for exercise in exercises():
        full = {task.name: task.points for task in tasks_of(exercise).values()}
        assert gradebook_points(course, exercise, "student-0000") == full
        assert gradebook_points(course, exercise, "student-9999") == dict.fromkeys(full, 0)
