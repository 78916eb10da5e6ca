"""The report about a class: its numbers by hand, hostile names, classes too small to say anything, bad gradebooks."""

from __future__ import annotations

import csv
import dataclasses
import json
import re
import sqlite3
from datetime import datetime
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.class_report import programs
from autograder.class_report.command import read_class, write_report
from autograder.class_report.item_analysis import odd_checks, task_items
from autograder.class_report.mistakes import named_mistakes, to_talk_about
from autograder.class_report.participation import Stopped, stopped, stuck, untouched
from autograder.class_report.proportions import Correlation, Proportion
from autograder.class_report.results import AssignmentResults, CheckResult, Participant, TaskScore
from autograder.class_report.version_items import unequal, version_items
from autograder.class_report.weeks import BY_DUE_DATE, BY_NAME, weeks
from autograder.classroom.assignment_lookup import course_directory
from autograder.command_line import main
from autograder.standings.state import State
from tests.class_runs import CLASS, EXERCISE
from tests.course import db_url, hand_in_graded
from tests.made_class import drawn_class, participant, results, score, time_line
from tests.test_empty_exports import COMING, DONE
from tests.test_empty_exports import template as two_assignments  # noqa: F401

FOURFOLD = [(1, 1)] * 4 + [(1, 0)] * 2 + [(0, 1)] * 2 + [(0, 0)] * 4
"""Points of twelve students in two tasks; phi = (4 * 4 - 2 * 2) / (6 * 6)."""


def fourfold(count: int = 12) -> AssignmentResults:
    return results([participant(f"s{k}", one=one, other=other) for k, (one, other) in enumerate(FOURFOLD[:count])])


def written(folder: Path, made: AssignmentResults, **options: bool) -> str:
    """The page of a report, as it was written."""
    write_report(folder, [made], time_line(made), made.name, **options)
    return (folder / "index.html").read_text(encoding="utf-8")


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_difficulty_and_discrimination_are_those_computed_by_hand() -> None:
    one, other = task_items(fourfold())
    assert one.mean.shown == "50%"
    assert one.full.shown == "6 of 12 (25% to 75%)"  # Wilson: (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)
    assert one.discrimination.value == pytest.approx(1 / 3)
    assert (one.discrimination.low, one.discrimination.high) == pytest.approx((-0.2974, 0.7615), abs=1e-3)
    assert other.discrimination.shown == one.discrimination.shown == "0.33 (−0.30 to 0.76)"


def dealt_class(*shares: float, of: int = 12) -> AssignmentResults:
    """As many students for each version of one task, of whom these shares have its point."""
    made = [
        participant(f"s{version}{k}", one=dataclasses.replace(score(float(k < share * of)), version=version), other=1)
        for version, share in enumerate(shares, start=1)
        for k in range(of)
    ]
    return results(made)


def test_versions_stand_side_by_side_and_an_unequal_one_is_named(tmp_path: Path) -> None:
    equal, other = dealt_class(0.5, 0.75, 0.5), dealt_class(1.0, 0.9, 0.1)
    assert [(one.version, one.full.count) for one in version_items(equal)] == [(1, 6), (2, 9), (3, 6)]
    assert ([*unequal(equal)], [*unequal(other)]) == ([], ["one"])
    assert [*unequal(dealt_class(1.0, 0.0, of=9))] == [], "too few to say"
    assert "None differ by more than chance explains" in written(tmp_path, equal)
    assert "Those of <code>one</code> differ by more than chance explains" in written(tmp_path, other)
    first = table(tmp_path / "versions.csv")[0]
    assert (first["version"], first["dealt"], first["full points"]) == ("1", "12", "12")
    assert "Versions" not in written(tmp_path, fourfold())


def test_the_total_leaves_the_task_itself_out() -> None:
    """With itself in it, a task that nothing else goes with would correlate: that is what is corrected."""
    points = [(1, 1), (1, 0), (0, 1), (0, 0)] * 3
    one, _ = task_items(results([participant(f"s{k}", one=a, other=b) for k, (a, b) in enumerate(points)]))
    assert one.discrimination.value == pytest.approx(0)


