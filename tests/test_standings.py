"""One function says where a student stands: the same points and words in every table and export."""

from __future__ import annotations

import csv
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from traitlets.config import PyFileConfigLoader

from autograder import scores
from autograder.exports.canvas import Canvas
from autograder.exports.grades_csv import Grades
from autograder.exports.gradescope import Gradescope
from autograder.exports.moodle import Moodle
from autograder.grader.fingerprint import sources
from autograder.grader.sandbox_outputs import NO_CHECK, not_a_check
from autograder.nbgrader_plugin.ungraded_cells import LeaveUngraded
from autograder.standings.cell_score import NOT_RUN, why_not_graded
from autograder.standings.handed_in import LATER, digest
from autograder.standings.open_cells import open_cells
from autograder.standings.standing import Standing, standings
from autograder.standings.state import State
from autograder.terminal import Terminal
from autograder.verdicts.verdict import VERDICT
from tests.course import hand_in, hand_in_graded
from tests.learning_platforms import rows_of
from tests.own_assignment import asserts, essay
from tests.submissions import COURSE
from tests.test_exports import export

NAME = "03_points"
LATE_WORK = """
c.AssignLatePenalties.plugin_class = "autograder.nbgrader_plugin.late_work.LateWork"
c.LateWork.lost_per_day = 0.1
"""
DUE, LATE = "2026-01-01 12:00:00 UTC", "2026-01-02 10:00:00 UTC"
TIMES = {"student-02": "2026-01-05 10:00:00 UTC", "student-04": LATE}
"""When somebody handed in late: four days, and one."""
CLASS = {
    # id: points of the check, by hand, extra, lateness, points of the essay, what becomes of it
    "student-01": (15.0, None, 0.0, 0.0, 6.0, "21/21", "15 automatic, 6 by hand"),
    "student-02": (15.0, None, 0.0, 8.4, 6.0, "12.6/21", "15 automatic, 6 by hand, 8.4 off for lateness"),
    "student-03": (3.0, 14.5, 2.0, 0.0, 0.0, "16.5/21", "14.5 by hand, 2 extra credit"),
    "student-04": (10 / 3, None, 0.0, 1 / 3, 0.0, "3/21", "3.3333 automatic, 0 by hand, 0.3333 off for lateness"),
    "student-05": (15.0, None, 0.0, 0.0, None, "-/21", "waits for a person; so far 15"),
    "student-06": (None, None, 0.0, 0.0, 6.0, "-/21", "not graded; so far 6 by hand"),
    "student-07": (0.0, None, 0.0, 0.0, 0.0, "0/21", "0 by hand"),
}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course whose gradebook holds the class above; student-08 is not graded, student-09 handed nothing in.

    student-10 handed in, and the gradebook does not know them.
    """
    folder = tmp_path_factory.mktemp("standings")
    (folder / "nbgrader_config.py").write_text((COURSE / "nbgrader_config.py").read_text() + LATE_WORK)
    (folder / "gradebook").mkdir()
    names = [*CLASS, "student-08", "student-09"]
    lines = [f"{name},{number},S,{name},X," for number, name in enumerate(names, start=1)]
    (folder / "roster.csv").write_text("\n".join(["Student,ID,SIS User ID,SIS Login ID,Section,03_points", *lines]))
    with Gradebook(f"sqlite:///{folder}/gradebook/gradebook.db") as gradebook:
        gradebook.add_assignment(NAME, duedate=DUE)
        gradebook.add_notebook(NAME, NAME)
        for cell, most, kind in (("check_sums", 15, "code"), ("essay", 6, "markdown")):
            gradebook.add_grade_cell(cell, NAME, NAME, max_score=most, cell_type=kind)
            gradebook.add_source_cell(cell, NAME, NAME, cell_type=kind, locked=kind == "code", source="x")
        gradebook.add_solution_cell("essay", NAME, NAME)
        for student in names:
            gradebook.add_student(student)
        for student, (automatic, by_hand, extra, penalty, written, *_) in CLASS.items():
            time = {"timestamp": TIMES[student]} if student in TIMES else {}
            gradebook.add_submission(NAME, student, **time)
            hand_in_graded(folder, student, NAME, *time.values())
            (notebook,) = gradebook.find_submission(NAME, student).notebooks
            notebook.late_submission_penalty = penalty
            for grade in notebook.grades:
                test = grade.cell.name == "check_sums"
                grade.auto_score, grade.manual_score = (automatic, by_hand) if test else (None, written)
                grade.extra_credit = extra if test else None
                grade.needs_manual_grade = grade.auto_score is None and grade.manual_score is None
        gradebook.db.commit()
    for name in ("student-08", "student-10"):
        hand_in(folder, name, NAME, b"{}")
    return folder


@pytest.fixture
def gradebook(course: Path) -> Iterator[Gradebook]:
    """The course's, open."""
    with Gradebook(f"sqlite:///{course}/gradebook/gradebook.db") as gradebook:
        yield gradebook


