"""Why something could not be graded: a sentence with what to do, never a word about a traceback that nobody sees."""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import ClearHiddenTests
from sqlalchemy.exc import OperationalError
from traitlets import TraitError

from autograder.gradebook_access.reasons import reason
from autograder.nbgrader_plugin import visible_log
from autograder.nbgrader_plugin.extensions import ExtensionsError
from tests.course import hand_in, new_course
from tests.depth import proof
from tests.submissions import as_bytes, released

EXERCISE = "01_scalar_graphs"
BROKEN = """from nbgrader.preprocessors import NbGraderPreprocessor
class Broken(NbGraderPreprocessor):
    def preprocess(self, nb, resources):
        raise ZeroDivisionError("a step of your own")
"""
NAMED = """c = get_config()
c.Autograde.sanitize_preprocessors = ["own_steps.Broken"]
"""
LISTED = '"own_steps.Broken"'
STEP = "a defect of the grader, please report it: ZeroDivisionError: a step of your own (own_steps.py, line 4)"


def refused(message: str) -> OperationalError:
    return OperationalError("UPDATE grade", {}, sqlite3.OperationalError(message))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ExtensionsError("line 2: no"), "line 2: no"),
        (NbGraderException("No notebooks found"), "No notebooks found"),
        (PermissionError(errno.EACCES, "Permission denied", "/c/secret_seed"), "/c/secret_seed is not open to "),
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "/c/x"), "/c/x: No such file or directory: see "),
        (refused("database is locked"), "the database refused it (database is locked): wait for the program that hol"),
        (refused("attempt to write a readonly database"), "the database refused it (attempt to write a readonly dat"),
        (MissingEntry("No such submission: 01 for x"), "the gradebook does not know it (No such submission: 01 for x"),
        (TraitError("expected a float"), "a setting cannot be used (expected a float): correct it in settings.py"),
        (RuntimeError("the grader failed:\nTraceback\nValueError: no"), "a defect of the grader, please report it: R"),
    ],
)
def test_each_kind_says_what_to_do(error: Exception, said: str) -> None:
    assert reason(error).startswith(said)
    assert "\n" not in reason(error)


def test_what_nbgraders_own_steps_refuse_is_no_defect_of_the_grader() -> None:
    cell = new_code_cell("### BEGIN HIDDEN TESTS\n### BEGIN HIDDEN TESTS", metadata={"nbgrader": {"grade": True}})
    with pytest.raises(RuntimeError) as caught:
        ClearHiddenTests().preprocess(new_notebook(cells=[cell]), {})
    assert reason(caught.value).startswith("nbgrader refuses this notebook: Encountered nested begin hidden tests")


def test_the_error_behind_another_counts() -> None:
    behind = NbGraderException("There was an error accessing the nbgrader database.")
    behind.__cause__ = refused("database is locked")
    assert "database is locked" in reason(behind)


def test_a_row_that_is_missing_is_no_trouble_of_the_database(tmp_path: Path) -> None:
    """nbgrader raises it while it handles one of SQLAlchemy's errors."""
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as gradebook, pytest.raises(MissingEntry) as missing:
        gradebook.find_submission_notebook("01", "01", "student-01")
    assert reason(missing.value) == (
        "the gradebook does not know it (No such submitted notebook: 01/01 for student-01): if an older one was put "
        "back, run `autograder grade` first"
    )


def logged(level: int, message: str) -> str:
    """What nbgrader's converter logs while it handles an exception."""
    handler = logging.NullHandler(level)
    logging.getLogger("AutogradeApp").addHandler(handler)
    try:
        raise ExtensionsError("line 2: no")
    except ExtensionsError:
        place = f"/x{visible_log.CONVERTERS}/base.py"
        return visible_log.VisibleRecord("AutogradeApp", logging.ERROR, place, 1, message, (), None).getMessage()
    finally:
        logging.getLogger("AutogradeApp").removeHandler(handler)


def test_a_traceback_of_nbgrader_is_logged_as_its_reason() -> None:
    assert logged(logging.INFO, "Traceback (most recent call last):\n  x") == "Not done: line 2: no"
    assert logged(logging.DEBUG, "Traceback (most recent call last):\n  x").startswith("Traceback")
    assert logged(logging.INFO, "Please see the the above traceback for") == (
        "What could not be converted is named above, with its reason."
    )


def graded(course: Path, command: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "autograder.command_line", "grade"] if command[0] == "a" else command.split()
    environment = os.environ | {"PYTHONPATH": str(course)}
    return subprocess.run([*words, EXERCISE], cwd=course, env=environment, capture_output=True, text=True)


@proof
@pytest.mark.parametrize("command", ["autograder grade", "nbgrader autograde"])
def test_a_failing_step_is_named(command: str, tmp_path: Path) -> None:
    course = new_course(tmp_path / "course")
    hand_in(course, "student-01", EXERCISE, as_bytes(released(EXERCISE)))
    (course / "own_steps.py").write_text(BROKEN)
    (course / "gradebook" / "settings.py").write_text(NAMED)
    done = graded(course, command)
    assert done.returncode == 1
    said = " ".join((done.stdout + done.stderr).split())
    assert STEP in said
    assert "raceback" not in said


@proof
def test_a_step_that_workers_cannot_import_is_refused(tmp_path: Path) -> None:
    course = new_course(tmp_path / "course")
    hand_in(course, "student-01", EXERCISE, as_bytes(released(EXERCISE)))
    (course / "gradebook" / "settings.py").write_text(f"{BROKEN}{NAMED.replace(LISTED, 'Broken')}")
    done = graded(course, "autograder grade")
    assert done.returncode == 2
    assert "workers cannot import the step " in " ".join(done.stderr.split())
    assert "raceback" not in done.stdout + done.stderr
