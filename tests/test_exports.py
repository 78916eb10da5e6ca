"""Scores reach Canvas, Moodle and Gradescope as they stand in the gradebook, and no one else's."""

from __future__ import annotations

import csv
import json
import os
import shutil
from pathlib import Path
from unittest import mock

import pytest
from nbgrader.api import Gradebook
from nbgrader.apps.exportapp import ExportApp

from autograder.exports.canvas import Canvas
from autograder.exports.csv_cells import is_plain, text
from autograder.exports.gradescope import Gradescope
from autograder.exports.moodle import Moodle
from autograder.exports.plug_in import ExportError, ScoreExport
from autograder.standings.number_text import number
from tests.course import hand_in, hand_in_graded, hand_out, nbgrader, new_course
from tests.depth import proof
from tests.learning_platforms import CanvasCourse, MoodleItem, RefusedError, rows_of
from tests.sample_class import EXERCISE
from tests.submissions import COURSE, as_bytes, solved

ONE, TWO = EXERCISE, "02_grad"
LATE_WORK = """
c.AssignLatePenalties.plugin_class = "autograder.nbgrader_plugin.late_work.LateWork"
c.LateWork.lost_per_day = 0.125
"""
DUE = "2026-01-01 12:00:00 UTC"
TIMES = {"student-02": "2026-01-02 10:00:00 UTC", "student-04": "2026-01-20 10:00:00 UTC"}
"""When somebody handed in late: one day, and too many for any points."""
FORMULA = "=cmd|'/C calc'!A0"
CLASS = {
    # id: first name, last name, email, score of ONE before the penalty (None: nothing handed in), penalty, extra credit
    "student-01": ("Zoë", 'O\'Neil, "Z"', "one@example.org", 30.0, 0.0, 0.0),
    "student-02": (FORMULA, "+1", "two@example.org", 20.0, 2.5, 0.0),
    "student-03": ("Line\nbreak", "李", "three@example.org", 30.0, 0.0, 3.0),
    "student-04": ("Points Possible", "", "four@example.org", 3.0, 5.0, 0.0),
    "student-05": ("No", "Submission", "five@example.org", None, 0.0, 0.0),
    "student-06": ("By", "Hand", "six@example.org", 10.0, 0.0, 0.0),
    "student-07": ("Not", "Graded", "seven@example.org", None, 0.0, 0.0),
    "student-08": ("Excused", "Student", "eight@example.org", 12.0, 0.0, 0.0),
    "student-09": ("Not in\\", 'Canvas\\"', "", 1 / 3, 0.0, 0.0),
    "student-10": ("Same", "Email", "eight@example.org", 12.0, 0.0, 0.0),
}
ROSTER = (COURSE / "tests" / "canvas_roster.csv").read_text(encoding="utf-8")
"""As Canvas exports it."""
CANVAS = ("--Canvas.roster=roster.csv", "--Canvas.columns", f"{ONE}=Exercise 1")


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course whose gradebook holds the class above, as nbgrader's own API writes it."""
    folder = tmp_path_factory.mktemp("exports")
    (folder / "nbgrader_config.py").write_text((COURSE / "nbgrader_config.py").read_text() + LATE_WORK)
    (folder / "gradebook").mkdir()
    (folder / "roster.csv").write_text(ROSTER)
    with Gradebook(f"sqlite:///{folder}/gradebook/gradebook.db") as gradebook:
        for assignment, most in ((ONE, 30), (TWO, 10)):
            gradebook.add_assignment(assignment, duedate=DUE)
            gradebook.add_notebook(assignment, assignment)
            gradebook.add_grade_cell("check_all", assignment, assignment, max_score=most, cell_type="code")
            gradebook.add_solution_cell("all", assignment, assignment)
        for student, (first, last, email, score, penalty, extra) in CLASS.items():
            given = {"email": email} if email else {}
            canvas_id = {"lms_user_id": "9010"} if student == "student-10" else {}
            gradebook.add_student(student, first_name=first, last_name=last, **given, **canvas_id)
            if score is not None:
                hand_in_row(gradebook, ONE, student, score, penalty, extra, student == "student-06")
                hand_in_graded(folder, student, ONE, TIMES.get(student, ""))
        hand_in_graded(folder, "student-01", TWO)
        hand_in_row(gradebook, TWO, "student-01", 9.5, 0.0, 0.0, False)
        gradebook.db.commit()
    hand_in(folder, "student-07", ONE, b"{}")
    return folder