def directory(course: Path) -> CourseDirectory:
    """Where the course's files are."""
    return CourseDirectory(config=PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config())


def by_student(course: Path, gradebook: Gradebook) -> dict[str, Standing]:
    """Where the class stands."""
    return {one.student: one for one in standings(gradebook, directory(course), NAME)}


def test_a_standing_says_how_its_points_came_about(course: Path, gradebook: Gradebook) -> None:
    found = by_student(course, gradebook)
    for student, (*_, shown, account) in CLASS.items():
        assert (found[student].shown, found[student].summary) == (shown, account), student
    assert found["student-08"].summary == "not graded: handed in, and not graded since"
    assert found["student-09"].state is State.MISSING


def test_a_cell_that_nobody_has_graded_says_why(course: Path, gradebook: Gradebook) -> None:
    why = NOT_RUN
    (cell, _) = by_student(course, gradebook)["student-06"].cells
    assert cell.why == f"not graded: {why}"
    assert f"{NAME}: sums: not graded in 1 submission ({why})" in open_cells(gradebook, NAME)
    assert why_not_graded('check("sums")') == NO_CHECK
    assert NO_CHECK in not_a_check()["evalue"]


def test_all_tables_and_exports_agree_to_the_digit(course: Path, capsys: pytest.CaptureFixture) -> None:
    final = {name: line[-2].partition("/")[0] for name, line in CLASS.items() if line[-2] != "-/21"}
    before = Path.cwd()
    os.chdir(course)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(scores, "Terminal", lambda: Terminal(width=160))
            assert scores.print_scores(NAME) == 0
    finally:
        os.chdir(before)
    rows = [[cell.strip() for cell in line.split("│")] for line in capsys.readouterr().out.splitlines()]
    table = {row[1]: row[3] for row in rows if len(row) > 4 and row[1].startswith("student-")}
    assert table == {name: line[-2] for name, line in CLASS.items()} | {"student-08": "-/21", "student-10": "-/21"}
    said = export(course, Canvas, "--Canvas.roster=roster.csv")
    assert {row[0]: row[-1] for row in rows_of(course / "gradebook" / "canvas.csv")[2:]} == final
    export(course, Moodle)
    moodle = rows_of(course / "gradebook" / "moodle" / f"{NAME}.csv")[1:]
    assert {row[0]: row[3] for row in moodle} == final
    (late,) = (row[4] for row in moodle if row[0] == "student-02")
    assert late == "12.6 of 21 points: 15 automatic, 6 by hand, 8.4 off for lateness."
    export(course, Gradescope)
    files = (course / "gradebook" / "gradescope" / NAME).glob("*/results.json")
    assert {path.parent.name: f"{json.loads(path.read_text())['score']:g}" for path in files} == final
    for words in (
        f"{NAME}: waits for a person, left out: student-05 (finish them in the formgrader, export again).",
        f"{NAME}: not graded, left out: student-06 (no check grades all of their cells",
        f"{NAME}: not graded, left out: student-08, student-10 (handed in, and not graded since: run ",
        f"`autograder grade {NAME}`).",
        f"{NAME}: nothing handed in, left out: student-09",
    ):
        assert words in said


def test_the_csv_has_a_word_for_each_state_and_the_parts_of_each_score(course: Path) -> None:
    export(course, Grades)
    with (course / "gradebook" / "grades.csv").open(newline="") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    final = {name: float(row["score"]) for name, row in rows.items() if row["score"]}
    assert final == {name: float(line[-2][:-3]) for name, line in CLASS.items() if line[-2] != "-/21"} | {
        "student-09": 0.0  # as nbgrader writes it; the word beside it says why
    }
    assert {name: row["state"] for name, row in rows.items() if row["state"] != "graded"} == {
        "student-05": "waits for a person",
        "student-06": "not graded",
        "student-08": "not graded",
        "student-09": "nothing handed in",
        "student-10": "not graded",
    }
    late = rows["student-02"]
    parts = [late[name] for name in ("automatic", "by_hand", "extra_credit", "late_submission_penalty", "score")]
    assert parts == ["15.0", "6.0", "0.0", "8.4", "12.6"]
    assert rows["student-06"]["reason"] == "sums not graded"
    for name in final:
        parts = ("automatic", "by_hand", "extra_credit", "raw_score", "late_submission_penalty", "score")
        automatic, by_hand, extra, raw, penalty, score = (float(rows[name][part] or 0) for part in parts)
        assert round(automatic + by_hand + extra, 4) == raw
        assert max(0.0, round(raw - penalty, 4)) == score


