"""Code as the pages show it, cut off: nbconvert highlights `a.a.a.a...` in time quadratic in a line's length.

Lines of nothing but spaces become empty, because the time is quadratic in their number, too.
"""

from __future__ import annotations

from collections.abc import Callable

from nbformat import NotebookNode

from autograder.notebooks.combining_marks import limit_marks

LONGEST_LINE = 2_000
MOST_CHARACTERS = 100_000
"""Characters of all of a student's code in a notebook."""
CUT = "  # ... the rest is in the submission"


def shorten(notebook: NotebookNode, released: Callable[[NotebookNode], bool]) -> None:
    """Cut off, in place, code that is too long to read, in the copy from which the pages are made.

    Args:
        notebook: a submission that has already run.
        released: says whether a cell's source is the course's own.
    """
    room = MOST_CHARACTERS
    for cell in notebook.cells:
        if cell.cell_type == "code" and not released(cell):
            cell.source = readable(cell.source, room)
            room = max(0, room - len(cell.source))


def readable(source: str, room: int = MOST_CHARACTERS) -> str:
    """Return code cut to `room` characters, in lines that a browser can draw, without stacks of combining marks."""
    source = limit_marks(source)
    if len(source) > room:
        source = source[:room] + CUT
    lines = [line if not line.isspace() else "" for line in source.split("\n")]
    return "\n".join(line if len(line) <= LONGEST_LINE + len(CUT) else line[:LONGEST_LINE] + CUT for line in lines)
