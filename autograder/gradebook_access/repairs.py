"""Repair of a notebook's cells from the gradebook; never raises, whatever a student's file holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from nbformat import NotebookNode

from autograder.gradebook_access.handed_out_cells import MarkedCell, Release, cell_digest
from autograder.gradebook_access.known_cells import KnownCells


@dataclasses.dataclass
class Repairs:
    """The repairs made to a notebook.

    Attributes:
        tampered: an entry for each cell that was edited, deleted, duplicated or invented.
        updated: the grade_ids of cells that came from another release of the exercise.
        other_versions: the versions dealt to the author that the notebook does not hold, in words; mostly empty.
    """

    tampered: list[str] = dataclasses.field(default_factory=list)
    updated: list[str] = dataclasses.field(default_factory=list)
    other_versions: str = ""

    def __bool__(self) -> bool:
        return bool(self.tampered or self.updated)


def repair(nb: NotebookNode, known: KnownCells, handed_out: Sequence[Release] = ()) -> Repairs:
    """Restore the cells of a notebook that the gradebook knows.

    Args:
        nb: the notebook, which is changed in place.
        known: the cells of the exercise's notebook.
        handed_out: the releases that students may have worked on, the newest last. A cell whose text is that of another
            release counts as updated, not as tampered with; one whose text is the newest's, as neither.
    """
    repaired = Repairs()
    newest = handed_out[-1] if handed_out else {}  # without its hidden tests and mark schemes, which are put back
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
        if _restore(cell, known[grade_id]) and newest.get(grade_id) != text:
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
    """Note a cell that the gradebook does not know, or of which it knows only one."""
    if doubled:
        repaired.tampered.append(f"{grade_id} (doubled)")
    elif grade_id is not None and any(one.get(grade_id) in ("", text) for one in handed_out):
        repaired.updated.append(grade_id)
    else:
        repaired.tampered.append("a foreign cell")


def _fits(found: dict[str, str], release: Release) -> bool:
    """Tell whether all locked cells of a notebook are those of a release."""
    return all(release.get(grade_id) in ("", text) for grade_id, text in found.items())


def _claimed_id(cell: NotebookNode) -> str | None:
    """Return the grade_id in a cell's metadata, None if there is no text in its place."""
    meta = cell.metadata.get("nbgrader")
    grade_id = meta.get("grade_id") if isinstance(meta, dict) else None
    return grade_id if isinstance(grade_id, str) else None


def _restore(cell: NotebookNode, known: MarkedCell) -> bool:
    """Restore a cell from the gradebook; return whether its type or locked source changed."""
    metadata, kind, source = known
    changed: bool = cell.cell_type != kind
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


def _new_cell(grade_id: str, kind: str, source: str, metadata: dict[str, Any]) -> NotebookNode:
    cell = NotebookNode(id=f"restored-{grade_id}"[:64], cell_type="markdown", source=source)
    cell.metadata = NotebookNode(nbgrader=NotebookNode(metadata))
    _change_type(cell, kind)
    return cell
