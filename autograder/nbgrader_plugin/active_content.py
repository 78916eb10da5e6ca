"""nbgrader's steps that remove active content from a submission, and what is too large for nbgrader's pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import compute_checksum

from autograder.sanitising.images import unsafe_images
from autograder.sanitising.inert_notebook import sanitise
from autograder.sanitising.source import shorten


class Sanitise(NbGraderPreprocessor):
    """The step that removes active content: before the first copy in `autograded` is written, and again after the run.

    It runs after `Repair`, so that the checksums, by which it recognises the course's own cells, are the gradebook's.
    """

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Remove active content from one notebook."""
        remove_active_content(nb)
        return nb, resources


class Shorten(NbGraderPreprocessor):
    """The last step, after code has run and scores are saved: shortens what pages cannot show."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Shorten one notebook's code, and remove pictures beside it, where they are too large for nbgrader's pages."""
        shorten(nb, _is_released)
        if self.parent is None:  # a class run, which copies and looks at files itself
            return nb, resources
        course, about = self.parent.parent.coursedir, resources["nbgrader"]
        copy = Path(course.format_path(course.autograded_directory, about["student"], about["assignment"]))
        for path in unsafe_images(copy):
            self.log.warning("%s is no picture, or too large for a browser: the copy is removed", path)
            path.unlink()
        return nb, resources


def remove_active_content(nb: NotebookNode) -> None:
    """Remove active content from a notebook with repaired metadata, in place."""
    sanitise(nb, _is_released)


def _is_released(cell: NotebookNode) -> bool:
    """Tell whether a cell is as the course released it."""
    meta = cell.metadata.get("nbgrader", {})
    return bool(meta.get("checksum")) and meta["checksum"] == compute_checksum(cell)