def hand_in_row(
    gradebook: Gradebook, assignment: str, student: str, score: float, penalty: float, extra: float, waits: bool
) -> None:
    """A graded submission, as `nbgrader autograde` and the formgrader leave it."""
    time = {"timestamp": TIMES[student]} if student in TIMES else {}
    gradebook.add_submission(assignment, student, **time)
    (notebook,) = gradebook.find_submission(assignment, student).notebooks
    notebook.late_submission_penalty = penalty
    (grade,) = notebook.grades
    grade.auto_score, grade.extra_credit, grade.needs_manual_grade = score, extra, waits
    if student == "student-08":  # points given by hand stand before those of the checks
        grade.auto_score, grade.manual_score = 2.0, score
    if student == "student-03":
        notebook.comments[0].manual_comment = "Well explained."


def export(course: Path, exporter: type[ScoreExport], *options: str) -> str:
    """`nbgrader export` in that course, in this process; what it said."""
    said: list[str] = []
    app = ExportApp()
    before = Path.cwd()
    os.chdir(course)
    try:
        app.initialize([f"--exporter={exporter.__module__}.{exporter.__name__}", "--log-level=ERROR", *options])
        with mock.patch.object(ScoreExport, "say", lambda self, sentence: said.append(sentence)):
            app.start()
    finally:
        os.chdir(before)
    return "\n".join(said)


def canvas_course() -> CanvasCourse:
    """What Canvas holds when the class above is exported from it."""
    _, *lines = csv.reader(ROSTER.splitlines(keepends=True))
    students = {int(line[1]): (line[0], line[3]) for line in lines if line[1]}
    scores = {}
    for line in lines:
        for at, title in ((6, "Exercise 1"), (7, "02_grad")):
            if line[1] and line[at] not in ("", "N/A"):
                scores[int(line[1]), title] = line[at]
    points = {"Exercise 1": "30.00", "02_grad": "100.00"}
    return CanvasCourse(students, {501: "Exercise 1", 502: "02_grad"}, points, scores)


def test_canvas_gets_final_scores_and_loses_none(course: Path) -> None:
    said = export(course, Canvas, *CANVAS)
    platform = canvas_course()
    platform.scores |= {(9006, "Exercise 1"): "8.5", (9011, "Exercise 1"): "6.5"}  # since the roster was exported
    before = dict(platform.scores)
    platform.import_grades(course / "gradebook" / "canvas.csv")
    changed = {key: score for key, score in platform.scores.items() if before.get(key) != score}
    assert changed == {
        (9001, "Exercise 1"): "30",
        (9002, "Exercise 1"): "17.5",  # late
        (9003, "Exercise 1"): "33",  # extra credit
        (9004, "Exercise 1"): "0",  # more penalty than points
        (9001, "02_grad"): "9.5",
    }
    assert before.keys() <= platform.scores.keys()
    assert platform.scores[9008, "Exercise 1"] == "EX"
    assert platform.points == {"Exercise 1": "30.00", "02_grad": "100.00"}
    for sentence in (
        "Not in the roster, left out: student-09.",
        "In the roster and not among the chosen students, left as they are in Canvas: 1.",
        f"{ONE}: waits for a person, left out: student-06",
        f"{ONE}: not graded, left out: student-07 (handed in, and not graded since: run `autograder grade {ONE}`).",
        f"{ONE}: nothing handed in, left out: student-05 (Canvas.zero_for_missing=True writes 0).",
        f"{ONE}: excused or not assigned in Canvas, and left so: student-08, student-10.",
        f"{TWO}: 10 points here and 100.00 in Canvas",
    ):
        assert sentence in said


def test_two_students_with_one_line_of_canvas_both_have_none(course: Path, tmp_path: Path) -> None:
    own = shutil.copytree(course, tmp_path / "course")
    with Gradebook(f"sqlite:///{own}/gradebook/gradebook.db") as gradebook:
        gradebook.add_student("student-11", lms_user_id="9001")
    said = export(own, Canvas, *CANVAS)
    assert "In one line of the roster with another student, left out: student-01, student-11 (correct an lms_" in said
    assert "9001" not in {row[1] for row in rows_of(own / "gradebook" / "canvas.csv")}


def test_canvas_writes_zeros_only_for_those_who_handed_nothing_in(course: Path, tmp_path: Path) -> None:
    path = tmp_path / "canvas.csv"
    export(course, Canvas, *CANVAS, "--Canvas.zero_for_missing=True", f"--to={path}", f"--assignment={ONE}")
    platform = canvas_course()
    platform.import_grades(path)
    assert platform.scores[9005, "Exercise 1"] == "0"
    assert (platform.scores[9006, "Exercise 1"], platform.scores[9007, "Exercise 1"]) == ("8.00", "9.00")
    assert platform.scores[9011, "Exercise 1"] == "6.00"