def test_below_ten_students_there_are_only_counts(tmp_path: Path) -> None:
    one, _ = task_items(fourfold(9))
    assert (one.discrimination.value, one.discrimination.why_none) == (None, "fewer than 10 students")
    assert (one.full.shown, one.mean.shown) == ("6 of 9", "6 of 9")
    assert "%" not in re.sub(r"(?s)<style>.*?</style>|<img[^>]*>|95%", "", written(tmp_path, fourfold(9)))


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ([1] * 12, range(12), "all have the same points"),
        (range(12), [1] * 12, "all have the same points in the other tasks"),
    ],
)
def test_without_differences_there_is_no_discrimination(first: list[int], second: list[int], why: str) -> None:
    assert Correlation.of(first, second).shown == why


def test_those_who_tried_nothing_count_as_difficulty_and_not_as_discrimination() -> None:
    idle = [participant(f"idle{k}", one=score(0, tried=False), other=score(0, tried=False)) for k in range(12)]
    one, _ = task_items(results([*fourfold().participants, *idle]))
    assert one.tried.shown.startswith("12 of 24")
    assert (one.mean.shown, one.mean_of_tried.shown) == ("25%", "50%")
    assert one.discrimination.value == pytest.approx(1 / 3)


def test_a_task_that_waits_for_a_person_leaves_the_others_comparable() -> None:
    """Of whom half the other tasks are graded, half the total must not look like little knowledge."""
    made = [participant(f"s{k}", one=k % 2, other=k % 2, essay=score(4 * (k % 2), 4)) for k in range(12)]
    made += [participant(f"t{k}", one=k % 2, other=k % 2) for k in range(12)]
    assert task_items(results(made))[0].discrimination.value == pytest.approx(1)


def test_checks_that_strong_students_miss_are_found() -> None:
    made = [participant(f"weak{k}", trap=1, rest=score(k / 100, 9)) for k in range(10)]
    made += [participant(f"strong{k}", trap=0, rest=score(8 + k / 100, 9)) for k in range(10)]
    (odd,) = [one for one in odd_checks(results(made)) if one.task == "trap"]
    assert odd.check == "a number"
    assert odd.why.startswith("Those who pass it have fewer points elsewhere: −1.00")
    assert "chance" not in odd.why
    assert odd.why.endswith("Hard for strong students: 0 of the 5 strongest passed it.")


def test_a_correlation_that_chance_explains_is_called_so() -> None:
    swapped = [(1, 0)] * 4 + [(1, 1)] * 2 + [(0, 0)] * 2 + [(0, 1)] * 4
    made = results([participant(f"s{k}", one=a, other=b) for k, (a, b) in enumerate(swapped)])
    assert {one.why.partition(". Hard")[0] for one in odd_checks(made)} == {
        "Those who pass it have fewer points elsewhere: −0.33 (−0.76 to 0.30), which chance can explain"
    }


def test_a_check_that_failed_by_itself_is_odd_in_the_smallest_class() -> None:
    broken = TaskScore(0.0, 1.0, True, (CheckResult("a number", 1.0, False, broken=True),))
    (odd,) = odd_checks(results([participant("ada", one=broken, other=1)]))
    assert odd.why == "The check failed by itself in 1 submission."


def test_what_strong_students_did_not_try_is_not_hard_for_them() -> None:
    made = [participant(f"weak{k}", late=k % 2, rest=score(k / 100, 9)) for k in range(12)]
    made += [participant(f"strong{k}", late=score(0, tried=False), rest=score(9, 9)) for k in range(12)]
    assert not [one for one in odd_checks(results(made)) if "strong" in one.why and one.task == "late"]


def test_a_sound_check_is_not_odd() -> None:
    assert odd_checks(fourfold()) == []


def test_a_mistake_counts_students_and_costs_points() -> None:
    twice = TaskScore(
        0.0, 4.0, True, tuple(CheckResult(title, 2.0, False, mistake="sign", advice="Which way?") for title in "ab")
    )
    made = results(
        [
            participant("ada", one=twice, other=score(0, mistake="twice")),
            participant("ben", one=twice, other=score(0, mistake="twice")),
            participant("cyd", one=1, other=score(0, mistake="twice")),
        ]
    )
    frequent = [(one.name, one.students, one.lost) for one in named_mistakes(made)]
    assert frequent == [("twice", 3, 3), ("sign", 2, 8)]
    assert [one.name for one in to_talk_about(named_mistakes(made))] == ["sign", "twice"]
    assert named_mistakes(made)[1].reading == "lesson 01, “About one”"


