"""A course in a folder of its own, and nbgrader run in it as a person would."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from nbgrader.api import Gradebook

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
    """A course without a gradebook."""
    for name in ("solutions", "exercises"):
        shutil.copytree(COURSE / name, folder / name)
    shutil.copy(COURSE / "nbgrader_config.py", folder)
    return folder


def gradebook_points(course: Path, assignment: str, student: str) -> dict[str, float]:
    """What nbgrader's own API says."""
    with Gradebook(f"sqlite:///{course}/gradebook/gradebook.db") as gradebook:
        submission = gradebook.find_submission(assignment, student)
        grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
        assert not any(grade.needs_manual_grade for grade in grades)
        return {grade.cell.name.removeprefix("check_"): grade.score for grade in grades}
