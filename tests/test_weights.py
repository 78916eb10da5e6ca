"""A task is worth what its grade cell says, at every door: what is right is never marked down for it."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.utils import determine_grade

from autograder.checks.catalogue import find_task
from autograder.classroom import worker
from autograder.desk import saved_notebook
from autograder.grader.live import judge_namespace
from autograder.judging.evidence import Evidence
from autograder.notebooks.weights import weights
from autograder.verdicts.card import verdict_as_html
from autograder.verdicts.plain_text import verdict_as_text
from autograder.verdicts.verdict import Result, Verdict, weighted
from autograder.verdicts.verdict_outputs import outputs_of
from tests.class_runs import CLASS, EXERCISE, inside, run_class
from tests.course import autograded, db_url, gradebook_points, nbgrader, rows
from tests.depth import proof
from tests.submissions import cell_of, solution_sources, solved

WORTH = {"partials": 6.0, "path_sum": 1.0}
"""In place of 3 and 4 points, so that the exercise still has 30."""


def revalued(notebook: NotebookNode) -> NotebookNode:
    """The notebook as an instructor changes it: other points in the grade cells."""
    for task, points in WORTH.items():
        cell_of(notebook, f"check_{task}").metadata.nbgrader.points = points
    return notebook


def half(worth: float) -> Verdict:
    """A verdict of a task with two checks, of which one passed, in a notebook where it is worth that much."""
    results = (Result("one", 2.0, 2.0, "passed"), Result("two", 0.0, 2.0, "wrong", "It is 1."))
    return Verdict("partials", EXERCISE, "a section", results).out_of(worth)


@pytest.mark.parametrize("points", [10**400, 1e400, float("nan"), -1, True, "3", None])
def test_a_grade_cell_without_a_usable_number_has_no_weight(points: object) -> None:
    nbgrader = {"grade": True, "grade_id": "check_partials", "points": points}
    assert weights([{"cell_type": "code", "metadata": {"nbgrader": nbgrader}}]) == {}


@pytest.mark.parametrize(("worth", "earned"), [(4, "2"), (6, "3"), (1, "0.5"), (0, "0"), (10 / 3, "1.67")])
def test_a_verdict_says_the_points_of_the_notebook(worth: float, earned: str) -> None:
    verdict = half(worth)
    text = verdict_as_text(verdict)
    assert f"partials: {earned} of {round(worth, 2):g} point" in text
    none = dataclasses.replace(verdict, results=(verdict.results[1],) * 2)
    assert (f"{earned} more point" if worth else "The same shows in") in verdict_as_text(none)
    assert f"{earned} of {round(worth, 2):g} point" in verdict_as_html(verdict)
    assert "All checks passed" not in text
    assert Verdict.from_data(verdict.as_data()) == verdict


@pytest.mark.parametrize("worth", [3, 1, 7, 2 / 3, 0.6666666, 10 / 3, 1e-3, 0])
def test_nbgrader_takes_every_score(worth: float) -> None:
    """It refuses a whole submission where a score is above the cell's maximum by the last digit."""
    for points in (0.0, 1.0, 2.0):
        results = (Result("one", points, 2.0, "passed" if points == 2 else "wrong"), Result("two", 1.0, 1.0, "passed"))
        cell = nbformat.v4.new_code_cell('check("partials")')
        cell.metadata["nbgrader"] = {"grade": True, "solution": False, "points": worth, "grade_id": "check_partials"}
        cell.outputs = [
            nbformat.from_dict(one)
            for one in outputs_of(Verdict("partials", EXERCISE, "a section", results).out_of(worth))
        ]
        score, _ = determine_grade(cell)
        assert score == pytest.approx(worth * (points + 1) / 3, abs=1e-8)


def test_only_numbers_of_points_count() -> None:
    notebook = solved(EXERCISE)
    for points in ("6", None, True, float("nan"), float("inf"), -1, [6]):
        cell_of(notebook, "check_partials").metadata.nbgrader["points"] = points
        assert "partials" not in weights(notebook.cells)
    cell_of(notebook, "check_partials").metadata.nbgrader["points"] = 6
    assert weights(notebook.cells)["partials"] == 6
    assert weighted({"partials": half(4)}, {})["partials"] == half(4)


def test_a_check_in_the_notebook_says_its_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, names = tmp_path / f"{EXERCISE}.ipynb", {"__name__": "__main__"}
    exec(solution_sources(EXERCISE)["partials"], names)
    nbformat.write(revalued(solved(EXERCISE)), path)
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    verdict, _ = judge_namespace("partials", names)
    assert (verdict.points, verdict.maximum) == (6, 6)
    path.write_text("{ half a file")
    assert judge_namespace("partials", names)[0].maximum == find_task("partials").points


def test_progress_says_the_points_of_the_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"{EXERCISE}.ipynb"
    nbformat.write(revalued(solved(EXERCISE)), path)
    monkeypatch.setattr(saved_notebook, "evidence_of_file", lambda path: Evidence())
    found = saved_notebook.ExerciseProgress.of(path)
    assert found.maximum == 30
    assert (found.verdicts["partials"].maximum, found.verdicts["path_sum"].maximum) == (6, 1)


@proof
def test_points_are_changed_in_mid_term_as_documented(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/instructors.md: in solutions/, then generate_assignment, then grade --rejudge; nothing is run for it."""
    before = rows(course, EXERCISE)
    source = course / "solutions" / EXERCISE / f"{EXERCISE}.ipynb"
    nbformat.write(revalued(nbformat.read(source, as_version=4)), source)
    nbgrader(course, "generate_assignment", EXERCISE, "--force")
    monkeypatch.setattr(worker, "NotebookRun", None)
    done = run_class(course, rejudge=True, reason="other points")
    assert {one.state for student, one in done.items() if student != "student-04"} == {"judged"}
    assert done["student-01"].scaled == [
        "partials is worth 6 in the notebook and 3 in its checks",
        "path_sum is worth 1 in the notebook and 4 in its checks",
    ]
    points = gradebook_points(course, EXERCISE, "student-01")
    assert {task: points[task] for task in WORTH} == WORTH
    assert sum(points.values()) == 30
    assert sum(gradebook_points(course, EXERCISE, "student-04").values()) == 0
    for student in CLASS:
        record = json.loads((course / f"gradebook/results/{EXERCISE}/{student}/{EXERCISE}.json").read_text())
        assert record["maximum"] == 30
        assert record["points"] == sum(gradebook_points(course, EXERCISE, student).values())
    shown = str(autograded(course, "student-01", EXERCISE))
    assert "partials: 6 of 6 points" in shown
    assert "path_sum: 1 of 1 point" in shown
    with Gradebook(db_url(course)) as gradebook:
        assert gradebook.find_submission(EXERCISE, "student-01").max_score == 30
    assert {one.state for one in run_class(course).values()} == {"unchanged"}
    assert rows(course, EXERCISE) != before
    with inside(course):
        nbgrader(course, "autograde", EXERCISE, "--force", "--student", "student-01")
    assert gradebook_points(course, EXERCISE, "student-01") == points


@proof
def test_pytest_says_the_points_of_the_notebook(tmp_path: Path) -> None:
    path = tmp_path / f"{EXERCISE}.ipynb"
    nbformat.write(revalued(solved(EXERCISE)), path)
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", str(path)], capture_output=True, text=True)
    assert "partials                     6 of 6" in done.stdout, done.stdout
    assert "path_sum                     1 of 1" in done.stdout
