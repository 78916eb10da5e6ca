"""Classes to measure on: a course in a folder, with so many different right submissions handed in."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.submissions import COURSE, as_bytes, remarked, solved

PLUGIN = "c.Autograde.exporter_class"


def new_class(folder: Path, exercise: str, size: int, *, stock: bool = False) -> Path:
    """A course whose gradebook knows the exercise, with `size` submissions that differ in a comment.

    Args:
        folder: where; made anew.
        exercise: "01_scalar_graphs".
        size: how many submissions.
        stock: without this project's traits, so that nbgrader runs everything in its kernel.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("solutions", "exercises"):
        shutil.copytree(COURSE / name / exercise, folder / name / exercise)
    config = (COURSE / "nbgrader_config.py").read_text()
    (folder / "nbgrader_config.py").write_text(config[: config.index(PLUGIN)] if stock else config)
    subprocess.run(
        ["nbgrader", "generate_assignment", exercise, "--force"], cwd=folder, check=True, capture_output=True
    )
    for number in range(size):
        notebook = remarked(solved(exercise), number)
        place = folder / "gradebook" / "submitted" / f"student-{number:04}" / exercise
        place.mkdir(parents=True)
        (place / f"{exercise}.ipynb").write_bytes(as_bytes(notebook))
    return folder
