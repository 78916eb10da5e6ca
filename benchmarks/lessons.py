"""The time that each lesson takes from a clean kernel, on all cores, as for a reader."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tests.lessons import executed
from tests.submissions import COURSE


def seconds_of_lessons() -> dict[str, float]:
    """Run the lessons one after another and return each one's wall seconds, including the kernel's start."""
    return {path.stem: _seconds(path.stem) for path in sorted((COURSE / "lessons").glob("*.ipynb"))}


def _seconds(lesson: str) -> float:
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        executed(lesson, Path(folder))
    return time.monotonic() - start
