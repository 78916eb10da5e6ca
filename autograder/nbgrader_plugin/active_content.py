"""nbgrader's steps that reduce a submission to what cannot run, and to what can be shown, in the pages of others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import compute_checksum

from autograder.sanitising.notebook import sanitise
from autograder.sanitising.pictures import laborious_files
from autograder.sanitising.source import shorten


class Sanitise(NbGraderPreprocessor):
    """Runs once before the first copy is written to `autograded`, and again on what the run put into it.

    Both times after `Repair`, so that the checksums, which tell the course's own cells, are the gradebook's.
    """

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Sanitise one notebook."""
        sanitise(nb, _is_released)
        return nb, resources


class Shorten(NbGraderPreprocessor):
    """Runs last, when code has run and scores are saved."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Cut one notebook's code to what the pages can show; remove pictures beside it that they cannot."""
        shorten(nb, _is_released)
        course, about = self.parent.parent.coursedir, resources["nbgrader"]
        copy = Path(course.format_path(course.autograded_directory, about["student"], about["assignment"]))
        for path in laborious_files(copy):
            self.log.warning("%s is no picture, or too large for a browser: the copy is removed", path)
            path.unlink()
        return nb, resources


def _is_released(cell: NotebookNode) -> bool:
    """Whether a cell is as the course released it."""
    meta = cell.metadata.get("nbgrader", {})
    return bool(meta.get("checksum")) and meta["checksum"] == compute_checksum(cell)
