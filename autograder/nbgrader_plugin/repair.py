"""Repair a submission's cells from the gradebook before anything looks at them; never raises.

In place of nbgrader's own four steps, each of which can be made to fail, and then stops the class, by one
strange cell.
"""

from __future__ import annotations

import json
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

SCHEMA_VERSION = 3


class Repair(NbGraderPreprocessor):
    """Every cell that the gradebook knows gets the gradebook's metadata; locked ones its source too.

    Of a duplicated cell the last one counts, as in nbgrader. Grade cells that were deleted come back at the
    end. Cells that claim to be something that the gradebook does not know become plain ones.
    """

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Repair one notebook."""
        names = resources["nbgrader"]
        with Gradebook(names["db_url"]) as gradebook:
            source = gradebook.find_notebook(names["notebook"], names["assignment"])
            known = known_cells(source)
            if source.kernelspec:
                nb.metadata["kernelspec"] = json.loads(source.kernelspec)
        if repaired := repair(nb, known):
            self.log.warning("Repaired cells: %s", ", ".join(repaired))
            nb.metadata.setdefault("autograder", {})["repaired"] = repaired
        return nb, resources


Known = dict[str, tuple[dict, str, str]]
"""grade_id -> (nbgrader metadata, cell type, source), in the order of the notebook."""


def repair(nb: NotebookNode, known: Known) -> list[str]:
    """Give a notebook the cells that the gradebook knows.

    Returns:
        What was repaired, an entry each.
    """
    repaired: list[str] = []
    seen: set[str] = set()
    for cell in reversed(nb.cells):
        grade_id = _claimed_id(cell)
        if grade_id not in known or grade_id in seen:
            if "nbgrader" in cell.metadata:
                repaired.append(f"{grade_id} (doubled)" if grade_id in seen else "a foreign cell")
            cell.metadata.pop("nbgrader", None)
            continue
        seen.add(grade_id)
        if _restore(cell, known[grade_id]):
            repaired.append(f"{grade_id} (edited)")
    for grade_id, (metadata, kind, source_text) in known.items():
        if grade_id not in seen and metadata["grade"]:
            nb.cells.append(_new_cell(grade_id, kind, source_text, metadata))
            repaired.append(f"{grade_id} (deleted)")
    return repaired


def known_cells(source: Any) -> Known:
    """The cells of a notebook as nbgrader's database has them."""
    points = {cell.name: cell.max_score for cell in source.grade_cells}
    solutions = {cell.name for cell in source.solution_cells}
    tasks = {cell.name: cell.max_score for cell in source.task_cells}
    known = {}
    for cell in source.source_cells:
        metadata = {
            "schema_version": SCHEMA_VERSION,
            "grade_id": cell.name,
            "grade": cell.name in points,
            "solution": cell.name in solutions,
            "locked": bool(cell.locked),
            "task": cell.name in tasks,
            "checksum": cell.checksum,
            "cell_type": cell.cell_type,
        }
        if cell.name in points or cell.name in tasks:
            metadata["points"] = points.get(cell.name, tasks.get(cell.name))
        known[cell.name] = (metadata, cell.cell_type, cell.source or "")
    return known


def _claimed_id(cell: NotebookNode) -> str | None:
    """The grade_id in a cell's metadata, whatever shape that has."""
    meta = cell.metadata.get("nbgrader")
    grade_id = meta.get("grade_id") if isinstance(meta, dict) else None
    return grade_id if isinstance(grade_id, str) else None


def _restore(cell: NotebookNode, known: tuple[dict, str, str]) -> bool:
    """Give a cell what the gradebook knows of it; whether that changed its type or locked source."""
    metadata, kind, source = known
    changed = cell.cell_type != kind
    if changed:
        _change_type(cell, kind)
    if metadata["locked"] and cell.source != source:
        cell.source, changed = source, True
    cell.metadata["nbgrader"] = NotebookNode(metadata)
    return changed


def _change_type(cell: NotebookNode, kind: str) -> None:
    cell.cell_type = kind
    for key in ("outputs", "execution_count", "attachments"):
        cell.pop(key, None)
    if kind == "code":
        cell.outputs, cell.execution_count = [], None


def _new_cell(grade_id: str, kind: str, source: str, metadata: dict) -> NotebookNode:
    cell = NotebookNode(id=f"restored-{grade_id}"[:64], cell_type="markdown", source=source)
    cell.metadata = NotebookNode(nbgrader=NotebookNode(metadata))
    _change_type(cell, kind)
    return cell
