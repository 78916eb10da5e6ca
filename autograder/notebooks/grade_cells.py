"""Which task a grade cell asks for; a notebook's kernel needs that too, so nothing slow to load is used here."""

from __future__ import annotations

GRADE_ID = "check_"
"""A grade cell's `grade_id` is this and the task's name."""


def task_of_grade_cell(cell: dict) -> str | None:
    """Name the task whose grade cell this is; None for any other cell."""
    meta = cell["metadata"].get("nbgrader")
    if not isinstance(meta, dict) or not meta.get("grade") or meta.get("solution") or cell["cell_type"] != "code":
        return None
    return str(meta.get("grade_id", "")).removeprefix(GRADE_ID)