def test_a_mistake_of_several_tasks_is_one_and_its_own_section_is_read() -> None:
    advice = "A pass went through a freed graph. See lesson 02, “What a call frees”."
    freed = TaskScore(0.0, 1.0, True, (CheckResult("a", 1.0, False, mistake="freed", advice=advice),))
    (found,) = named_mistakes(results([participant("ada", one=freed, other=freed)]))
    assert (found.tasks, found.students, found.lost) == (("one", "other"), 1, 2)
    assert (found.advice, found.reading) == ("A pass went through a freed graph.", "lesson 02, “What a call frees”")


def test_at_most_five_are_talked_about() -> None:
    made = results([participant("ada", **{f"t{k}": score(0, k + 1, f"mistake {k}") for k in range(8)})])
    assert [one.name for one in to_talk_about(named_mistakes(made))] == [f"mistake {k}" for k in (7, 6, 5, 4, 3)]


LONG = "def f(x):\n" + "    x = x + 1\n" * 60


@pytest.mark.parametrize(
    ("handed_in", "example"),
    [
        (["def f(x):\n    return x\n", "f = 1  # a comment longer than the other program\n"], "f = 1"),
        (["def f(x):\n    'Of student-01.'\n    return x  # student-01\n"], "def f(x):\n    return x"),
        (["def f(x):\n    return 'student-01'\n"], ""),
        (["def f(x:\n", "", LONG], ""),
        (["-" * 3_900 + "1"], ""),
        (["(" * 3_900], ""),
        (["x" + ".y" * 1_900], ""),
        (["class A:\n    'Doc.'\n"], "class A:\n    pass"),
    ],
)
def test_the_example_is_the_shortest_program_without_comments_and_names(handed_in: list[str], example: str) -> None:
    assert programs.shortest(handed_in, ["student-01"]) == example


def test_without_a_program_the_question_is_the_example(tmp_path: Path) -> None:
    made = results([participant("ada", one=score(0, mistake="twice", program="def f(:\n"), other=1)])
    assert "<code>double(3)</code> is 3, expected 6." in written(tmp_path, made)


def test_an_empty_question_is_no_example() -> None:
    check = CheckResult("a number", 1.0, False, mistake="twice", advice="This is twice. What does `x` stand for?")
    made = [
        participant("ada", one=TaskScore(0.0, 1.0, True, (check,))),
        participant("ben", one=score(0, mistake="twice")),
    ]
    (found,) = named_mistakes(results(made))
    assert (found.students, found.question) == (2, "`double(3)` is 3, expected 6.")


def test_stuck_are_those_who_try_and_get_nothing() -> None:
    def of(name: str, *points: float | None) -> Participant:
        scores = [score(0, tried=False) if one is None else score(one) for one in points]
        return participant(name, **{f"t{k}": one for k, one in enumerate(scores)})

    every = [of("half", 0, 0, 1, 1), of("third", 0, 0, 1, 1, 1), of("once", 0, None, None), of("idle", None, None)]
    made = results([*every, of("all", 0, 0, 0)])
    assert [(one.student, one.without_points, one.tried) for one in stuck(made)] == [
        ("all", ("t0", "t1", "t2"), 3),
        ("half", ("t0", "t1"), 4),
    ]
    assert [one.student for one in untouched(made)] == ["idle"]


def test_stopped_are_those_who_handed_in_before() -> None:
    handed_in = {"1": {"ada", "ben", "cyd"}, "2": {"ada", "ben"}, "3": {"ada", "dan"}, "4": set()}
    order = ["1", "2", "3", "4"]
    assert stopped(order, handed_in) == [Stopped("cyd", "1", 2), Stopped("ben", "2", 1)]
    assert stopped(order, handed_in, {"3"}) == [Stopped("cyd", "1", 1)]  # nobody has missed what is not due


def test_weeks_have_medians_and_hand_ins() -> None:
    made = results([*fourfold().participants, Participant("gone", State.MISSING)])
    (week,) = weeks([made])
    assert (week.handed_in, week.quartiles) == (Proportion(12, 13), (0.0, 0.5, 1.0))


