"""Read a submission for nbgrader; an unreadable file becomes the released notebook with a note."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from traitlets import Bool, List, Unicode

from autograder.nbgrader_plugin.readiness import make_ready
from autograder.nbgrader_plugin.submission_files import FileGuard
from autograder.notebooks.reading import UnreadableNotebookError, read_submission
from autograder.notebooks.submission_files import KEPT

KEY = "autograder"
"""Notebook metadata under this key is ours; what a submission brings under it is dropped."""


class TolerantExporter(NotebookExporter):
    """nbconvert's notebook exporter, except that no file stops a class, and none is read that is not the student's."""

    kept_files = List(
        Unicode(),
        list(KEPT),
        help="Endings of a submission's files that are copied. Python files may run where JupyterLab opens a notebook.",
    ).tag(config=True)

    prepares = Bool(True, help="See first to what grading needs; a class run does so itself, once.").tag(config=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if self.prepares:
            make_ready(self.parent)
        self._guard = FileGuard(self.parent, self.kept_files)

    def from_filename(self, filename: str, resources: dict | None = None, **kwargs: Any) -> tuple[str, dict[str, Any]]:
        """Convert a file, whatever is in it."""
        return self.from_notebook_node(self._read(Path(filename), resources or {}), resources=resources, **kwargs)

    def _read(self, path: Path, resources: dict) -> NotebookNode:
        step = self.parent
        if not getattr(step, "_sanitizing", True):  # our own file, written by the first pass
            return nbformat.read(path, as_version=4)
        try:
            notebook, reason = read_submission(self._guard.notebook(path)), None
        except UnreadableNotebookError as error:
            notebook, reason = self._released(path.name, resources), str(error)
        notebook.metadata.pop(KEY, None)
        if names := self._guard.names():
            notebook.metadata[KEY] = {"left_out": names}
            listed = "\n".join(f"- `{name.replace('`', '?')}`" for name in names)
            note = f"**Some files of this submission were left out.** They stand where it was handed in.\n\n{listed}"
            notebook.cells.insert(0, nbformat.v4.new_markdown_cell(note, id="left-out"))
        if reason is not None:
            notebook.metadata.setdefault(KEY, {})["unreadable"] = reason
            note = f"**This submission could not be read.** {reason} The released notebook stands in its place."
            notebook.cells.insert(0, nbformat.v4.new_markdown_cell(note, id="unreadable"))
        return notebook

    def _released(self, name: str, resources: dict) -> NotebookNode:
        coursedir = self.parent.coursedir
        assignment = resources["nbgrader"]["assignment"]
        folder = coursedir.format_path(coursedir.release_directory, ".", assignment)
        return nbformat.read(Path(folder) / name, as_version=4)
