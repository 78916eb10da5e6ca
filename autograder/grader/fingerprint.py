"""What makes two submissions the same one."""

from __future__ import annotations

import json

from nbformat import NotebookNode


def fingerprint(notebook: NotebookNode) -> bytes:
    """What makes a submission the same one: the sources of its code cells."""
    return sources(notebook.cells)


def sources(cells: list[dict]) -> bytes:
    """The sources of a notebook's code cells."""
    return json.dumps([cell["source"] for cell in cells if cell["cell_type"] == "code"]).encode()


def identity(cells: list[dict], unreadable: str | None) -> bytes:
    """What makes a file the same one that was graded.

    Args:
        cells: the notebook's.
        unreadable: why the file is no notebook; then that is all that is graded of it.
    """
    return unreadable.encode() if unreadable is not None else sources(cells)


def unreadable(notebook: NotebookNode) -> str | None:
    """Why the file that was handed in is not this notebook, or None."""
    return notebook.metadata.get("autograder", {}).get("unreadable")
