"""An older gradebook.db that is put back loses no due date and no points by hand without a word."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace

import pytest
from nbgrader.api import Gradebook
from traitlets.config import Configurable

from autograder.classroom.course import Course
from autograder.command_line import main
from autograder.exports.grades_csv import Grades
from autograder.exports.moodle import Moodle
from autograder.nbgrader_plugin.readiness import make_ready
from autograder.standings.last_seen import LastSeen, report_differences
from autograder.student_data.stored import places
from tests.test_current_standings import DUE, LATER, NAME, STUDENT, Class, done, older_gradebook, one, template  # noqa: F401
from tests.test_exports import export

GIVEN = f"{NAME}: points given by hand are not those that were last seen, in "
TOLD = f"{GIVEN}1: {STUDENT} essay (5, now none): put a newer gradebook.db back, or give them again"


@pytest.fixture
def back(one: Class) -> Callable[[], None]:  # noqa: F811
    """Handed in and graded; then a gradebook is kept, to be put back after points were given."""
    one.hands_in()
    one.is_graded()
    return older_gradebook(one)


def seen(course: Class) -> LastSeen:
    with Gradebook(course.config.CourseDirectory.db_url) as gradebook:
        return LastSeen(gradebook, course.directory, NAME)


def looked(course: Class) -> list[str]:
    with Gradebook(course.config.CourseDirectory.db_url) as gradebook:
        return report_differences(gradebook, course.directory, NAME)


def changed(course: Class, extra: float | None = None, due: str | None = None, days: int = 0) -> None:
    with Gradebook(course.config.CourseDirectory.db_url) as gradebook:
        gradebook.find_grade("check_sums", NAME, NAME, STUDENT).extra_credit = extra
        gradebook.update_or_create_assignment(NAME, duedate=due)
        gradebook.find_submission(NAME, STUDENT).extension = timedelta(days=days) if days else None
        gradebook.db.commit()


def test_points_that_are_gone_are_told_until_somebody_takes_note(one: Class, back: Callable) -> None:  # noqa: F811
    one.is_given("essay", 5)
    assert looked(one) == []
    back()
    assert seen(one).differences() == [TOLD]
    for _ in range(2):
        assert looked(one) == [f"{TOLD}; if that is right, `autograder grade {NAME}` takes note of it"]
    seen(one).keep()
    assert looked(one) == []
    one.is_given("essay", 5)
    one.is_given("essay", 3)
    assert looked(one) == []  # what was never seen is not missed
    one.is_given("essay", 4)
    assert looked(one)[0].startswith(f"{GIVEN}1: {STUDENT} essay (3, now 4): ")
    assert looked(one) == []  # it was seen once
    one.is_given("essay", 3)
    for _ in range(2):  # as it was before
        assert looked(one)[0].startswith(f"{GIVEN}1: {STUDENT} essay (4, now 3): ")


def test_all_that_stands_in_the_database_alone_is_told(one: Class, back: Callable) -> None:  # noqa: F811
    one.is_given("essay", 0)
    changed(one, extra=2.0, due=LATER, days=1)
    assert looked(one) == []
    back()
    points, due = seen(one).differences()
    assert points.startswith(
        f"{GIVEN}3: {STUDENT} sums extra credit (2, now none), {STUDENT} essay (0, now none), "
        f"{STUDENT} hours of extension (24, now none): put a newer"
    )
    assert due == (
        f"{NAME}: the due date was 2026-01-04 11:00:00 UTC when it was last seen, and is 2026-01-01 11:00:00 UTC now"
    )
    changed(one)
    assert seen(one).differences()[1].endswith("and is none now")


def test_another_due_date_is_told_until_a_class_run_takes_note(one: Class, back: Callable) -> None:  # noqa: F811
    changed(one, due=LATER)
    seen(one).keep()
    back()
    for _ in range(2):  # a table shows it, then an export: the second must not be silent
        assert "the due date was 2026-01-04" in " ".join(looked(one))
    seen(one).keep()
    assert looked(one) == []


def test_many_are_counted_and_some_are_named(one: Class, back: Callable) -> None:  # noqa: F811
    results = one.course / "gradebook" / "results" / NAME
    for number in range(1, 16):
        (results / f"student-{number:02}").mkdir(parents=True)
        (results / f"student-{number:02}" / "by_hand.seen").write_text(json.dumps({"essay": [number]}))
    (results / "student-02" / "by_hand.seen").write_text("{ damaged")
    (told,) = seen(one).differences()
    assert told.startswith(f"{GIVEN}14: {STUDENT} essay (1, now none), student-03 essay")
    assert "student-13 essay (13, now none) and 2 more: put a newer" in told


def test_what_is_kept_of_a_student_goes_with_the_student(one: Class, back: Callable) -> None:  # noqa: F811
    one.is_given("essay", 5)
    looked(one)
    assert one.course / "gradebook" / "results" / NAME / STUDENT in places(Course(one.course), STUDENT)


def test_every_command_that_shows_points_tells_it(
    one: Class,  # noqa: F811
    back: Callable,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.chdir(one.course)
    monkeypatch.setenv("COLUMNS", "400")
    one.is_given("essay", 5)
    assert main(["scores", NAME]) == 0
    assert GIVEN not in capsys.readouterr().out
    back()
    assert main(["scores", NAME]) == 0
    assert TOLD in capsys.readouterr().out
    assert TOLD in export(one.course, Moodle)
    one.page()
    assert TOLD in caplog.text
    course = one.directory
    course.assignment_id = NAME
    caplog.clear()
    make_ready(SimpleNamespace(coursedir=course, config=one.config, log=logging.getLogger("nbgrader")))
    assert TOLD in caplog.text
    caplog.clear()
    app = Configurable()
    app.coursedir = course
    with Gradebook(one.config.CourseDirectory.db_url) as gradebook:
        Grades(parent=app, log=logging.getLogger("nbgrader")).export(gradebook)
    assert TOLD in caplog.text
    monkeypatch.setattr("autograder.classroom.run.ClassRun.grade", lambda *_: iter(()))  # nobody's work is in the way
    assert main(["grade", NAME, "--diff"]) == 0
    assert TOLD in " ".join(capsys.readouterr().out.split())
    assert main(["grade", NAME]) == 0
    assert TOLD in " ".join(capsys.readouterr().out.split())
    assert main(["grade", NAME]) == 0
    assert GIVEN not in capsys.readouterr().out
    assert looked(one) == []
