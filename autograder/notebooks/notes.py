"""Notes at the head of a graded submission: files left out, why it could not be read, versions that were not dealt."""

from __future__ import annotations

from collections.abc import Sequence

import nbformat
from nbformat import NotebookNode

NOTES = ("left-out", "unreadable", "other-versions")
"""Ids of the cells that hold these notes."""
KEY = "autograder"
"""The key of this course's notebook metadata; what a submission brings under it is dropped."""


def note_left_out(notebook: NotebookNode, names: Sequence[str]) -> None:
    """Put a list of files that were not copied before the first cell.

    Args:
        notebook: the submission, changed in place.
        names: a line for each file, as `submission_files.described` makes them.
    """
    notebook.metadata.setdefault(KEY, {})["left_out"] = list(names)
    listed = "\n".join(f"- `{name.replace('`', '?')}`" for name in names)
    _put(
        notebook, f"**Some files of this submission were left out.** They stand where it was handed in.\n\n{listed}", 0
    )


def note_unreadable(notebook: NotebookNode, reason: str) -> None:
    """Say before the first cell of a released notebook that it stands in for a file that could not be read.

    Args:
        notebook: the released notebook, changed in place.
        reason: a sentence for the student.
    """
    notebook.metadata.setdefault(KEY, {})["unreadable"] = reason
    _put(notebook, f"**This submission could not be read.** {reason} The released notebook stands in its place.", 1)


def note_versions(notebook: NotebookNode, dealt: str) -> None:
    """Say before the first cell that a submission holds other versions of tasks than its author was dealt.

    Args:
        notebook: the submission, changed in place.
        dealt: names the versions that are graded.
    """
    _put(notebook, f"This notebook does not hold the versions that were dealt to you, which are graded: {dealt}.", 2)


def _put(notebook: NotebookNode, text: str, which: int) -> None:
    notebook.cells.insert(0, nbformat.v4.new_markdown_cell(text, id=NOTES[which]))
