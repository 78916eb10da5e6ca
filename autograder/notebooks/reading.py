"""Parse a submitted notebook from untrusted bytes."""

from __future__ import annotations

import json
import re
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.notebooks.grade_cells import task_of_grade_cell as task_of_grade_cell
from autograder.notebooks.metadata import attachments, cell_metadata, notebook_metadata

LARGEST_FILE = 20 << 20
MOST_CELLS = 2_000
DEEPEST = 100
"""Nesting depth of the JSON. nbformat copies and writes notebooks recursively."""
DEEPEST_HEADING = 6
CELL_ID = re.compile(r"(?!cell-|restored-|left-out|unreadable|other-versions)[a-zA-Z0-9_-]{1,64}")
PYTHON = {"python", "ipython"}
PROGRAMS = {"kernelspec", "language_info"}
"""Metadata that choose the kernel and the lexer for the notebook's text: the course's are used, not the student's."""
HALF = re.compile(rb"\\u[dD]")
"""A JSON escape that may be a lone surrogate, which can be neither written as UTF-8 nor shown."""
TOO_DEEP = "The file is not a notebook: its JSON is nested too deep."


class UnreadableNotebookError(ValueError):
    """The file is not a notebook that can be graded; the message tells the student why."""


class UnavailableNotebookError(UnreadableNotebookError):
    """The file cannot be read here and now, for which its author should not pay; the message tells the grader why."""


def read_submission(raw: bytes) -> NotebookNode:
    """Return a submission as an nbformat 4 notebook with well-formed cells of known types.

    Raises:
        UnreadableNotebookError: if it cannot be graded; the message is one sentence.
    """
    if len(raw) > LARGEST_FILE:
        raise UnreadableNotebookError(f"The file is larger than {LARGEST_FILE >> 20} MB.")
    data = _json(raw)
    if not isinstance(data, dict):
        raise UnreadableNotebookError("The file is not a notebook: its JSON is no object.")
    if _is_deep(data):
        raise UnreadableNotebookError(TOO_DEEP)
    if HALF.search(raw):
        data = json.loads(writable(json.dumps(data, ensure_ascii=False)))
    if not isinstance(data.get("nbformat"), int) or not 3 <= data["nbformat"] <= 4:
        raise UnreadableNotebookError("The file is not a notebook of format 3 or 4.")
    if data["nbformat"] == 3:
        data = _upgraded(data)
    cells = data.get("cells")
    if not isinstance(cells, list):
        raise UnreadableNotebookError("The notebook has no list of cells.")
    if len(cells) > MOST_CELLS:
        raise UnreadableNotebookError(f"The notebook has more than {MOST_CELLS} cells.")
    language = _language(data.get("metadata"))
    if language is not None and language not in PYTHON:
        raise UnreadableNotebookError(f"The notebook is written for {language[:40]!r}, not for Python.")
    made = [made for cell in cells if (made := _cell(cell)) is not None]
    _make_ids_unique(made)
    metadata = {name: value for name, value in notebook_metadata(data.get("metadata")).items() if name not in PROGRAMS}
    notebook: NotebookNode = nbformat.from_dict(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": made}
    )
    return notebook


def _json(raw: bytes) -> Any:
    try:
        return json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise UnreadableNotebookError("The file is not a notebook: it is not UTF-8 text.") from None
    except RecursionError:
        raise UnreadableNotebookError(TOO_DEEP) from None
    except ValueError as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise UnreadableNotebookError(f"The file is not a notebook: it is not valid JSON{where}.") from None


def _is_deep(data: Any) -> bool:
    """Return whether lists and objects are nested more than `DEEPEST` levels deep; without recursion."""
    level = [data]
    for _ in range(DEEPEST):
        parts = [part.values() if isinstance(part, dict) else part for part in level if isinstance(part, dict | list)]
        level = [inner for part in parts for inner in part]
    return bool(level)


def _upgraded(data: dict[str, Any]) -> NotebookNode:
    """Convert a notebook from format 3 to format 4.

    Heading levels are capped, because nbformat writes a `#` per level: a file of 700 bytes took 6 GB.
    """
    try:
        for sheet in data.get("worksheets", []):
            for cell in sheet["cells"]:
                if cell["cell_type"] == "heading":
                    cell["level"] = min(cell.get("level", 1), DEEPEST_HEADING)
        upgraded: NotebookNode = nbformat.convert(nbformat.from_dict(data), 4)
        return upgraded
    except Exception:
        raise UnreadableNotebookError("The file is a damaged notebook of format 3.") from None


def _language(metadata: Any) -> str | None:
    """Return the programming language that the metadata declares, in lower case; None if they declare none."""
    if not isinstance(metadata, dict):
        return None
    for part, key in (("kernelspec", "language"), ("language_info", "name")):
        section = metadata.get(part)
        if isinstance(section, dict) and isinstance(language := section.get(key), str):
            return language.lower()
    return None


def _make_ids_unique(cells: list[dict[str, Any]]) -> None:
    """Replace every invalid, duplicate or reserved cell id by one made of the cell's index."""
    taken: set[str] = set()
    for index, cell in enumerate(cells):
        own = cell["id"]
        if not isinstance(own, str) or own in taken or not CELL_ID.fullmatch(own):
            cell["id"] = f"cell-{index}"
        taken.add(cell["id"])


def _cell(cell: Any) -> dict[str, Any] | None:
    """Return a cell with exactly the fields of its type; None if it is not a cell."""
    if not isinstance(cell, dict) or cell.get("cell_type") not in ("code", "markdown", "raw"):
        return None
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    made: dict[str, Any] = {
        "id": cell.get("id"),
        "cell_type": cell["cell_type"],
        "metadata": cell_metadata(cell.get("metadata")),
        "source": source if isinstance(source, str) else "",
    }
    if cell["cell_type"] == "code":
        made |= {"outputs": [], "execution_count": None}
    elif isinstance(cell.get("attachments"), dict):
        made["attachments"] = attachments(cell["attachments"])
    return made


def writable(text: str) -> str:
    """Replace lone surrogates, which JSON allows and UTF-8 does not."""
    return text.encode("utf-8", errors="replace").decode("utf-8")
