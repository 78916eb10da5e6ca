"""Read a submission for nbgrader; an unreadable file becomes the released notebook with a note."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode

from autograder.notebooks.reading import UnreadableNotebookError, read_submission

KEY = "autograder"
"""Notebook metadata under this key is ours; what a submission brings under it is dropped."""


class TolerantExporter(NotebookExporter):
    """nbconvert's notebook exporter, except that no file stops a class."""

    def from_filename(self, filename: str, resources: dict | None = None, **kwargs: Any) -> tuple[str, dict[str, Any]]:
        """Convert a file, whatever is in it."""
        return self.from_notebook_node(self._read(Path(filename), resources or {}), resources=resources, **kwargs)

    def _read(self, path: Path, resources: dict) -> NotebookNode:
        step = self.parent
        if not getattr(step, "_sanitizing", True):  # our own file, written by the first pass
            return nbformat.read(path, as_version=4)
        try:
            if path.is_symlink() or not path.is_file():
                raise UnreadableNotebookError("The submission is a link or a special file, not a notebook.")
            notebook, reason = read_submission(path.read_bytes()), None
        except UnreadableNotebookError as error:
            notebook, reason = self._released(path.name, resources), str(error)
        notebook.metadata.pop(KEY, None)
        if reason is not None:
            notebook.metadata[KEY] = {"unreadable": reason}
            note = f"**This submission could not be read.** {reason} The released notebook stands in its place."
            notebook.cells.insert(0, nbformat.v4.new_markdown_cell(note, id="unreadable"))
        return notebook

    def _released(self, name: str, resources: dict) -> NotebookNode:
        coursedir = self.parent.coursedir
        assignment = resources["nbgrader"]["assignment"]
        folder = coursedir.format_path(coursedir.release_directory, ".", assignment)
        return nbformat.read(Path(folder) / name, as_version=4)
