"""Points of the tasks in a notebook: an instructor may give a grade cell other points than its checks have."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard

from autograder.notebooks.grade_cells import task_of_grade_cell


def weights(cells: Iterable[dict[str, Any]]) -> dict[str, float]:
    """Read the points of each task from a notebook's grade cells; omit cells without a valid number."""
    found: dict[str, float] = {}
    for cell in cells:
        task = task_of_grade_cell(cell)
        if task and is_weight(points := cell["metadata"]["nbgrader"].get("points")):
            found[task] = float(points)
    return found


def is_weight(points: Any) -> TypeGuard[float]:
    """Return whether a value is a valid number of points: a finite int or float, not negative, no bool."""
    return type(points) in (int, float) and 0 <= points <= sys.float_info.max


def differing(points: Mapping[str, float], worth: Mapping[str, float]) -> list[str]:
    """Describe the tasks whose points differ between the notebook and the checks, one sentence each.

    Args:
        points: points of the checks, by task.
        worth: points of the notebook's grade cells, by task.
    """
    return [
        f"{task} is worth {worth[task]:g} in the notebook and {own:g} in its checks"
        for task, own in points.items()
        if not math.isclose(worth.get(task, own), own)
    ]
