"""The cells of an exercise as recorded in nbgrader's database."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from autograder.gradebook_access.handed_out_cells import MarkedCell, release_of

SCHEMA_VERSION = 3
KnownCells = dict[str, MarkedCell]
"""The cells of an exercise's notebook, by grade_id, in the order of the notebook."""


def exercise_digest(known: KnownCells) -> str:
    """Return a digest of what an exercise puts into every submission: its grade_ids and the source of locked cells."""
    return hashlib.sha256(json.dumps(release_of(known.values()), sort_keys=True).encode()).hexdigest()[:32]


def points_of(known: KnownCells) -> dict[str, float]:
    """Return the points of each graded cell, by its grade_id."""
    return {name: float(metadata["points"]) for name, (metadata, *_) in known.items() if "points" in metadata}


def known_cells(source: Any) -> KnownCells:
    """Read the cells of an exercise's notebook from nbgrader's database.

    Args:
        source: nbgrader's row of the notebook.
    """
    points = {cell.name: cell.max_score for cell in source.grade_cells}
    solutions = {cell.name for cell in source.solution_cells}
    tasks = {cell.name: cell.max_score for cell in source.task_cells}
    known: KnownCells = {}
    for cell in source.source_cells:
        metadata = {
            "schema_version": SCHEMA_VERSION,
            "grade_id": cell.name,
            "grade": cell.name in points,
            "solution": cell.name in solutions,
            # As nbgrader's is_locked has it.
            "locked": bool(cell.locked) or (cell.name in points and cell.name not in solutions),
            "task": cell.name in tasks,
            "checksum": cell.checksum,
            "cell_type": cell.cell_type,
        }
        if cell.name in points or cell.name in tasks:
            metadata["points"] = points.get(cell.name, tasks.get(cell.name))
        known[cell.name] = (metadata, cell.cell_type, cell.source or "")
    return known
