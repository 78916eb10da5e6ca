"""Digests of submissions, which tell whether two are the same."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from nbformat import NotebookNode

from autograder.notebooks.notes import NOTES


def fingerprint(notebook: NotebookNode) -> bytes:
    """Return the identity of a submission: the sources of its code cells."""
    return sources(notebook.cells)


def sources(cells: list[dict[str, Any]]) -> bytes:
    """Serialise the sources of a notebook's code cells."""
    return json.dumps([cell["source"] for cell in cells if cell["cell_type"] == "code"]).encode()


def written(cells: list[dict[str, Any]]) -> str:
    """Digest what a student wrote for people: the cells that are neither code nor locked, without the reader's notes.

    Args:
        cells: those of a repaired notebook, in which the gradebook has determined which are locked.
    """
    texts = [
        cell["source"]
        for cell in cells
        if cell["cell_type"] != "code"
        and not cell["metadata"].get("nbgrader", {}).get("locked")
        and cell.get("id") not in NOTES
    ]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:32]


def identity(cells: list[dict[str, Any]], unreadable: str | None) -> bytes:
    """Return the identity of a file that was handed in.

    Args:
        cells: the notebook's cells.
        unreadable: why the file is not a notebook, which is then its identity; or None.
    """
    return unreadable.encode() if unreadable is not None else sources(cells)


def unreadable(notebook: NotebookNode) -> str | None:
    """Return why the file that was handed in could not be read and this notebook replaces it, or None."""
    reason: str | None = notebook.metadata.get("autograder", {}).get("unreadable")
    return reason
