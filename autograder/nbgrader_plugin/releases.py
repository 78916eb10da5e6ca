"""What was handed out: digests of every release's cells, kept when an exercise is generated.

With them, grading tells a cell of an older release from one that a student has edited. They lie in
`gradebook/releases/<assignment>/<notebook>.json`. What another machine released, or a gradebook that is gone, is not
known here.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.sharing import make_folder, share_file

FORMAT = 1
Release = Mapping[str, str]
"""grade_id -> digest of a locked cell; empty for a cell that students write in."""


def cell_digest(kind: str, source: str) -> str:
    """Name a cell's type and text."""
    return hashlib.sha256(f"{kind}\0{source}".encode(errors="replace")).hexdigest()[:32]


def release_of(cells: Iterable[tuple[dict, str, str]]) -> Release:
    """Digest the cells of a release, each given as nbgrader's metadata, type and source."""
    return {meta["grade_id"]: cell_digest(kind, source) if meta["locked"] else "" for meta, kind, source in cells}


def releases(course: CourseDirectory, assignment: str, notebook: str) -> list[Release]:
    """Read what is known to have been handed out: what was recorded, and what stands in the release folder."""
    folder = Path(course.format_path(course.release_directory, ".", assignment))
    try:
        standing = [release_of(_cells(nbformat.read(folder / f"{notebook}.ipynb", as_version=4)))]
    except (OSError, ValueError, LookupError, AttributeError, nbformat.ValidationError):
        standing = []  # nothing stands there, or something else
    return _read(_path(course, assignment, notebook)) + standing


def record(course: CourseDirectory, assignment: str, notebook: str, release: Release) -> None:
    """Add a release to those of a notebook, where it is not among them."""
    path = _path(course, assignment, notebook)
    known = _read(path)
    if not release or release in known:
        return
    make_folder(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump({"format": FORMAT, "releases": [*known, release]}, file, indent=1)
    share_file(Path(name))
    os.replace(name, path)


class RecordEarlier(NbGraderPreprocessor):
    """The first step of `nbgrader generate_assignment`: what the gradebook holds of an earlier release is kept."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Record the gradebook's cells before they are replaced."""
        from autograder.nbgrader_plugin.repair import known_cells

        about, converter = resources["nbgrader"], self.parent.parent
        if not converter.no_database:
            with Gradebook(about["db_url"]) as gradebook:
                try:
                    known = known_cells(gradebook.find_notebook(about["notebook"], about["assignment"]))
                except MissingEntry:
                    return nb, resources
            record(converter.coursedir, about["assignment"], about["notebook"], release_of(known.values()))
        return nb, resources


class RecordRelease(NbGraderPreprocessor):
    """A last step of `nbgrader generate_assignment`: what students get is recorded."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Record the cells of one notebook."""
        about = resources["nbgrader"]
        record(self.parent.parent.coursedir, about["assignment"], about["notebook"], release_of(_cells(nb)))
        return nb, resources


def _cells(notebook: NotebookNode) -> list[tuple[dict, str, str]]:
    marked = [cell for cell in notebook.cells if "grade_id" in cell.metadata.get("nbgrader", {})]
    return [(cell.metadata.nbgrader | {"locked": _is_locked(cell)}, cell.cell_type, cell.source) for cell in marked]


def _is_locked(cell: NotebookNode) -> bool:
    """As nbgrader decides it for what it restores."""
    from nbgrader.utils import is_locked

    return bool(is_locked(cell))


def _path(course: CourseDirectory, assignment: str, notebook: str) -> Path:
    gradebook = Path(course.format_path(course.submitted_directory, ".", ".")).resolve().parent
    return gradebook / "releases" / assignment / f"{notebook}.json"


def _read(path: Path) -> list[Release]:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return kept["releases"] if isinstance(kept, dict) and kept.get("format") == FORMAT else []
