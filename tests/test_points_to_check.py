"""The summary of a class run names points by hand that are out of range, and questions that were left empty."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from rich.console import Console

from autograder.classroom.summary import Summary
from autograder.standings.open_cells import open_cells
from autograder.standings.points_to_check import points_to_check
from autograder.standings.standing import standings
from tests.test_current_standings import NAME, Class, template  # noqa: F401  (a fixture)

WHO = [f"student-{number:02}" for number in range(1, 18)]
GIVEN = (
    {
        # id: points of the check, by hand for it, extra credit, points of the essay: automatic, by hand
        "student-01": (15.0, -1.0, None, None, 6.0),
        "student-02": (15.0, None, None, None, 7.5),
        "student-03": (15.0, None, 2.0, None, 6.0),  # extra credit has a place of its own
        "student-04": (15.0, None, -3.0, None, 0.0),
    }
    | {student: (0.0, None, None, 0.0, None) for student in WHO[4:]}
)


@pytest.fixture
def course(template: Path, tmp_path: Path) -> Class:  # noqa: F811
    """A class with points of all kinds; those from student-05 on left the question empty."""
    shutil.copytree(template, tmp_path / "course")
    made = Class(tmp_path / "course")
    with Gradebook(made.config.CourseDirectory.db_url) as gradebook:
        for student, (check, by_hand, extra, automatic, written) in GIVEN.items():
            gradebook.update_or_create_student(student)
            for grade in gradebook.add_submission(NAME, student).notebooks[0].grades:
                test = grade.cell.name == "check_sums"
                grade.auto_score, grade.manual_score = (check, by_hand) if test else (automatic, written)
                grade.extra_credit, grade.needs_manual_grade = extra if test else None, False
        gradebook.db.commit()
    return made


def test_they_are_named(course: Class) -> None:
    summary, text = Summary(), io.StringIO()
    with Gradebook(course.config.CourseDirectory.db_url) as gradebook:
        summary.gradebook.check(NAME, points_to_check(gradebook, NAME))
        assert not list(points_to_check(gradebook, NAME, ["student-03"]))
        assert [name for name, _ in points_to_check(gradebook, NAME, ["student-02", "student-01"], WHO[:1])] == [WHO[1]]
    summary.show(Console(file=text, width=250), 1.0)
    assert (
        f"worth:\n  {NAME}: sums: student-01: -1 of 15\n  {NAME}: essay: student-02: 7.5 of 6\n"
        f"  {NAME}: sums: student-04: -3 extra credit\n"
    ) in text.getvalue()
    assert f"handed out, which count 0:\n  {NAME}: essay: {', '.join(WHO[4:16])} and 1 more\n" in text.getvalue()


def test_the_table_gives_the_reason(course: Class) -> None:
    with Gradebook(course.config.CourseDirectory.db_url) as gradebook:
        found = {one.student: one for one in standings(gradebook, course.directory, NAME)}
    said = {name: {cell.task: cell.why for cell in found[name].cells} for name in WHO}
    assert said["student-01"]["sums"] == "given by hand, 15 by the check. -1 of 15, which is out of range"
    assert said["student-02"]["essay"] == "given by hand. 7.5 of 6, which is out of range"
    assert said["student-05"]["essay"] == "left as it was handed out"


def test_a_question_that_waits_for_two_reasons_is_counted_once(course: Class) -> None:
    with Gradebook(course.config.CourseDirectory.db_url) as gradebook:
        for student in ("student-01", "student-02"):
            grade = gradebook.find_grade("essay", NAME, NAME, student)
            grade.needs_manual_grade = True
            grade.manual_score = None if student == "student-01" else 5.0
        gradebook.db.commit()
        assert open_cells(gradebook, NAME) == [f"{NAME}: essay: waits for a person in 2 submissions"]
