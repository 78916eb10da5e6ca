"""Sanitising a whole notebook: its cells, their metadata and attachments, its own metadata."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from nbformat import NotebookNode

from autograder.notebooks.metadata import notebook_metadata
from autograder.sanitising.allowance import Allowance
from autograder.sanitising.images import IMAGE_KINDS, embedded_image
from autograder.sanitising.inert_outputs import inert_outputs
from autograder.sanitising.markdown import as_text, inert_markdown

OURS = ("nbgrader", "autograder")
"""Metadata keys of nbgrader and this package; what a submission brought under these names was dropped before."""
FLAGS = ("collapsed", "scrolled", "deletable", "editable")
PAGE_IDS = {"notebook", "notebook-container", "statusmessage", "toc", "top", "submission_id", "base_url"}
LANGUAGE = {"name": "python"}
"""By this nbconvert chooses the lexer of all code cells. Some lexers need hours for one long line, and without a name
nbconvert takes IPython's, in which `%%perl` at the head of a cell chooses another."""
SECONDS = 10.0
"""CPU time for rendering a notebook's Markdown; the rest is shown as text."""
_PLAIN = re.compile(r"[\w .()+/-]{1,60}")


def sanitise(notebook: NotebookNode, released: Callable[[NotebookNode], bool]) -> None:
    """Remove a notebook's active content, in place. The operation is idempotent.

    Args:
        notebook: a submission whose nbgrader metadata was repaired from the gradebook.
        released: says whether a Markdown cell's source is the course's own.
    """
    notebook.metadata = NotebookNode(_notebook_metadata(notebook.metadata))
    reserved = _reserved_ids(notebook)
    allowance = Allowance(deadline=time.thread_time() + SECONDS)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            meta = cell.metadata.get("nbgrader", {})
            graded = bool(meta.get("grade")) and not meta.get("solution")
            cell.outputs = inert_outputs(cell.get("outputs"), reserved, allowance, graded=graded)
        elif cell.cell_type == "raw":
            cell.cell_type = "markdown"
            cell.source = as_text(cell.source) if cell.source.strip() else ""
            cell.pop("attachments", None)
        else:
            _sanitise_markdown(cell, reserved, released, allowance)
        cell.metadata = NotebookNode(_cell_metadata(cell.metadata))


def _sanitise_markdown(
    cell: NotebookNode, reserved: set[str], released: Callable[[NotebookNode], bool], allowance: Allowance
) -> None:
    attachments = _attachments(cell.pop("attachments", None))
    if attachments:
        cell["attachments"] = attachments
    if not released(cell):
        cell.source = inert_markdown(cell.source, attachments, reserved, allowance)


def _attachments(attachments: Any) -> NotebookNode:
    """Return a cell's attachments, reduced to images."""
    kept = NotebookNode()
    for name, bundle in attachments.items() if isinstance(attachments, dict) else ():
        bundle = bundle if isinstance(bundle, dict) else {}
        images = {f"image/{kind}": embedded_image(kind, bundle.get(f"image/{kind}", "")) for kind in IMAGE_KINDS}
        if found := {mime: image.encoded for mime, image in images.items() if image is not None}:
            kept[name] = NotebookNode(found)
    return kept


def _reserved_ids(notebook: NotebookNode) -> set[str]:
    """Return the ids by which the formgrader finds its own score boxes and comments."""
    names = [cell.metadata.get("nbgrader", {}).get("grade_id", "") for cell in notebook.cells]
    return PAGE_IDS | {name + end for name in names if name for end in ("", "_extra_credit", "-comment")}


def _cell_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    kept = {key: metadata[key] for key in OURS if key in metadata}
    kept |= {key: metadata[key] for key in FLAGS if isinstance(metadata.get(key), bool)}
    if isinstance(tags := metadata.get("tags"), list):
        kept["tags"] = [tag for tag in tags if isinstance(tag, str) and re.fullmatch(r"[\w-]{1,60}", tag)]
    return kept


def _notebook_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    kept = {key: metadata[key] for key in OURS if key in metadata}
    fields = metadata.get("kernelspec")  # the gradebook's
    if isinstance(fields, dict):
        kept["kernelspec"] = NotebookNode(
            {k: v for k, v in fields.items() if isinstance(v, str) and _PLAIN.fullmatch(v) and _PLAIN.fullmatch(k)}
        )
    return notebook_metadata(kept) | {"language_info": NotebookNode(LANGUAGE)}