@pytest.mark.parametrize("anonymous", [False, True])
@pytest.mark.parametrize(
    "made",
    [
        results([]),
        results([participant("ada", one=1)]),
        results([participant("ada", one=score(0, tried=False), other=1)]),
        results([Participant("ada", State.NOT_GRADED), Participant("ben", State.MISSING)]),
        results([Participant("ada", State.BY_HAND)], maximum=0),
    ],
    ids=["empty", "one student", "a task that nobody tried", "nothing graded", "worth nothing"],
)
def test_every_class_gets_a_page(made: AssignmentResults, anonymous: bool, tmp_path: Path) -> None:
    page = written(tmp_path, made, anonymous=anonymous)
    assert page.startswith("<!doctype html>")
    write_report(tmp_path / "course", [made, made], time_line(made), None, anonymous)
    assert len(table(tmp_path / "students.csv")) == len(made.participants)


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "=HYPERLINK(1)",
    "\u202eadA\u200b",
    "../../etc/passwd",
    "a" * 200,
    "$x^{",
    "Ærøskøbing 大 עברית",
)


def hostile_class() -> AssignmentResults:
    """A class whose names, programs, questions and titles are all hostile."""
    made = []
    for name in HOSTILE:
        check = CheckResult(name, 1.0, False, mistake=name, advice=f"`{name}`", question=name)
        scores = {name: TaskScore(0.0, 1.0, True, (check,), f"f = {name!r}"), "other": score(0, mistake="m")}
        made.append(Participant(name, State.GRADED, 0.0, scores))
    return results(made, name="01 <b>&\u202e", maximum=2)


@pytest.mark.parametrize("anonymous", [False, True])
def test_no_text_of_a_student_is_markup_a_path_or_a_formula(anonymous: bool, tmp_path: Path) -> None:
    page = written(tmp_path / "inner", hostile_class(), anonymous=anonymous)
    assert not re.search(r"<script|<img (?!width)|<b>|http:|https:", page)
    assert not {"\u202e", "\u200b"} & {*page}
    assert "default-src 'none'" in page
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == {
        "index.html", "students.csv", "tasks.csv", "mistakes.csv", "checks.csv", "stuck.csv", "stopped.csv",
        "assignments.csv", "versions.csv",
    }  # fmt: skip
    for path in (tmp_path / "inner").glob("*.csv"):
        for row in table(path):
            assert not [cell for cell in row.values() if cell.startswith(("=", "+", "@", "\t"))], path


def test_without_names_nobody_is_named(tmp_path: Path) -> None:
    made = drawn_class(60)
    notes = ("01_numbers: points given by hand are not those that were last seen: student-0007",)
    made = AssignmentResults(made.name, made.maximum, made.participants, made.readings, None, notes)
    page = written(tmp_path, made, anonymous=True)
    assert ">number 60<" in page
    for path in tmp_path.iterdir():
        assert "student-0" not in path.read_text(encoding="utf-8"), path
    assert "student-0007" in written(tmp_path, made)


def test_numbers_are_drawn_for_each_page(tmp_path: Path) -> None:
    """Of two drawings of sixty numbers, not all agree."""
    made, orders = drawn_class(60), []
    for _ in range(2):
        written(tmp_path, made, anonymous=True)
        orders.append([row["points"] for row in table(tmp_path / "students.csv")])
    assert sorted(orders[0]) == sorted(orders[1])
    assert orders[0] != orders[1]


def test_the_tables_say_what_the_page_says(tmp_path: Path) -> None:
    made = fourfold()
    written(tmp_path, made)
    first, _ = table(tmp_path / "tasks.csv")
    assert (first["mean share"], first["discrimination"], first["full points"]) == ("0.5", "0.3333", "6")
    assert table(tmp_path / "students.csv")[0]["points"] == "2"
    assert table(tmp_path / "assignments.csv")[0]["median"] == "0.5"


