"""Sample classes for benchmarks: a course in a folder, with different correct submissions."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.course import make_stock
from tests.submissions import COURSE, as_bytes, remarked, solved


def new_class(folder: Path, exercise: str, size: int, *more: str, stock: bool = False) -> Path:
    """Create a course whose gradebook has the exercises, with `size` submissions of each that differ in a comment.

    Args:
        folder: the course's folder; an existing one is replaced.
        exercise: the name of an exercise, such as "01_scalar_graphs".
        size: the number of submissions of each exercise.
        more: further exercises.
        stock: leave out this project's nbgrader settings, so that nbgrader runs everything in its kernel.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for one in (exercise, *more):
        for name in ("solutions", "exercises"):
            shutil.copytree(COURSE / name / one, folder / name / one)
    shutil.copy(COURSE / "nbgrader_config.py", folder)
    if stock:
        make_stock(folder)
    for one in (exercise, *more):
        subprocess.run(["nbgrader", "generate_assignment", one, "--force"], cwd=folder, check=True, capture_output=True)
        for number in range(size):
            place = folder / "gradebook" / "submitted" / f"student-{number:04}" / one
            place.mkdir(parents=True)
            (place / f"{one}.ipynb").write_bytes(as_bytes(remarked(solved(one), number)))
    return folder
