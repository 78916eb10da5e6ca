"""Normalise notebooks for git: no outputs, no execution counts, unique cell ids, no editor metadata."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import nbformat
from nbconvert.preprocessors import ClearMetadataPreprocessor, ClearOutputPreprocessor
from nbformat import NotebookNode

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
CELL_KEYS = {("nbgrader",), ("tags",)}
NOTEBOOK_KEYS = {("kernelspec",), ("language_info", "name"), ("autograder",), ("made_from",)}


def clean(notebook: NotebookNode) -> NotebookNode:
    """Return a notebook normalised for git. Idempotent."""
    notebook, _ = ClearOutputPreprocessor(enabled=True).preprocess(notebook, {})
    clear = ClearMetadataPreprocessor(
        enabled=True, preserve_cell_metadata_mask=CELL_KEYS, preserve_nb_metadata_mask=NOTEBOOK_KEYS
    )
    notebook, _ = clear.preprocess(notebook, {})
    notebook.metadata["kernelspec"] = dict(KERNEL)
    notebook.metadata["language_info"] = {"name": "python"}
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    taken: set[str] = set()
    for index, cell in enumerate(notebook.cells):
        cell.source = cell.source.rstrip()
        if not cell.get("id") or cell["id"] in taken:
            cell["id"] = _new_id(cell, index, taken)
        taken.add(cell["id"])
    return notebook


def _new_id(cell: NotebookNode, index: int, taken: set[str]) -> str:
    """Derive a cell id from nbgrader's `grade_id` or the cell's first words, so that the id is readable."""
    words = cell.metadata.get("nbgrader", {}).get("grade_id") or cell.source[:40]
    slug = re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-") or f"cell-{index}"
    return slug if slug not in taken else f"{slug}-{index}"


def clean_all(paths: list[Path], *, check_only: bool) -> int:
    """Clean every notebook in these files and folders.

    Args:
        paths: notebooks, and folders to search for them.
        check_only: report what is not clean instead of rewriting it.

    Returns:
        The exit status: 1 if `check_only` and some notebook is not clean, else 0.
    """
    status = 0
    for path in sorted(found for start in paths for found in _notebooks(start)):
        before = path.read_text(encoding="utf-8")
        after = nbformat.writes(clean(nbformat.reads(before, as_version=4))) + "\n"
        if after == before:
            continue
        status = 1
        if check_only:
            print(f"{path} is not clean: run `autograder clean {path}`", file=sys.stderr)
        else:
            path.write_text(after, encoding="utf-8")
            print(f"cleaned {path}")
    return status if check_only else 0


def _notebooks(start: Path) -> list[Path]:
    if start.is_file():
        return [start]
    return [path for path in start.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts]