def test_a_graded_class_gets_its_page(course: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(course)
    assert main(["report", EXERCISE, "--csv", str(tmp_path / "tables")]) == 0
    folder = course / "gradebook" / "report" / "assignments" / EXERCISE
    assert [path.name for path in folder.iterdir()] == ["index.html"]
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "5 students: 5 graded." in page
    assert "5 students have final points, of 30: 0, 0, 26, 27 and 30." in page
    assert "x and w swapped, in <code>partials</code>" in page
    assert "Read again: lesson 01, “Products along paths”." in page
    assert "return {&#x27;x&#x27;: x, &#x27;w&#x27;: w" in page  # the program, read from the graded notebook
    assert "Handed in with nothing tried: student-02, student-04." in page
    points = {row["student"]: row["points"] for row in table(tmp_path / "tables" / "students.csv")}
    assert points == dict(zip(CLASS, ("30", "0", "27", "0", "26"), strict=True))
    assert main(["report"]) == 0
    assert (course / "gradebook" / "report" / "course" / "students.csv").exists()


def test_stale_points_are_not_counted(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (course / "gradebook" / "submitted" / "student-01" / EXERCISE / f"{EXERCISE}.ipynb").write_bytes(b"{}")
    monkeypatch.chdir(course)
    (made,), _ = read_class(course_directory(), EXERCISE)
    assert {one.student for one in made.judged} == {*CLASS} - {"student-01"}


def test_a_graded_notebook_of_another_version_is_read_as_far_as_it_goes(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = course / "gradebook" / "autograded" / "student-03" / EXERCISE / f"{EXERCISE}.ipynb"
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text.replace('"mistake":', '"was_mistake":').replace('"title":', '"was_title":'))
    path.chmod(0o600)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    monkeypatch.chdir(course)
    assert main(["report", EXERCISE]) == 0
    (made,), _ = read_class(course_directory(), EXERCISE)
    assert named_mistakes(made) == []


def test_forgetting_a_student_deletes_the_reports_about_them(
    course: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(course)
    folder = course / "gradebook" / "report"
    for words in ([], ["--anonymous"]):
        assert main(["report", EXERCISE, *words]) == main(["report", *words]) == 0
        assert main(["forget", "student-77", "--yes"]) == 2
        assert len([*folder.rglob("index.html")]) == 2
        assert main(["forget", "student-01" if words else "student-02", "--yes"]) == 0
        assert not [*folder.rglob("*.csv")]
        assert not [*folder.rglob("index.html")]


def test_what_cannot_be_reported_is_one_sentence(
    two_assignments: Path,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def complaint(*words: str) -> str:
        assert main(["report", *words]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1, said
        return said

    monkeypatch.chdir(tmp_path)
    assert complaint() == ("autograder report: there is no nbgrader_config.py here: run this in the course's folder\n")
    monkeypatch.chdir(two_assignments)
    assert "there is no assignment '01_scalar_grahps' (did you mean '01_scalar_graphs'?)" in complaint(
        "01_scalar_grahps"
    )
    assert "there is no assignment '../etc'" in complaint("../etc")
    (tmp_path / "file").write_text("")
    assert f"{tmp_path / 'file'}" in complaint(DONE, "--csv", str(tmp_path / "file"))
    assert f"{tmp_path / 'file'}" in complaint(DONE, "--csv", str(tmp_path / "file" / "below"))
    assert main(["report", COMING]) == 0  # nobody handed it in, and the page says so
    database = two_assignments / "gradebook" / "gradebook.db"
    whole = database.read_bytes()
    with sqlite3.connect(database) as connection:
        connection.execute("ALTER TABLE grade RENAME COLUMN extra_credit TO extra")
    assert "run `nbgrader db upgrade`" in complaint(DONE)
    database.write_bytes(whole)


def test_assignments_stand_in_the_order_of_their_due_dates(
    two_assignments: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(two_assignments)
    hand_in_graded(two_assignments, "student-02", COMING)
    assert read_class(course_directory(), None)[1].by == BY_NAME
    with Gradebook(db_url(two_assignments)) as gradebook:
        for name, due in ((DONE, "2026-02-01"), (COMING, "2026-01-01")):
            gradebook.update_or_create_assignment(name, duedate=datetime.fromisoformat(due))
    every, order = read_class(course_directory(), None)
    assert (order.by, [one.name for one in every]) == (BY_DUE_DATE, [COMING, DONE])
    assert order.waiting(datetime(2026, 1, 15)) == {DONE}
