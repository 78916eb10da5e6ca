"""What tasks are worth in a notebook: an instructor may give a grade cell other points than its checks have."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from autograder.grader.verdict import Verdict
from autograder.notebooks.grade_cells import task_of_grade_cell


def weights(cells: Iterable[dict]) -> dict[str, float]:
    """Read the points of each task from a notebook's grade cells; a cell without a usable number has none."""
    found = {}
    for cell in cells:
        task = task_of_grade_cell(cell)
        points = cell["metadata"]["nbgrader"].get("points") if task is not None else None
        if is_weight(points):
            found[task] = float(points)
    return found


def is_weight(points: Any) -> bool:
    """Whether something is a number of points."""
    return type(points) in (int, float) and math.isfinite(points) and points >= 0


def weighed(verdicts: Mapping[str, Verdict], worth: Mapping[str, float]) -> dict[str, Verdict]:
    """Scale verdicts to what their tasks are worth in the notebook.

    Args:
        verdicts: by task, with the points of the checks.
        worth: points by task; a task that is not among them keeps its own.
    """
    return {name: verdict.out_of(worth.get(name, verdict.maximum)) for name, verdict in verdicts.items()}


def differing(points: Mapping[str, float], worth: Mapping[str, float]) -> list[str]:
    """Say of which tasks the notebook and the checks name different points.

    Args:
        points: of the checks, by task.
        worth: of the notebook's grade cells, by task.
    """
    return [
        f"{task} is worth {worth[task]:g} in the notebook and {own:g} in its checks"
        for task, own in points.items()
        if not math.isclose(worth.get(task, own), own)
    ]
