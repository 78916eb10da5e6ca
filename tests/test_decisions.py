"""A rejudgement of a class: no other points without a reason, one line in the log for each change, and the way back."""

from __future__ import annotations

import contextlib
import json
import pkgutil
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.checks.catalogue import find_task
from autograder.classroom import run as run_module
from autograder.classroom.course import Course
from autograder.classroom.errors import CourseError
from autograder.classroom.failures import note_failure
from autograder.classroom.run_options import RunOptions
from autograder.classroom.store import Store
from autograder.classroom.undoing import Undo
from autograder.command_line import main
from autograder.comparison import Tolerance
from autograder.decisions.log import Decision, DecisionLog, Kind, forget_student, log_file
from autograder.decisions.told_in_feedback import decisions_note, plain
from autograder.grader.custody import NotebookRun
from tests.class_runs import CLASS, EXERCISE, Nobody, inside, run_class
from tests.course import db_url, gradebook_points, rows

WHY = "The tolerance was too narrow."


def change(number: int = 1, student: str = "student-03", **more: object) -> Decision:
    names = EXERCISE, student
    return Decision(number, Kind.REJUDGED, *names, WHY, "ada", "2026-12-01T09:30:00Z", EXERCISE, **more)


@pytest.fixture
def corrected(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check was corrected so that student-03's answer passes; no student code may run."""
    monkeypatch.setattr("autograder.classroom.worker.NotebookRun", None)
    monkeypatch.setattr(run_module, "judging_digest", lambda: "other checks")
    monkeypatch.setattr(find_task("partials"), "tolerance", Tolerance(absolute=1e13))


def undo(course: Path, number: int = 1, reason: str = "It was a mistake.") -> Undo:
    with inside(course):
        one = Course()
        undone = Undo(one, Store(one.gradebook), number, RunOptions(reason=reason, by="ben"))
        undone.run(print)
    return undone


def everything(course: Path) -> tuple:
    """The rows, the record and the graded notebook of student-03."""
    files = (course / "gradebook" / kind / name for kind, name in FILES)
    return rows(course, EXERCISE), [json.loads(path.read_text()) for path in files]


FILES = [
    ("results", f"{EXERCISE}/student-03/{EXERCISE}.json"),
    ("autograded", f"student-03/{EXERCISE}/{EXERCISE}.ipynb"),
]


@pytest.mark.usefixtures("corrected")
def test_other_points_are_not_written_without_a_reason(course: Path) -> None:
    before = rows(course, EXERCISE)
    done = run_class(course, rejudge=True)
    assert {one.state for student, one in done.items() if student != "student-03"} == {"judged"}
    assert done["student-03"].state == "held back"
    assert rows(course, EXERCISE) == before
    assert not log_file(course / "gradebook").exists()


@pytest.mark.usefixtures("corrected")
def test_a_rejudgement_is_logged_with_its_reason_and_undone_as_it_was(course: Path) -> None:
    before = everything(course)
    done = run_class(course, rejudge=True, reason=WHY, by="ada")
    assert done["student-03"].state == "judged"
    assert gradebook_points(course, EXERCISE, "student-03")["partials"] == 3
    (made,) = DecisionLog(course / "gradebook").decisions
    assert (made.number, made.kind, made.student, made.reason, made.by) == (1, "rejudged", "student-03", WHY, "ada")
    assert made.changes == (("partials", 0.0, 3.0),)
    assert stat.S_IMODE(log_file(course / "gradebook").stat().st_mode) == 0o600
    assert run_class(course, Nobody)["student-03"].state == "unchanged"
    undone = undo(course)
    assert undone.restored == [f"student-03 ({EXERCISE}): partials 3 -> 0"]
    assert everything(course) == before
    last = DecisionLog(course / "gradebook").decisions[-1]
    assert (last.number, last.kind, last.undoes, last.by) == (2, "undone", 1, "ben")
    assert run_class(course, Nobody)["student-03"].state == "unchanged"
    assert undo(course).left == [f"student-03 ({EXERCISE}): graded again, handed in anew or undone since"]


@pytest.mark.usefixtures("corrected")
def test_points_by_hand_are_settled_again_after_an_undo(course: Path) -> None:
    def grade(gradebook: Gradebook) -> object:
        return gradebook.find_grade("check_partials", EXERCISE, EXERCISE, "student-03")

    with Gradebook(db_url(course)) as gradebook:
        one = grade(gradebook)
        one.manual_score, one.needs_manual_grade = 1.5, False
        gradebook.db.commit()
    run_class(course, rejudge=True, reason=WHY)
    with Gradebook(db_url(course)) as gradebook:
        assert grade(gradebook).needs_manual_grade
    undo(course)
    with Gradebook(db_url(course)) as gradebook:
        assert (grade(gradebook).manual_score, grade(gradebook).needs_manual_grade) == (1.5, False)


@pytest.mark.usefixtures("corrected")
def test_what_was_handed_in_since_is_left_by_an_undo(course: Path) -> None:
    run_class(course, rejudge=True, reason=WHY)
    (course / f"gradebook/submitted/student-03/{EXERCISE}/timestamp.txt").write_text("2026-01-02 12:00:00")
    run_class(course)
    before = rows(course, EXERCISE)
    assert not undo(course).restored
    assert rows(course, EXERCISE) == before


class Killed(BaseException):
    """Ends a run as a kill does: nothing catches it."""


@contextlib.contextmanager
def killed_at(monkeypatch: pytest.MonkeyPatch, place: str) -> Iterator[None]:
    """A block that ends where it calls this function for student-03."""
    real = pkgutil.resolve_name(place)

    def killed(*arguments: object) -> object:
        if "student-03" in repr(arguments):
            raise Killed
        return real(*arguments)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(place, killed)
        with pytest.raises(Killed):
            yield


@pytest.mark.usefixtures("corrected")
@pytest.mark.parametrize("again", [{}, {"rejudge": True, "reason": WHY}])
@pytest.mark.parametrize(
    "place",
    [
        "autograder.classroom.graded_files.GradedFiles.write",
        "autograder.classroom.recording.Recorder.record",
        "autograder.classroom.store.Store.keep_record",
    ],
)
def test_what_was_logged_is_finished_by_the_next_run_and_can_be_undone(
    place: str, again: dict[str, object], course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything(course)
    with killed_at(monkeypatch, place):
        run_class(course, rejudge=True, reason=WHY)
    assert run_class(course, **again)["student-03"].state == "judged"
    assert gradebook_points(course, EXERCISE, "student-03")["partials"] == 3
    (made,) = DecisionLog(course / "gradebook").decisions
    assert made.changes == (("partials", 0.0, 3.0),)
    assert undo(course).restored
    assert everything(course) == before


@pytest.mark.usefixtures("corrected")
def test_an_undo_that_cannot_be_given_again_is_not_the_last_word(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_class(course, rejudge=True, reason=WHY)
    with killed_at(monkeypatch, "autograder.classroom.recording.Recorder.record"):
        undo(course)
    shutil.rmtree(course / "gradebook" / "decisions" / "1")
    monkeypatch.setattr("autograder.classroom.worker.NotebookRun", NotebookRun)
    assert run_class(course)["student-03"].state == "failed"
    assert run_class(course, force=True, reason=WHY)["student-03"].state == "graded"


@pytest.mark.usefixtures("corrected")
def test_what_was_logged_and_could_not_be_written_is_finished_too(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything(course)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("autograder.classroom.recording.Recorder.record", lambda *arguments: 1 / 0)
        failed = run_class(course, rejudge=True, reason=WHY)["student-03"]
    with inside(course):
        note_failure(Course(), Store(course / "gradebook"), failed)
    assert (failed.state, run_class(course)["student-03"].state) == ("failed", "judged")
    assert len(DecisionLog(course / "gradebook").decisions) == 1
    assert undo(course).restored
    assert everything(course) == before


@pytest.mark.usefixtures("corrected")
def test_the_undo_of_what_followed_an_interrupted_rejudgement_lasts(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with killed_at(monkeypatch, "autograder.classroom.recording.Recorder.record"):
        run_class(course, rejudge=True, reason=WHY)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(find_task("partials"), "tolerance", Tolerance(absolute=1e-12))
        meanwhile.setattr(run_module, "judging_digest", lambda: "corrected again")
        run_class(course, rejudge=True, reason="Too much.")
        assert gradebook_points(course, EXERCISE, "student-03")["partials"] == 0
        assert undo(course, 2).restored
        meanwhile.setattr(run_module, "course_changes", lambda *arguments: ["other checks"])
        run_class(course)
        assert gradebook_points(course, EXERCISE, "student-03")["partials"] == 3


@pytest.mark.usefixtures("corrected")
def test_a_student_without_a_row_stops_no_undo(course: Path) -> None:
    run_class(course, rejudge=True, reason=WHY)
    copy = course / "gradebook" / "decisions" / "1" / EXERCISE
    shutil.copytree(copy / "student-03", copy / "student-00")
    record = course / "gradebook" / "results" / EXERCISE
    shutil.copytree(record / "student-03", record / "student-00")
    undone = undo(course)
    assert undone.restored == [f"student-03 ({EXERCISE}): partials 3 -> 0"]
    assert len(undone.left) == 1


@pytest.mark.usefixtures("corrected")
def test_what_was_not_logged_waits_for_a_reason(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = everything(course)
    with killed_at(monkeypatch, "autograder.decisions.log.DecisionLog.append"):
        run_class(course, rejudge=True, reason=WHY)
    assert run_class(course)["student-03"].state == "held back"
    assert rows(course, EXERCISE) == before[0]
    assert run_class(course, rejudge=True, reason=WHY)["student-03"].state == "judged"
    assert len(DecisionLog(course / "gradebook").decisions) == 1
    assert undo(course).restored
    assert everything(course) == before


@pytest.mark.usefixtures("corrected")
@pytest.mark.parametrize(
    "place",
    [
        "autograder.classroom.undoing.write_whole",
        "autograder.classroom.recording.Recorder.record",
        "autograder.classroom.store.Store.keep_record",
    ],
)
def test_an_undo_that_was_killed_is_to_be_given_again(
    place: str, course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything(course)
    run_class(course, rejudge=True, reason=WHY)
    with killed_at(monkeypatch, place):
        undo(course)
    done = run_class(course)["student-03"]
    assert (done.state, "`autograder grade --undo 1`" in done.reason) == ("failed", True)
    assert undo(course).restored
    assert everything(course) == before
    assert [one.kind for one in DecisionLog(course / "gradebook").decisions] == ["rejudged", "undone"]
    assert run_class(course, Nobody)["student-03"].state == "unchanged"


def test_undoing_what_does_not_exist_is_refused_in_a_sentence(course: Path, capsys: pytest.CaptureFixture) -> None:
    with inside(course):
        assert main(["grade", "--undo", "7"]) == 2
        assert "add --reason" in capsys.readouterr().err
        assert main(["grade", "--undo", "7", "--reason", "no"]) == 2
    assert "there is no rejudgement with the number 7 to undo" in capsys.readouterr().err
    with pytest.raises(CourseError):
        undo(course, 0)


def test_a_damaged_copy_costs_only_its_student(course: Path) -> None:
    gradebook = course / "gradebook"
    DecisionLog(gradebook).append([change(changes=(("partials", 0.0, 3.0),))])
    copy = gradebook / "decisions" / "1" / EXERCISE / "student-03" / f"{EXERCISE}.json.gz"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(b"no gzip")
    (said,) = undo(course).left
    assert said == f"student-03 ({EXERCISE}): {EXERCISE}.json.gz was written by another version, or is damaged"


@pytest.mark.parametrize(
    "line",
    ["{", "[]", "null", '{"format": 2}', '{"format": 1, "number": "x"}', "[" * 100_000, "\xff"],
)
def test_a_line_that_cannot_be_read_is_counted_and_kept(line: str, tmp_path: Path) -> None:
    log = DecisionLog(tmp_path)
    log.append([change()])
    with log.path.open("a", encoding="latin-1") as file:
        file.write(line)
    DecisionLog(tmp_path).append([change(3)])
    found = DecisionLog(tmp_path)
    assert ([one.number for one in found.decisions], found.unreadable) == ([1, 3], 1)
    assert found.next_number == 5
    assert forget_student(tmp_path, "student-03")
    assert DecisionLog(tmp_path).decisions == []
    assert DecisionLog(tmp_path).unreadable == 1


def test_the_feedback_says_what_changed_unless_it_was_undone(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path)
    log.append([change(changes=(("partials", 0.0, 3.0), ("path_sum", 4.0, None)))])
    assert decisions_note(tmp_path, EXERCISE, "student-03") == (
        "**Points changed on 2026-12-01** (partials: 0, now 3; path\\_sum: 4, now not graded). " + WHY
    )
    assert not decisions_note(tmp_path, EXERCISE, "student-01")
    log.append([Decision(2, Kind.UNDONE, EXERCISE, "student-03", "no", "ada", "2026-12-02T09:30:00Z", undoes=1)])
    assert not decisions_note(tmp_path, EXERCISE, "student-03")


def test_words_in_feedback_are_text_and_nothing_else() -> None:
    assert plain("<b>[x](javascript:1)</b>\n# $\\frac1x$ `a` \x1b") == (
        "&lt;b&gt;\\[x\\](javascript:1)&lt;/b&gt; \\# \\$\\\\frac1x\\$ \\`a\\` \\\\x1b"
    )


def test_forgetting_a_student_forgets_the_decisions(course: Path, capsys: pytest.CaptureFixture) -> None:
    gradebook = course / "gradebook"
    DecisionLog(gradebook).append([change(), change(student="student-01")])
    copy = gradebook / "decisions" / "1" / EXERCISE / "student-03" / f"{EXERCISE}.json.gz"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(b"")
    with inside(course):
        assert main(["forget", "student-03", "--yes"]) == 0
    assert "log of decisions" in capsys.readouterr().out
    assert not copy.exists()
    assert [one.student for one in DecisionLog(gradebook).decisions] == ["student-01"]
    assert set(CLASS) - {"student-03"} <= {path.name for path in (gradebook / "submitted").iterdir()}
