"""No row of the gradebook stays as it is only because the submission did: what it holds is compared with the result."""

from __future__ import annotations

import contextlib
import io
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.plugins.latesubmission import LateSubmissionPlugin
from rich.console import Console

from autograder.classroom import run as run_module
from autograder.classroom.changes import changes
from autograder.classroom.done import Done
from autograder.classroom.summary import Summary
from tests.class_runs import CLASS, EXERCISE, Nobody, copy_of, run_class
from tests.course import db_url, hand_in, rows
from tests.depth import proof
from tests.submissions import as_bytes, remarked, solved

STALE = {
    "held other scores": "UPDATE grade SET auto_score = 0.5",
    "held another time of submission": "UPDATE submitted_assignment SET timestamp = '2020-01-01 00:00:00'",
    "missing": "",
}
LATE = """
c.AssignLatePenalties.plugin_class = "autograder.nbgrader_plugin.late_work.LateWork"
c.LateWork.lost_per_day = 0.1
"""


class NoRule(LateSubmissionPlugin):
    """A plug-in of an instructor's own, which fails for every late submission."""

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float | None:
        raise ValueError("no rule for this day")


@pytest.fixture(scope="module")
def timed(graded: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graded course whose first student's submission has a time."""
    course = copy_of(graded, tmp_path_factory.mktemp("timed"))
    folder = hand_in(course, "student-01", EXERCISE, CLASS["student-01"])
    (folder / "timestamp.txt").write_text("2026-01-03 11:00:00")
    run_class(course)
    return course


@contextlib.contextmanager
def gradebook_of(course: Path) -> Iterator[Gradebook]:
    with Gradebook(db_url(course)) as gradebook:
        yield gradebook
        gradebook.db.commit()


def said(course: dict[str, Done]) -> str:
    """What the summary prints of a run."""
    summary, text = Summary(), io.StringIO()
    for done in course.values():
        summary.add(done)
    summary.show(Console(file=text, width=150), 1.0)
    return text.getvalue()


def make_stale(course: Path, how: str, template: Path) -> None:
    """Put an older gradebook in the place of the course's."""
    database = course / "gradebook" / "gradebook.db"
    if not STALE[how]:
        shutil.copy(template / "gradebook" / "gradebook.db", database)
        return
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute(STALE[how])
        connection.commit()


@proof
@pytest.mark.parametrize("rejudge", [False, True])
@pytest.mark.parametrize("how", STALE)
def test_a_restored_gradebook_is_written_anew(
    how: str, rejudge: bool, timed: Path, template: Path, tmp_path: Path
) -> None:
    course = copy_of(timed, tmp_path)
    before = rows(course, EXERCISE)
    make_stale(course, how, template)
    stale = rows(course, EXERCISE) if how != "missing" else {}
    looked_at = run_class(course, Nobody, rejudge=True, write=False)
    assert (rows(course, EXERCISE) if stale else {}) == stale
    done = run_class(course, Nobody, rejudge=rejudge)
    assert rows(course, EXERCISE) == before
    restored = [student for student, one in done.items() if one.state == "restored"]
    assert restored == list(CLASS)
    untimed = [student for student, one in done.items() if one.untimed]
    assert untimed == (list(CLASS)[1:] if "time" in how else [])  # theirs bring no time
    assert f"did not hold what was graded: {len(restored)} {how}" in said(done)
    assert {one.state for one in looked_at.values() if one.stale} == {"restored"}
    assert {one.state for one in run_class(course, Nobody).values()} == {"unchanged"}
    with gradebook_of(course) as gradebook:
        assert str(gradebook.find_submission(EXERCISE, "student-01").timestamp) == "2026-01-03 11:00:00"


@proof
@pytest.mark.parametrize("checks", ["the same", "others"])
def test_what_a_restored_gradebook_would_change_is_shown(
    checks: str, timed: Path, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course, summary = copy_of(timed, tmp_path), Summary()
    make_stale(course, "held other scores", template)
    if checks == "others":
        monkeypatch.setattr(run_module, "judging_digest", lambda: "other checks")
    for done in run_class(course, rejudge=True, write=False).values():
        summary.add(done)
    console = Console(file=io.StringIO(), width=150)
    console.print(changes(summary.changed))
    assert "the gradebook does not hold what was graded" in console.file.getvalue()
    assert len(summary.changed) == len(CLASS)


@proof
def test_rows_that_nbgrader_wrote_with_newer_checks_are_judged(
    timed: Path, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The graded notebook, too, is not the kept result's: what is older is not known, so answers are judged."""
    course = copy_of(timed, tmp_path)
    monkeypatch.setattr("autograder.classroom.worker.NotebookRun", None)
    before = rows(course, EXERCISE)
    make_stale(course, "held other scores", template)
    path = course / "gradebook" / "autograded" / "student-03" / EXERCISE / f"{EXERCISE}.ipynb"
    path.chmod(0o644)
    path.write_text(path.read_text().replace('"points": 0', '"points": 1'))
    done = run_class(course)
    assert {student: one.state for student, one in done.items()} == dict.fromkeys(CLASS, "restored") | {
        "student-03": "judged"
    }
    assert rows(course, EXERCISE) == before


@proof
@pytest.mark.parametrize(("was", "other"), [('"points": 0', '"points": 1'), ('"graded": "', '"graded": "0')])
def test_a_graded_notebook_that_was_put_back_is_written_anew(was: str, other: str, timed: Path, tmp_path: Path) -> None:
    """Tables would call the scores not current until then."""
    course = copy_of(timed, tmp_path)
    path = course / "gradebook" / "autograded" / "student-03" / EXERCISE / f"{EXERCISE}.ipynb"
    before = path.read_text()
    path.chmod(0o644)
    path.write_text(before.replace(was, other))
    done = run_class(course)
    assert {student for student, one in done.items() if one.state != "unchanged"} == {"student-03"}
    assert "1 was recorded for another graded notebook" in said(done)
    assert {one.state for one in run_class(course, Nobody).values()} == {"unchanged"}


@proof
def test_a_due_date_a_penalty_and_an_extension_count_when_they_are_set(timed: Path, tmp_path: Path) -> None:
    """Each after grading; penalties are computed, and nothing else is touched."""
    course = copy_of(timed, tmp_path)
    first = rows(course, EXERCISE)

    def graded_again() -> tuple[dict[str, Done], float | None]:
        done, found = run_class(course, Nobody), rows(course, EXERCISE)
        assert {student: row[:-1] for student, row in found.items()} == {s: row[:-1] for s, row in first.items()}
        penalised = [student for student, one in done.items() if one.state == "with a new penalty"]
        assert penalised in ([], ["student-01"])
        assert len({one.state for one in done.values()} - {"unchanged"}) == len(penalised)
        return done, found["student-01"][-1] if penalised else -1.0

    with (course / "nbgrader_config.py").open("a") as config:
        config.write(LATE)
    assert graded_again()[1] == -1.0  # there is no due date yet
    with gradebook_of(course) as gradebook:
        gradebook.update_or_create_assignment(EXERCISE, duedate="2026-01-01 12:00:00")
    looked_at = run_class(course, Nobody, rejudge=True, write=False)
    assert looked_at["student-01"].penalty == (None, 6.0)
    done, penalty = graded_again()
    assert penalty == 6.0
    assert "1 with a new penalty" in said(done)
    assert "Late penalties that differ now: 1\n  student-01: 0 before, 6 now" in said(done)
    assert graded_again()[1] == -1.0
    (course / "gradebook" / "extensions.csv").write_text("student,assignment,hours\nstudent-01,,24\n")
    assert graded_again()[1] == 3.0
    with gradebook_of(course) as gradebook:
        gradebook.grant_extension(EXERCISE, "student-01", days=1)
    assert graded_again()[1] is None
    with gradebook_of(course) as gradebook:
        gradebook.update_or_create_assignment(EXERCISE, duedate="2025-01-01 12:00:00")
        gradebook.find_submission(EXERCISE, "student-01").extension = timedelta(0)
    assert graded_again()[1] == 30.0  # never more than the score
    with (course / "nbgrader_config.py").open("a") as config:
        config.write("c.LateWork.lost_per_day = 0.0\n")
    assert not graded_again()[1]


@proof
def test_the_new_penalty_of_a_later_hand_in_is_listed(timed: Path, tmp_path: Path) -> None:
    """Handed in again as it was, then with other code; at last an older gradebook is put back."""
    course = copy_of(timed, tmp_path)
    with (course / "nbgrader_config.py").open("a") as config:
        config.write(LATE)
    with gradebook_of(course) as gradebook:
        gradebook.update_or_create_assignment(EXERCISE, duedate="2026-01-01 12:00:00")
    run_class(course, Nobody)
    for state, time, notebook, now in (
        ("judged", "2026-01-04 11:00:00", CLASS["student-01"], 9.0),
        ("graded", "2026-01-05 11:00:00", as_bytes(remarked(solved(EXERCISE), "later")), 12.0),
    ):
        (hand_in(course, "student-01", EXERCISE, notebook) / "timestamp.txt").write_text(time)
        done = run_class(course)
        assert (done["student-01"].state, done["student-01"].penalty) == (state, (now - 3, now))
        assert f"Late penalties that differ now: 1\n  student-01: {now - 3:g} before, {now:g} now" in said(done)
    with contextlib.closing(sqlite3.connect(course / "gradebook" / "gradebook.db")) as connection:
        connection.execute(STALE["held other scores"])
        connection.execute("UPDATE submitted_notebook SET late_submission_penalty = 1")
        connection.commit()
    restored = run_class(course, Nobody)["student-01"]
    assert (restored.state, restored.penalty) == ("restored", (1.0, 12.0))


@proof
def test_a_plug_in_that_fails_costs_one_submission_and_is_told(timed: Path, tmp_path: Path) -> None:
    course = copy_of(timed, tmp_path)
    with (course / "nbgrader_config.py").open("a") as config:
        config.write(f'\nc.AssignLatePenalties.plugin_class = "{__name__}.NoRule"\n')
    with gradebook_of(course) as gradebook:
        gradebook.update_or_create_assignment(EXERCISE, duedate="2026-01-01 12:00:00")
    done = run_class(course, Nobody)
    assert [student for student, one in done.items() if one.state == "failed"] == ["student-01"]
    assert "no rule for this day" in done["student-01"].reason