def test_a_title_that_canvas_does_not_have_makes_an_assignment_with_its_points(course: Path, tmp_path: Path) -> None:
    said = export(course, Canvas, "--Canvas.roster=roster.csv", f"--to={tmp_path / 'c.csv'}", f"--assignment={ONE}")
    platform = canvas_course()
    platform.import_grades(tmp_path / "c.csv")
    assert (platform.scores[9010, ONE], platform.points[ONE]) == ("12", "30")
    assert "Canvas will ask whether to create it" in said


def test_a_misspelt_assignment_in_canvas_titles_is_said(course: Path, tmp_path: Path) -> None:
    wrong = f"{ONE}_=Exercise 1"
    said = export(course, Canvas, *CANVAS, "--Canvas.columns", wrong, f"--to={tmp_path / 'c.csv'}")
    assert f"the gradebook does not know: '{ONE}_' (did you mean '{ONE}'?)" in said


@pytest.mark.parametrize(
    ("roster", "options", "says"),
    [
        (None, [], "Export Entire Gradebook"),
        ("a,b\n", [], "does not start with the columns Student, ID, ..., Section"),
        (ROSTER.replace("student-", "pupil-").replace("9010", "9020"), [], "--Canvas.student_column"),
        (ROSTER.replace("S2,student-02", "S2,student-01"), [], "student-01 is in 2 lines"),
        (ROSTER.replace("02_grad (502)", "Exercise 1 (502)"), list(CANVAS[1:]), "Canvas.columns"),
        (ROSTER, ["--assignment=99_none"], "the gradebook knows no assignment 99_none"),
    ],
)
def test_what_canvas_could_not_use_is_said(
    roster: str | None, options: list[str], says: str, course: Path, tmp_path: Path
) -> None:
    if roster is not None:
        (tmp_path / "roster.csv").write_text(roster)
        options = [f"--Canvas.roster={tmp_path / 'roster.csv'}", *options]
    with pytest.raises(ExportError) as raised:
        export(course, Canvas, *options, f"--to={tmp_path / 'canvas.csv'}")
    assert says in str(raised.value)
    assert not (tmp_path / "canvas.csv").exists()


