"""Repair a submission's cells from the gradebook before anything looks at them; never raises.

In place of nbgrader's own four steps, each of which can be made to fail, and then stops the class, by one
strange cell.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.nbgrader_plugin.releases import Release, cell_digest, releases

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
        handed_out = releases(self.parent.parent.coursedir, names["assignment"], names["notebook"])
        repaired = repair(nb, known, handed_out)
        if repaired.tampered:
            self.log.warning("Repaired cells: %s", ", ".join(repaired.tampered))
            nb.metadata.setdefault("autograder", {})["repaired"] = repaired.tampered
        if repaired.updated:
            self.log.info("Cells of another release, brought to this one: %s", ", ".join(repaired.updated))
        return nb, resources


Known = dict[str, tuple[dict, str, str]]
"""grade_id -> (nbgrader metadata, cell type, source), in the order of the notebook."""


@dataclasses.dataclass
class Repairs:
    """What a notebook had to be given.

    Attributes:
        tampered: cells that were edited, deleted, doubled or invented, an entry each.
        updated: cells as another release of the exercise has them.
    """

    tampered: list[str] = dataclasses.field(default_factory=list)
    updated: list[str] = dataclasses.field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.tampered or self.updated)


def repair(nb: NotebookNode, known: Known, handed_out: Sequence[Release] = ()) -> Repairs:
    """Give a notebook the cells that the gradebook knows.

    Args:
        nb: changed in place.
        known: its cells.
        handed_out: releases that students may have worked on. Who gives a cell the text of another release is taken
            for somebody who worked on it.
    """
    repaired = Repairs()
    found: dict[str, str] = {}
    for cell in reversed(nb.cells):
        grade_id = _claimed_id(cell)
        text = cell_digest(cell.cell_type, cell.source)
        if grade_id not in known or grade_id in found:
            if "nbgrader" in cell.metadata:
                _note_surplus(repaired, grade_id, text, doubled=grade_id in found, handed_out=handed_out)
            cell.metadata.pop("nbgrader", None)
            continue
        found[grade_id] = text
        if _restore(cell, known[grade_id]):
            if any(one.get(grade_id) == text for one in handed_out):
                repaired.updated.append(grade_id)
            else:
                repaired.tampered.append(f"{grade_id} (edited)")
    worked_on = [one for one in handed_out if _fits(found, one)]
    for grade_id, (metadata, kind, source_text) in known.items():
        if grade_id not in found and metadata["grade"]:
            nb.cells.append(_new_cell(grade_id, kind, source_text, metadata))
            if worked_on and not any(grade_id in one for one in worked_on):
                repaired.updated.append(grade_id)
            else:
                repaired.tampered.append(f"{grade_id} (deleted)")
    return repaired


def _note_surplus(
    repaired: Repairs, grade_id: str | None, text: str, *, doubled: bool, handed_out: Sequence[Release]
) -> None:
    """Note a cell that the gradebook does not know, or knows once."""
    if doubled:
        repaired.tampered.append(f"{grade_id} (doubled)")
    elif grade_id is not None and any(one.get(grade_id) in ("", text) for one in handed_out):
        repaired.updated.append(grade_id)
    else:
        repaired.tampered.append("a foreign cell")


def _fits(found: dict[str, str], release: Release) -> bool:
    """Whether all locked cells of a notebook are as in a release."""
    return all(release.get(grade_id) in ("", text) for grade_id, text in found.items())


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
