"""Map grade cells to tasks. Kernels import this module too, so it imports nothing that loads slowly."""

from __future__ import annotations

from typing import Any

GRADE_ID = "check_"
"""Prefix of a grade cell's `grade_id`; the task's name follows."""


def task_of_grade_cell(cell: dict[str, Any]) -> str | None:
    """Return the name of the task whose grade cell this is; empty for another autograded test, None for other cells."""
    meta = cell["metadata"].get("nbgrader")
    if not isinstance(meta, dict) or not meta.get("grade") or meta.get("solution") or cell["cell_type"] != "code":
        return None
    named = str(meta.get("grade_id", ""))
    return named.removeprefix(GRADE_ID) if named.startswith(GRADE_ID) else ""
