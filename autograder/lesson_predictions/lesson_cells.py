"""Find a prediction's place in its lesson's notebook: the text that asks it, its heading, and the cell that answers."""

from __future__ import annotations

import ast
import dataclasses
import json
import re
from typing import Any

from autograder.lesson_predictions.table import Prediction, lessons_folder

HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)
ASKING = re.compile(r"(?:\s*(?:#|from |import ).*\n)*\s*(?:predict|review)\(")
"""How a cell begins that asks or answers, maybe after comments and imports."""


@dataclasses.dataclass(frozen=True)
class Place:
    """What stands around a prediction in its lesson.

    Attributes:
        heading: the heading above it.
        text: the Markdown cell that asks.
        code: the source of the code cell below; empty if there is none.
        code_above: the sources of all code cells above.
    """

    heading: str = ""
    text: str = ""
    code: str = ""
    code_above: frozenset[str] = frozenset()

    @property
    def code_to_read(self) -> str:
        """The code without the lines that assert what comes out."""
        try:
            body = ast.parse(self.code).body
        except SyntaxError:  # has a line for IPython
            return self.code
        lines = self.code.splitlines()
        for one in body:
            if isinstance(one, ast.Assert):
                lines[one.lineno - 1 : one.end_lineno] = [""] * ((one.end_lineno or one.lineno) - one.lineno + 1)
        return "\n".join(lines).strip("\n")


def place_of(prediction: Prediction) -> Place:
    """Read a prediction's place from its lesson; an empty one if the notebook cannot be read or lacks the cell."""
    try:
        raw = (lessons_folder() / f"{prediction.lesson}.ipynb").read_text(encoding="utf-8")
        cells = json.loads(raw)["cells"]
        here = next(number for number, cell in enumerate(cells) if cell.get("id") == prediction.name)
        above = [_source(cell) for cell in cells[: here + 1] if cell["cell_type"] == "markdown"]
        run_before = [_source(cell).strip() for cell in cells[:here] if cell["cell_type"] == "code"]
        below = [_source(cell) for cell in cells[here + 1 :] if cell["cell_type"] == "code"]
    except (OSError, LookupError, ValueError, TypeError, AttributeError, StopIteration):  # the reader's own file
        return Place()
    headings = [heading for text in above for heading in HEADING.findall(text)]
    code = next((source for source in below if not is_asking(source)), "")
    return Place(headings[-1] if headings else "", above[-1], code, frozenset(run_before))


def _source(cell: dict[str, Any]) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def is_asking(source: str) -> bool:
    """Tell whether a cell asks or answers a prediction."""
    return ASKING.match(source) is not None