def graded_notebook(*outputs: dict) -> nbformat.NotebookNode:
    """A graded notebook: an assert, and a written answer."""
    tested = asserts(15)
    tested.metadata.nbgrader["grade_id"], tested.outputs = "check_sums", [nbformat.from_dict(one) for one in outputs]
    return nbformat.v4.new_notebook(cells=[tested, essay(6)])


def verdict_of(kind: str) -> dict:
    """The display of a verdict, as grading writes it."""
    results = [{"kind": kind}, {"kind": "passed"}]
    return {"output_type": "display_data", "metadata": {}, "data": {VERDICT: {"task": "sums", "results": results}}}


@pytest.mark.parametrize(
    ("output", "by_hand", "left"),
    [
        (not_a_check(), None, (None, True)),
        (not_a_check(), 4.0, (None, False)),  # a person has graded it
        (verdict_of("defect"), None, (8.0, True)),
        (verdict_of("wrong"), None, (8.0, False)),
    ],
    ids=["no check", "given by hand", "a check of ours that failed", "a wrong answer"],
)
def test_what_no_check_has_judged_keeps_no_points(
    output: dict, by_hand: float | None, left: tuple, course: Path, tmp_path: Path
) -> None:
    shutil.copy(course / "gradebook" / "gradebook.db", tmp_path)
    url = f"sqlite:///{tmp_path}/gradebook.db"
    with Gradebook(url) as gradebook:
        grade = gradebook.find_grade("check_sums", NAME, NAME, "student-01")
        grade.auto_score, grade.manual_score, grade.needs_manual_grade = 8.0, by_hand, False  # as nbgrader leaves it
        gradebook.db.commit()
    about = {"nbgrader": {"notebook": NAME, "assignment": NAME, "student": "student-01", "db_url": url}}
    notebook, _ = LeaveUngraded().preprocess(graded_notebook(output), about)
    assert notebook.metadata["autograder"]["graded"] == digest(sources(notebook.cells))
    with Gradebook(url) as gradebook:
        grade = gradebook.find_grade("check_sums", NAME, NAME, "student-01")
        assert (grade.auto_score, grade.needs_manual_grade) == left


def test_scores_of_another_hand_in_are_not_current(course: Path, gradebook: Gradebook, tmp_path: Path) -> None:
    def said() -> str:
        return by_student(copy, gradebook)["student-02"].summary

    copy = tmp_path / "course"
    shutil.copytree(course, copy)
    handed_in = graded_notebook()
    handed_in.cells.insert(0, nbformat.v4.new_code_cell("total = 3"))
    handed_in.cells[1].source = "x"
    hand_in(copy, "student-02", NAME, nbformat.writes(handed_in).encode())
    graded = copy / "gradebook" / "autograded" / "student-02" / NAME / f"{NAME}.ipynb"
    graded.unlink()
    assert said() == "not current: its graded notebook is not there; it was 12.6"
    handed_in.metadata["autograder"] = {"graded": digest(sources(handed_in.cells))}
    nbformat.write(handed_in, graded)
    assert said() == "15 automatic, 6 by hand, 8.4 off for lateness"
    handed_in.cells[0].source = "total = 4"
    folder = hand_in(copy, "student-02", NAME, nbformat.writes(handed_in).encode())
    assert said().startswith("not current: handed in anew")
    handed_in.cells[0].source = "total = 3"
    hand_in(copy, "student-02", NAME, nbformat.writes(handed_in).encode())
    (folder / "timestamp.txt").write_text(LATE)
    assert said() == f"not current: {LATER}; it was 12.6"
    failed = copy / "gradebook" / "results" / NAME / "student-02"
    failed.mkdir(parents=True, exist_ok=True)
    (failed / f"{NAME}.failed").write_text("the grader ended\x1b[2J")
    graded.unlink()
    assert said() == "not current: grading it failed (the grader ended\\x1b[2J); it was 12.6"
