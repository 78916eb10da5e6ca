"""A course in a folder of its own, and nbgrader run in it as a person would."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import nbformat
from filelock import FileLock
from nbgrader.api import Gradebook
from traitlets.config import PyFileConfigLoader

from autograder.tasks.folders import TASKS
from tests.submissions import COURSE


def nbgrader(course: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    """Run nbgrader in a course's folder; its output must not hold a traceback."""
    done = subprocess.run(
        ["nbgrader", *arguments], cwd=course, capture_output=True, text=True, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert "Traceback" not in done.stderr
    return done


def new_course(folder: Path) -> Path:
    """A course without a gradebook; its tasks are this repository's."""
    for name in ("solutions", "exercises"):
        shutil.copytree(COURSE / name, folder / name, ignore=shutil.ignore_patterns(TASKS))
    shutil.copy(COURSE / "nbgrader_config.py", folder)
    return folder


STOCK = """
for name in ("exporter_class", "sanitize_preprocessors", "autograde_preprocessors"):
    del c.Autograde[name]
"""


def make_stock(course: Path) -> None:
    """Have nbgrader grade a course as it does without this project: in the student's kernel."""
    with (course / "nbgrader_config.py").open("a") as config:
        config.write(STOCK)


def hand_out(course: Path, exercise: str = "01_scalar_graphs") -> None:
    """Give an untouched course the gradebook of `nbgrader generate_assignment`, which is made once a run."""

    def handed_out(folder: Path) -> None:
        nbgrader(new_course(folder), "generate_assignment", exercise, "--force")

    made = made_once(f"handed_out_{exercise}", handed_out)
    shutil.copytree(made / "gradebook", course / "gradebook", dirs_exist_ok=True)


def made_once(name: str, make: Callable[[Path], object]) -> Path:
    """The folder that `make` filled, for one of this run's workers and so for all of them; nobody changes it."""
    once = Path(os.environ["ONCE_A_RUN"]) / name
    with FileLock(f"{once}.lock"):
        if not once.exists():
            new = once.with_suffix(".new")
            make(new)
            new.rename(once)
    return once


def db_url(course: Path) -> str:
    """The database that a course's configuration names; that file says in the environment which course it is, too."""
    with mock.patch.dict(os.environ):
        return PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config().CourseDirectory.db_url


def gradebook_points(course: Path, assignment: str, student: str) -> dict[str, float]:
    """What nbgrader's own API says."""
    with Gradebook(db_url(course)) as gradebook:
        submission = gradebook.find_submission(assignment, student)
        grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
        assert not any(grade.needs_manual_grade for grade in grades)
        return {grade.cell.name.removeprefix("check_"): grade.score for grade in grades}


def hand_in(course: Path, student: str, assignment: str, notebook: bytes) -> Path:
    """Put a notebook where nbgrader's collector would; returns the submission's folder."""
    folder = course / "gradebook" / "submitted" / student / assignment
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{assignment}.ipynb").write_bytes(notebook)
    return folder


def hand_in_graded(course: Path, student: str, assignment: str, timestamp: str = "") -> None:
    """Put a notebook where nbgrader's collector would, and one where grading would; what was graded is in neither."""
    folder = hand_in(course, student, assignment, b"{}")
    if timestamp:
        (folder / "timestamp.txt").write_text(timestamp)
    graded = course / "gradebook" / "autograded" / student / assignment
    graded.mkdir(parents=True)
    (graded / f"{assignment}.ipynb").write_text("{}")


def start_grading(course: Path, assignment: str, *options: str) -> subprocess.Popen:
    """`autograder grade`, with two workers where no options are given, in a process group of its own."""
    command = [sys.executable, "-m", "autograder.command_line", "grade", assignment]
    command += options or ("--workers", "2")
    return subprocess.Popen(command, cwd=course, stdout=subprocess.PIPE, text=True, start_new_session=True)


def results(course: Path) -> list[Path]:
    """The results that grading has written so far."""
    return sorted(course.glob("gradebook/results/*/*/*.json"))


def wait_for_results(course: Path, count: int, run: subprocess.Popen) -> None:
    """Until so many results are written, or the run has ended; never for ever."""
    deadline = time.monotonic() + 300
    while len(results(course)) < count and run.poll() is None:
        assert time.monotonic() < deadline, f"{run.args} has no {count} results after five minutes"
        time.sleep(0.05)


def rows(course: Path, assignment: str) -> dict[str, list[tuple]]:
    """The gradebook's scores and comments, student by student."""
    with Gradebook(db_url(course)) as gradebook:
        found = {}
        for submission in gradebook.assignment_submissions(assignment):
            (notebook,) = submission.notebooks
            grades = [(g.cell.name, g.auto_score, g.manual_score, g.needs_manual_grade) for g in notebook.grades]
            comments = [(c.cell.name, c.auto_comment) for c in notebook.comments]
            found[submission.student.id] = sorted(grades) + sorted(comments) + [notebook.late_submission_penalty]
        return found


def autograded(course: Path, student: str, assignment: str) -> list[tuple]:
    """The cells of a graded notebook, without what differs from run to run."""
    path = course / "gradebook" / "autograded" / student / assignment / f"{assignment}.ipynb"
    cells = nbformat.read(path, as_version=4).cells
    shown = ("outputs", "execution_count")
    return [(cell.cell_type, cell.source, dict(cell.metadata), *map(cell.get, shown)) for cell in cells]
