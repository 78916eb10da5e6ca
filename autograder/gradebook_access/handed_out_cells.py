"""Digests of the cells of every release, recorded when an exercise is generated.

They let grading tell a cell of an older release from one that a student has edited. They are stored in
`gradebook/releases/<assignment>/<notebook>.json`, so releases made on another machine, or recorded in a gradebook
that is gone, are unknown.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory

from autograder.gradebook_access.folder import gradebook_folder
from autograder.whole_files import write_whole

FORMAT = 1
MarkedCell = tuple[dict[str, Any], str, str]
"""A cell with a grade_id: (nbgrader metadata, cell type, source)."""
Release = Mapping[str, str]
"""The cells of one release: grade_id -> digest if the cell is locked, empty if students write in it."""


def cell_digest(kind: str, source: str) -> str:
    """Return a digest of a cell's type and source."""
    return hashlib.sha256(f"{kind}\0{source}".encode(errors="replace")).hexdigest()[:32]


def release_of(cells: Iterable[MarkedCell]) -> Release:
    """Compute the digests of a release from its cells."""
    return {meta["grade_id"]: cell_digest(kind, source) if meta["locked"] else "" for meta, kind, source in cells}


def releases(course: CourseDirectory, assignment: str, notebook: str) -> list[Release]:
    """Read the known releases of a notebook: those recorded, and the one in the release folder."""
    folder = Path(course.format_path(course.release_directory, ".", assignment))
    try:
        released = [release_of(marked_cells(nbformat.read(folder / f"{notebook}.ipynb", as_version=4)))]
    except (OSError, ValueError, LookupError, AttributeError, nbformat.ValidationError):
        released = []  # there is no released notebook, or it is not one
    return _read(_path(course, assignment, notebook)) + released


def record(course: CourseDirectory, assignment: str, notebook: str, release: Release) -> None:
    """Record a release of a notebook unless it is recorded already."""
    path = _path(course, assignment, notebook)
    known = _read(path)
    if not release or release in known:
        return
    write_whole(path, json.dumps({"format": FORMAT, "releases": [*known, release]}, indent=1).encode())


def marked_cells(notebook: NotebookNode) -> list[MarkedCell]:
    """List the cells of a notebook that have a grade_id, each with whether nbgrader locks it."""
    marked = [cell for cell in notebook.cells if "grade_id" in cell.metadata.get("nbgrader", {})]
    return [(cell.metadata.nbgrader | {"locked": _is_locked(cell)}, cell.cell_type, cell.source) for cell in marked]


def _is_locked(cell: NotebookNode) -> bool:
    """Tell whether nbgrader restores a cell's source when grading."""
    from nbgrader.utils import is_locked  # here, because only releases need it

    return bool(is_locked(cell))


def _path(course: CourseDirectory, assignment: str, notebook: str) -> Path:
    gradebook = gradebook_folder(course)
    return gradebook / "releases" / assignment / f"{notebook}.json"


def _read(path: Path) -> list[Release]:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    known: list[Release] = kept["releases"] if isinstance(kept, dict) and kept.get("format") == FORMAT else []
    return known
