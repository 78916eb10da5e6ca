"""Code as the pages show it: nbconvert's highlighting of `a.a.a.a...` takes the square of a line's length."""

from __future__ import annotations

from collections.abc import Callable

from nbformat import NotebookNode

from autograder.notebooks.piled_marks import without_piles

LONGEST_LINE = 2_000
MOST_CHARACTERS = 100_000
"""Of all of a student's code in a notebook."""
CUT = "  # ... the rest is in the submission"


def shorten(notebook: NotebookNode, released: Callable[[NotebookNode], bool]) -> None:
    """Cut, in place, code that nobody could read: after it has run, for the copy that pages are made of.

    Args:
        notebook: a submission.
        released: whether a cell's source is the course's own.
    """
    room = MOST_CHARACTERS
    for cell in notebook.cells:
        if cell.cell_type == "code" and not released(cell):
            cell.source = readable(cell.source, room)
            room = max(0, room - len(cell.source))


def readable(source: str, room: int = MOST_CHARACTERS) -> str:
    """Cut code to so many characters in lines that a browser can draw."""
    source = without_piles(source)
    if len(source) > room:
        source = source[:room] + CUT
    lines = source.split("\n")
    return "\n".join(line if len(line) <= LONGEST_LINE + len(CUT) else line[:LONGEST_LINE] + CUT for line in lines)
