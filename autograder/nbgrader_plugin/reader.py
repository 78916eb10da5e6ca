"""The reader of submissions for nbgrader, which replaces an unreadable file by the released notebook with a note."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode
from traitlets import Bool, List, Unicode

from autograder.grader.provenance import HANDED_IN, file_digest
from autograder.nbgrader_plugin.readiness import make_ready
from autograder.nbgrader_plugin.registering import released_folder
from autograder.nbgrader_plugin.submission_copy import FileGuard
from autograder.notebooks.notes import KEY, note_left_out, note_unreadable
from autograder.notebooks.reading import UnavailableNotebookError, UnreadableNotebookError, read_submission
from autograder.notebooks.submission_files import KEPT


def released_or_empty(path: Path) -> NotebookNode:
    """Return the released notebook that stands in for one that cannot be read; an empty one if it is elsewhere.

    The repair adds the graded cells to it.
    """
    try:
        notebook: NotebookNode = nbformat.read(path, as_version=4)
    except (OSError, ValueError, nbformat.ValidationError):
        notebook = nbformat.v4.new_notebook()
    return notebook


class TolerantExporter(NotebookExporter):
    """nbconvert's notebook exporter, which fails on no file, and reads only files that belong to the student."""

    kept_files = List(
        Unicode(),
        list(KEPT),
        help="Endings of a submission's files that are copied. Python files may run where JupyterLab opens a notebook.",
    ).tag(config=True)

    prepares = Bool(True, help="See first to what grading needs; a class run does so itself, once.").tag(config=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)  # type: ignore[no-untyped-call]  # nbconvert is typed in part
        if self.prepares:
            make_ready(self.parent)
        self._converter: Any = self.parent  # nbgrader's
        self._guard = FileGuard(self._converter, self.kept_files)

    def from_filename(
        self, filename: str, resources: dict[str, Any] | None = None, **kwargs: Any
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Convert a notebook file, whatever it holds.

        Returns:
            The notebook as text, although nbconvert declares a NotebookNode, and the resources.
        """
        try:
            notebook = self._read(Path(filename), resources or {})
            converted: tuple[NotebookNode, dict[str, Any]] = self.from_notebook_node(  # type: ignore[no-untyped-call]  # as above
                notebook, resources, **kwargs
            )
        except BaseException:
            self._guard.end()
            # nbgrader leaves it set then, and every notebook that this process opens later would count as graded.
            os.environ.pop("NBGRADER_EXECUTION", None)
            raise
        return converted

    def _read(self, path: Path, resources: dict[str, Any]) -> NotebookNode:
        notebook: NotebookNode
        if not getattr(self.parent, "_sanitizing", True):  # our own file, written by the first pass
            notebook = nbformat.read(path, as_version=4)
            return notebook
        raw = b""
        try:
            raw = self._guard.notebook(path)
            notebook, reason = read_submission(raw), None
        except UnavailableNotebookError:  # since the guard has looked
            raise
        except UnreadableNotebookError as error:
            notebook, reason = self._released(path.name, resources), str(error)
        notebook.metadata[KEY] = NotebookNode({HANDED_IN: file_digest(raw)})
        if names := self._guard.names():
            note_left_out(notebook, names)
        if reason is not None:
            note_unreadable(notebook, reason)
        return notebook

    def _released(self, name: str, resources: dict[str, Any]) -> NotebookNode:
        folder = released_folder(self._converter.coursedir, resources["nbgrader"]["assignment"])
        return released_or_empty(folder / name)
