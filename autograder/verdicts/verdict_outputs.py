"""A verdict as the outputs of a cell, in the same form for a notebook's check and for a graded notebook."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from autograder.verdicts.card import verdict_as_html
from autograder.verdicts.plain_text import asserted_as_text, verdict_as_text
from autograder.verdicts.verdict import VERDICT, Verdict

if TYPE_CHECKING:
    from autograder.executions import Provenance

FINEST = 1e9
"""Resolution of scaled points, in steps per point."""


def mime_bundle(verdict: Verdict, printed: str = "", run: Provenance | None = None) -> dict[str, str]:
    """Render a verdict as HTML and as text, by MIME type.

    Args:
        verdict: what to show.
        printed: what the student's code printed while it answered.
        run: in a notebook, which execution was judged.
    """
    if verdict.asserted:
        return {"text/plain": asserted_as_text(verdict)}
    html = verdict_as_html(verdict, printed, run)
    return {"text/html": html, "text/plain": verdict_as_text(verdict, drawn=True, run=run)}


def display_of(verdict: Verdict) -> dict[str, Any]:
    """Make the display of a graded check in nbformat's form, with the verdict as data for programs."""
    data = mime_bundle(verdict) | {VERDICT: verdict.as_data(picture=True)}
    return {"output_type": "display_data", "metadata": {}, "data": data}


def outputs_of(verdict: Verdict) -> list[dict[str, Any]]:
    """Make the outputs of a grade cell: the display, then the points, which nbgrader reads."""
    points = {
        "output_type": "execute_result",
        "metadata": {},
        "execution_count": None,
        "data": {"text/plain": _number(min(max(verdict.points, 0.0), verdict.maximum))},
    }
    return [display_of(verdict), points]


def _number(points: float) -> str:
    """Write points as nbgrader reads them, never rounded up: it refuses a number above the cell's maximum."""
    return f"{math.floor(points * FINEST + 0.001) / FINEST:.12g}"
