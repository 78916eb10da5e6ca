"""What a class run says at its end, counted as it goes."""

from __future__ import annotations

import gc
import io
import weakref

from rich.console import Console

from autograder.classroom.changes import changes
from autograder.classroom.course import Submission
from autograder.classroom.done import Done
from autograder.classroom.summary import Summary
from autograder.gradebook_access.repairs import Repairs


def verdict(task: str, points: float, *mistakes: str) -> dict:
    """As `Verdict.as_data` has it, of a task of 3 points."""
    results = [{"kind": "wrong", "mistake": mistake} for mistake in mistakes] or [{"kind": "passed", "mistake": ""}]
    return {"task": task, "points": points, "maximum": 3.0, "reason": ", ".join(mistakes), "results": results}


def done(number: int, *verdicts: dict, state: str = "graded", **more: object) -> Done:
    """Of a student by number."""
    return Done(Submission(f"student-{number:02}", "01", "01", None), state, list(verdicts), **more)


def said(summary: Summary) -> str:
    """What it prints, each run of blanks as one."""
    text = io.StringIO()
    summary.show(Console(file=text, width=200), 2.0)
    return "\n".join(" ".join(line.replace("│", " ").split()) for line in text.getvalue().splitlines())


def a_class() -> Summary:
    """Three who were graded, one of them in part, and one who was not."""
    summary = Summary()
    summary.add(done(1, verdict("f", 3.0), verdict("g", 0.0, "sign", "sign"), seconds=2.0, tier="a", host="here"))
    summary.add(done(2, verdict("f", 1.0, "sign", "shape"), seconds=3.0, ended={"4": "SIGKILL", "f": "time"}))
    summary.add(
        done(
            3, verdict("f", 3.0), state="unchanged", repaired=Repairs(["check_f (edited)"], ["check_g"]), outdated=True
        )
    )
    summary.add(
        done(4, state="failed", reason="Traceback\nValueError: no\n", repaired=Repairs([], [], "`f` in version 2"))
    )
    return summary


def test_points_and_reasons_are_counted() -> None:
    text = said(a_class())
    assert "4 submissions in 2.0 s, 2.0 a second: 2 graded, 1 unchanged, 1 failed" in text
    assert "f 2 of 3 1 of 3 0 of 3 2.33 of 3" in text
    assert "g 0 of 1 0 of 1 1 of 1 0.00 of 3" in text
    assert "f shape 1\nf sign 1\ng sign 1\n" in text, (
        "a submission counts once, and equal counts are in alphabetical order"
    )
    large = Summary()
    for number in range(12):
        large.add(done(number, verdict("f", 3.0 * (number % 3 > 0))))
    assert "f 67% 0% 33% 2.00 of 3" in said(large)


def test_what_is_told_by_name() -> None:
    text = said(a_class())
    assert "Slowest: student-02 3.0 s, student-01 2.0 s" in text
    assert "student-02: cell 5 ended its sandbox: SIGKILL\nstudent-02: f ended its sandbox: time" in text
    assert "brought to this one: in 1 submission.\n" in text
    assert "restored:\nstudent-03: check_f (edited)\n" in text
    assert "in which they were graded:\nstudent-04: `f` in version 2\n" in text
    assert "Not graded:\nstudent-04: ValueError: no" in text
    assert "Tier a" in text
    assert "Checks have changed" in text


def test_only_changed_scores_are_kept() -> None:
    summary = Summary()
    same = done(1, verdict("f", 3.0), before=[verdict("f", 3.0)])
    summary.add(same)
    summary.add(done(2, verdict("f", 3.0), before=[verdict("f", 1.0, "sign")]))
    (row,) = changes(summary.changed).columns[0].cells
    assert row == "student-02"
    kept = weakref.ref(same)
    del same
    gc.collect()
    assert kept() is None, "a class of 100,000 would not fit into memory"


def test_what_is_said_of_the_gradebook() -> None:
    summary = Summary()
    summary.add(done(1, verdict("f", 3.0), state="restored", stale="missing"))
    summary.add(done(2, verdict("f", 3.0), state="restored", stale="held other scores"))
    summary.add(done(3, verdict("f", 3.0), state="judged", stale="held other scores", by_hand=["f (it changed)"]))
    summary.add(done(4, verdict("f", 3.0), state="with a new penalty", penalty=(None, 1.005)))
    summary.add(done(5, verdict("f", 3.0), scaled=["f is worth 3 in the notebook and 1 in its checks"]))
    summary.add(done(6, verdict("f", 3.0), scaled=["f is worth 3 in the notebook and 1 in its checks"]))
    summary.add(done(7, state="without answers"))
    text = said(summary)
    assert "2 graded, 1 judged, 2 restored, 1 with a new penalty, 1 without answers" in text
    assert "did not hold what was graded: 2 held other scores, 1 missing." in text
    assert text.count("Due dates, points given by hand and comments existed only in the gradebook") == 1
    assert "Late penalties that differ now: 1\nstudent-04: 0 before, 1 now" in text
    assert "need a look in the formgrader:\nstudent-03: f (it changed)" in text
    assert text.count("f is worth 3 in the notebook and 1 in its checks") == 1


def test_names_have_their_assignment_where_there_are_several() -> None:
    summary = Summary(several=True)
    more = {"ended": {"f": "time"}, "seconds": 2.0, "by_hand": ["f (it changed)"], "untimed": "it brings no time"}
    summary.add(done(1, verdict("f", 3.0), repaired=Repairs(["check_f (edited)"]), **more))
    summary.add(done(2, state="failed", reason="no room"))
    summary.add(done(3, verdict("f", 3.0), state="with a new penalty", penalty=(None, 1.0)))
    summary.gradebook.withdrawn("01", ["student-04"])
    text = said(summary)
    for line in (
        "Slowest: student-01 (01) 2.0 s",
        "student-01 (01): f ended its sandbox: time",
        "student-01 (01): check_f (edited)",
        "student-01 (01): f (it changed)",
        "student-01 (01): it brings no time",
        "student-02 (01): no room",
        "student-03 (01): 0 before, 1 now",
        "student-04 (01)",
    ):
        assert line in text.splitlines(), text


def test_a_difference_that_is_none_is_said() -> None:
    assert changes([]) == "No score would change."
    assert changes([], left_out=2) == "No score would change, of those that were judged; 2 were not."


def test_a_time_that_is_unknown_is_told_by_name() -> None:
    summary = Summary()
    summary.add(done(1, verdict("f", 3.0), untimed="its timestamp.txt is no time"))
    summary.add(done(1, verdict("g", 3.0), untimed="its timestamp.txt is no time"))  # of another notebook
    assert said(summary).count("whatever an earlier hand-in said:\nstudent-01: its timestamp.txt is no time") == 1
    assert said(summary).count("student-01: its timestamp.txt") == 1
