"""How long each lesson takes from a clean kernel, on all cores as a reader has them."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tests.lessons import executed
from tests.submissions import COURSE


def seconds_of_lessons() -> dict[str, float]:
    """Wall seconds of each lesson, kernel start included, one after the other."""
    return {path.stem: _seconds(path.stem) for path in sorted((COURSE / "lessons").glob("*.ipynb"))}


def _seconds(lesson: str) -> float:
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        executed(lesson, Path(folder))
    return time.monotonic() - start