def test_a_roster_of_another_locale_and_with_two_names(course: Path, tmp_path: Path) -> None:
    rows = list(csv.reader(ROSTER.splitlines(keepends=True)))
    names = [["LastName", "FirstName"], *([cell, "x"] for cell, *_ in rows[1:])]
    with (tmp_path / "roster.csv").open("w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file, delimiter=";").writerows(name + row[1:] for name, row in zip(names, rows, strict=True))
    export(course, Canvas, f"--Canvas.roster={tmp_path / 'roster.csv'}", *CANVAS[1:], f"--to={tmp_path / 'c.csv'}")
    platform = canvas_course()
    platform.import_grades(tmp_path / "c.csv")
    assert platform.scores[9002, "Exercise 1"] == "17.5"


def moodle_item(identifiers: set[str]) -> MoodleItem:
    """What Moodle holds: everybody, and grades for two who have none here."""
    kept = {"student-05": 4.0, "student-06": 5.0, "five@example.org": 4.0}
    return MoodleItem(identifiers, 30.0, kept, {})


def test_moodle_gets_final_scores_and_loses_none(course: Path) -> None:
    said = export(course, Moodle)
    item = moodle_item(set(CLASS))
    item.import_grades(course / "gradebook" / "moodle" / f"{ONE}.csv", "Username", ONE)
    assert item.grades == {
        "student-01": 30,
        "student-02": 17.5,
        "student-03": 30,  # cut off
        "student-04": 0,
        "student-05": 4,
        "student-06": 5,
        "five@example.org": 4,
        "student-08": 12,
        "student-09": 0.3333,
        "student-10": 12,
    }
    assert item.feedback["student-02"].startswith("17.5 of 30 points: 20 automatic, 2.5 off for lateness.")
    assert "student-03 have more than 30 points; Moodle cuts them off" in said
    item = moodle_item(set(CLASS))
    item.import_grades(course / "gradebook" / "moodle" / f"{TWO}.csv", "Username", TWO)
    assert item.grades["student-01"] == 9.5
    assert item.grades["student-05"] == 4


def test_moodle_by_email_leaves_out_whom_it_could_confuse(course: Path, tmp_path: Path) -> None:
    """Of a line without an identifier, Moodle takes the student of the line before."""
    said = export(course, Moodle, "--Moodle.identifier=useremail", f"--to={tmp_path}", "--Moodle.zero_for_missing=True")
    item = moodle_item({email for _, _, email, *_ in CLASS.values()})
    item.import_grades(tmp_path / f"{ONE}.csv", "Email address", ONE)
    assert item.grades["four@example.org"] == 0
    assert item.grades["five@example.org"] == 0
    assert item.feedback["five@example.org"] == "Nothing was handed in."
    assert "eight@example.org" not in item.grades
    assert "student-08, student-09, student-10" in said


def test_the_models_of_the_platforms_refuse_what_the_platforms_refuse(tmp_path: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text("Name,Id,x,Section,E\nA,1,,A,3\n")
    with pytest.raises(RefusedError):
        canvas_course().import_grades(bad)
    bad.write_text("Username,E,E (feedback)\nstudent-01,101,\n")
    with pytest.raises(RefusedError):
        moodle_item(set(CLASS)).import_grades(bad, "Username", "E")
    bad.write_text("Username,E,E (feedback)\nstudent-01,1,\n,2,\n")
    item = moodle_item(set(CLASS))
    item.import_grades(bad, "Username", "E")
    assert item.grades["student-01"] == 2


def test_no_cell_is_a_formula(course: Path) -> None:
    export(course, Canvas, *CANVAS)
    export(course, Moodle)
    for path in (course / "gradebook").rglob("*.csv"):
        cells = [cell for row in rows_of(path) for cell in row]
        assert not [cell for cell in cells if cell.lstrip()[:1] in tuple("=+-@\t\r\n") and cell]
        assert path.stem == TWO or any(FORMULA in cell for cell in cells)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r=", " =", "\n@", "＝"])
def test_text_that_starts_like_a_formula_gets_an_apostrophe(start: str) -> None:
    assert text(f"{start}SUM(A1)")[0] == "'"
    assert not is_plain(f"{start}SUM(A1)")


def test_numbers_have_no_exponent() -> None:
    values = {30.0: "30", 2.5: "2.5", 1e-9: "0", 1 / 3: "0.3333", -0.0: "0", 1e6: "1000000"}
    assert {value: number(value) for value in values} == values


def test_gradescope_results_of_a_class(course: Path) -> None:
    said = export(course, Gradescope, "--Gradescope.visibility=after_published", "--Gradescope.zero_for_missing=True")
    paths = (course / "gradebook" / "gradescope" / ONE).glob("*/results.json")
    written = {path.parent.name: json.loads(path.read_text()) for path in paths}
    assert {name: made["score"] for name, made in written.items()} == {
        "student-01": 30,
        "student-02": 17.5,
        "student-03": 33,
        "student-04": 0,
        "student-05": 0,
        "student-08": 12,
        "student-09": 0.3333,  # to the digit of every other table
        "student-10": 12,
    }
    late, by_hand = written["student-02"], written["student-08"]
    assert late["output"] == "Lateness costs 2.5 points."
    assert {test["visibility"] for test in late["tests"]} == {"after_published"}
    assert [(test["score"], test["max_score"], test["status"]) for test in late["tests"]] == [(20, 30, "failed")]
    assert "Graded by hand: 12 points." in by_hand["tests"][0]["output"]
    assert "Extra credit: 3 points." in written["student-03"]["tests"][0]["output"]
    assert "Well explained." in written["student-03"]["tests"][0]["output"]
    assert written["student-05"]["output"] == "Nothing was handed in."
    assert "student-07" in said


def test_nbgrader_finds_the_exporters_by_name(course: Path) -> None:
    """As a person calls them, in a process of their own."""
    done = nbgrader(course, "export", "--exporter=autograder.exports.moodle.Moodle", "--Moodle.feedback=False")
    assert "Wrote" in done.stderr
    assert "Unrecognized" not in done.stderr


@proof
def test_reasons_of_a_graded_class_are_moodle_feedback_and_gradescope_tests(tmp_path: Path) -> None:
    course = new_course(tmp_path)
    wrong = solved(EXERCISE, partials="def partials(x, w, b):\n    return {'x': '\\\\\",100<i>'}\n")
    hand_in(course, "student-01", EXERCISE, as_bytes(wrong))
    hand_out(course)
    nbgrader(course, "autograde", EXERCISE)
    export(course, Moodle)
    export(course, Gradescope)
    item = MoodleItem({"student-01"}, 30, {}, {})
    item.import_grades(course / "gradebook" / "moodle" / f"{EXERCISE}.csv", "Username", EXERCISE)
    assert item.grades == {"student-01": 27}
    assert "27 of 30 points.<br>partials 0 of 3: " in item.feedback["student-01"]
    assert "&quot;,100&lt;i&gt;" in item.feedback["student-01"]
    made = json.loads((course / "gradebook" / "gradescope" / EXERCISE / "student-01" / "results.json").read_text())
    assert [test["name"] for test in made["tests"]][:2] == ["forward_values", "partials"]
    assert made["tests"][1]["status"] == "failed"
    assert "[missed]" in made["tests"][1]["output"]
