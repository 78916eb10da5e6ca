"""A row of the gradebook beside what was graded, and beside the late penalty that is due."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.utils import parse_utc
from traitlets.config import Config

from autograder.classroom.course import Submission
from autograder.classroom.current_rows import Row, Rows, is_worth_telling, same_penalty, why_stale
from autograder.gradebook_access.graded_answers import keep_answers
from autograder.gradebook_access.penalties import LatePenalties
from autograder.notebooks.submission_files import time_of
from autograder.verdicts.graded_notebook import GradedNotebook

VERDICTS = [{"task": "f", "points": 2.0}, {"task": "g", "points": 1 / 3}]
TIME = datetime(2026, 1, 3, 11)
STUDENT = Submission("student-01", "01", "f", Path())


def row(**changed: object) -> Row:
    """A current one, changed."""
    return Row(**{"timestamp": TIME, "extension": None, "penalty": None} | {"automatic": automatic()} | changed)


def automatic(**changed: float | None) -> dict[str, float | None]:
    return {"check_f": 2.0, "check_g": 0.333333333, "essay": None} | changed


@pytest.mark.parametrize(
    ("found", "time", "why"),
    [
        (row(), str(TIME), ""),
        (row(timestamp=None), "", ""),
        (row(), "", "held another time of submission"),  # of an earlier hand-in
        (row(penalty=1.0, score=5.0), str(TIME), ""),
        (None, str(TIME), "missing"),
        (row(automatic=automatic(check_f=0.0)), str(TIME), "held other scores"),
        (row(automatic=automatic(check_g=None)), str(TIME), "held other scores"),
        (row(automatic={}), str(TIME), "held other scores"),
        (row(timestamp=None), str(TIME), "held another time of submission"),
        (row(), "2026-01-03 12:00:00", "held another time of submission"),
    ],
)
def test_a_row_is_stale_where_it_differs_from_the_kept_result(found: Row | None, time: str, why: str) -> None:
    assert why_stale(found, VERDICTS, parse_utc(time or None), GradedNotebook()) == why


@pytest.mark.parametrize(
    ("kept", "graded", "why"),
    [
        ({"essay": ["a", 3.0]}, {"essay": ["a", 3.0]}, ""),
        ({"essay": ["b", 3.0]}, {"essay": ["a", 3.0]}, "held points given by hand for other answers"),
        ({}, {"essay": ["a", 3.0]}, ""),
        ({"essay": ["b", 3.0]}, {}, ""),  # an older version of the course graded it
    ],
)
def test_a_row_is_stale_where_its_points_by_hand_are_for_another_answer(
    kept: dict, graded: dict, why: str, tmp_path: Path
) -> None:
    path = tmp_path / "graded.ipynb"
    path.write_text(json.dumps({"cells": [], "metadata": {"autograder": {"answers": graded}}}))
    assert why_stale(row(answers=kept), VERDICTS, TIME, GradedNotebook.read(path)) == why


@pytest.mark.parametrize(
    ("content", "found", "told"),
    [
        (None, None, False),  # as most archives bring it
        (None, row(timestamp=None), False),
        (None, row(), True),
        (b"soon", None, True),
        (b"2026-01-03 11:00:00", row(), False),
    ],
)
def test_an_unknown_time_is_told_where_there_was_one_or_it_cannot_be_read(
    content: bytes | None, found: Row | None, told: bool, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / "timestamp.txt").write_bytes(content)
    assert is_worth_telling(time_of(tmp_path, ()), found) is told


def late_work(lost: float, table: Path) -> LatePenalties:
    config = Config()
    config.AssignLatePenalties.plugin_class = "autograder.nbgrader_plugin.late_work.LateWork"
    config.LateWork.lost_per_day, config.LateWork.extensions = lost, str(table)
    return LatePenalties(config, "01")


@pytest.mark.parametrize(
    ("lost", "changed", "hours", "penalty"),
    [
        (0.1, {}, 0, 2.0),
        (0.1, {"extension": timedelta(days=1)}, 0, 1.0),
        (0.1, {"extension": timedelta(days=2)}, 0, None),
        (0.1, {}, 24, 1.0),
        (0.1, {"timestamp": None}, 0, None),
        (0.1, {"timestamp": TIME - timedelta(days=2)}, 0, None),
    ],
)
def test_the_penalty_is_the_one_that_nbgrader_would_assign(
    lost: float, changed: dict, hours: int, penalty: float | None, tmp_path: Path
) -> None:
    table = tmp_path / "extensions.csv"
    table.write_text(f"student,assignment,hours\nstudent-01,01,{hours}\n")
    late = row(score=10.0, **changed)
    assert Rows(datetime(2026, 1, 1, 12), late_work(lost, table), {}).penalty_due(STUDENT, late) == penalty
    assert Rows(None, late_work(lost, table), {}).penalty_due(STUDENT, late) is None


@pytest.mark.parametrize(("asked", "taken"), [(30.0, 10.0), (-1.0, 0.0), (None, None)])
def test_a_plug_in_of_ones_own_is_cut_as_nbgrader_cuts_it(asked: float | None, taken: float | None) -> None:
    class Asking(LateSubmissionPlugin):
        def late_submission_penalty(self, student: str, score: float, late: float) -> float | None:
            return asked

    config = Config()
    config.AssignLatePenalties.plugin_class = Asking
    assert LatePenalties(config, "01").for_lateness("student-01", 10.0, 60.0) == taken


def test_a_course_without_penalties_has_none() -> None:
    config = Config()
    config.Autograde.autograde_preprocessors = ["nbgrader.preprocessors.SaveAutoGrades"]
    assert LatePenalties(config, "01").for_lateness("student-01", 10.0, 1e6) is None
    assert same_penalty(None, 0.0)
    assert not same_penalty(None, 1.0)


def test_rows_are_read_as_nbgrader_shows_them(new_gradebook: Path) -> None:
    with Gradebook(f"sqlite:///{new_gradebook}") as gradebook:
        gradebook.add_assignment("02")
        gradebook.update_or_create_submission("01", "student-01", timestamp=str(TIME))
        for name, scores in {"check_f": (1.0, 2.5, 1.0), "essay": (0.0, None, 0.5)}.items():
            grade = gradebook.find_grade(name, "f", "01", "student-01")
            grade.auto_score, grade.manual_score, grade.extra_credit = scores
        gradebook.db.commit()
        (notebook,) = gradebook.find_submission("01", "student-01").notebooks
        keep_answers(gradebook, {notebook.id: {"essay": ["a", 3.0]}})
        gradebook.db.commit()
        rows = Rows.read(gradebook, "01", LatePenalties(Config(), "01"))
        found, shown = rows.of(STUDENT), gradebook.find_submission("01", "student-01")
        assert (found.timestamp, found.penalty, found.score) == (TIME, None, shown.score)
        assert found.answers == {"essay": ["a", 3.0]}
        assert found.automatic == {"check_f": 1.0, "essay": 0.0, "drawing": None}
        assert rows.of(Submission("student-02", "01", "f", Path())) is None
        assert Rows.read(gradebook, "02", rows.penalties).of(STUDENT) is None
