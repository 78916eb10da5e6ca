"""The sample class through nbgrader itself, to the gradebook, the feedback pages and the CSV."""

from __future__ import annotations

import csv
import os
import re
import subprocess
from pathlib import Path

import nbformat
import pytest

from autograder.command_line import main
from tests.course import gradebook_points, nbgrader, new_course
from tests.depth import proof
from tests.sample_class import EXERCISE, Student, sample_class, write_class

pytestmark = proof

CLASS = sample_class()


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample class, graded."""
    course = new_course(tmp_path_factory.mktemp("course"))
    write_class(course / "gradebook" / "submitted")
    nbgrader(course, "generate_assignment", EXERCISE, "--force")
    nbgrader(course, "autograde", EXERCISE, "--Grade.cell_seconds=4", "--Grade.question_seconds=4")
    nbgrader(course, "generate_feedback", EXERCISE)
    nbgrader(course, "export")
    return course


@pytest.mark.parametrize("student", CLASS, ids=lambda student: student.situation)
def test_each_student_gets_exactly_the_points_expected(course: Path, student: Student) -> None:
    assert gradebook_points(course, EXERCISE, student.name) == student.points


def autograded(course: Path, student: str) -> nbformat.NotebookNode:
    """The notebook that nbgrader kept."""
    return nbformat.read(course / "gradebook" / "autograded" / student / EXERCISE / f"{EXERCISE}.ipynb", as_version=4)


@pytest.mark.parametrize("student", CLASS, ids=lambda student: student.situation)
def test_every_lost_point_has_a_reason_in_the_feedback(course: Path, student: Student) -> None:
    page = (course / "gradebook" / "feedback" / student.name / EXERCISE / f"{EXERCISE}.html").read_text()
    text = re.sub("<[^>]*>", "", page)
    verdicts = {}
    for cell in autograded(course, student.name).cells:
        for output in cell.get("outputs", []):
            verdict = output.get("data", {}).get("application/vnd.autograder.verdict+json")
            if verdict:
                verdicts[verdict["task"]] = verdict
    assert {task: verdict["points"] for task, verdict in verdicts.items()} == student.points
    for verdict in verdicts.values():
        assert bool(verdict["reason"]) == (verdict["points"] < verdict["maximum"])
        assert f"{verdict['task']}: {verdict['points']:g} of {verdict['maximum']:g}" in text
        assert "defect" not in {result["kind"] for result in verdict["results"]}


@pytest.mark.parametrize(
    ("situation", "said"),
    [
        ("not valid JSON", "it is not valid JSON"),
        ("another kernel", "written for &#x27;r&#x27;"),
        ("JSON, but no notebook", "has no list of cells"),
        ("an endless loop in a task", "did not finish within 4 s"),
        ("an exception in a task", "raised NameError: name &#x27;y&#x27; is not defined"),
        ("a task renamed", "The notebook defines no"),
        ("a cell that does not even compile", "its cell did not run (SyntaxError, line "),
        ("typical mistakes", "are swapped."),
        ("a cell that never ends and hears no interrupt", "did not finish within 4 s and was stopped"),
    ],
)
def test_the_reason_names_what_happened(course: Path, situation: str, said: str) -> None:
    student = next(student for student in CLASS if student.situation == situation)
    page = (course / "gradebook" / "feedback" / student.name / EXERCISE / f"{EXERCISE}.html").read_text()
    assert said in page or said.replace("&#x27;", "'") in page


def test_repaired_cells_are_told(course: Path) -> None:
    student = next(student for student in CLASS if student.situation.startswith("grade cells deleted"))
    repaired = autograded(course, student.name).metadata["autograder"]["repaired"]
    assert set(repaired) == {
        "check_forward_values (deleted)",
        "check_partials (edited)",
        "check_partials_twin (doubled)",
        "a foreign cell",
    }


def test_the_export_holds_the_totals(course: Path) -> None:
    with (course / "gradebook" / "grades.csv").open() as file:
        totals = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert totals == {student.name: sum(student.points.values()) for student in CLASS}


def test_the_seed_is_the_instructors_alone(course: Path) -> None:
    seed = course / "gradebook" / "secret_seed"
    assert seed.stat().st_mode & 0o777 == 0o600
    secret = seed.read_text()
    assert len(secret) == 64
    for path in (course / "gradebook").rglob("*"):
        if path.is_file() and path != seed:
            assert secret.encode() not in path.read_bytes()


def test_grading_again_changes_nothing(course: Path) -> None:
    student = CLASS[4]
    before = gradebook_points(course, EXERCISE, student.name)
    nbgrader(course, "autograde", EXERCISE, "--student", student.name, "--force")
    assert gradebook_points(course, EXERCISE, student.name) == before


def test_the_table_tells_student_task_points_and_reason(course: Path) -> None:
    done = subprocess.run(
        ["autograder", "scores", EXERCISE],
        cwd=course,
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "200"},
    )
    assert done.returncode == 0
    assert "student-01" in done.stdout
    assert "30/30" in done.stdout
    assert "[x and w swapped]" in done.stdout


def test_the_report_says_what_to_talk_about(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(course)
    assert main(["report", EXERCISE]) == 0
    folder = course / "gradebook" / "report" / "assignments" / EXERCISE
    text = re.sub("<[^>]*>", "", (folder / "index.html").read_text(encoding="utf-8"))
    assert "18 students have final points, of 30: the median is 26" in text
    assert "gradients never zeroed, in fit_neuron" in text
    assert "Handed in with nothing tried: student-04, student-16, student-17, student-18." in text
    assert "student-14" in text.partition("Stuck in")[2].partition("Handed in with")[0]
    with (folder / "students.csv").open(newline="", encoding="utf-8") as file:
        points = {row["student"]: float(row["points"]) for row in csv.DictReader(file)}
    assert points == {student.name: sum(student.points.values()) for student in CLASS}
