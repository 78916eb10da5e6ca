"""How long each lesson takes from a clean kernel, on all cores as a reader has them."""

from __future__ import annotations

import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from tests.submissions import COURSE


def seconds_of_lessons() -> dict[str, float]:
    """Wall seconds of each lesson, kernel start included, one after the other."""
    return {path.stem: _seconds(path) for path in sorted((COURSE / "lessons").glob("*.ipynb"))}


def _seconds(path: Path) -> float:
    start = time.monotonic()
    NotebookClient(
        nbformat.read(path, as_version=4), timeout=300, resources={"metadata": {"path": path.parent}}
    ).execute()
    return time.monotonic() - start
