"""Reading of the saved notebook, whose file some front ends tell the kernel, to compare a cell with what was run."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from autograder.executions.records import Execution, defines
from autograder.notebooks.weights import weights

VS_CODE = "vscode-notebook-cell:"
"""Prefix of VS Code's ids of cells, which differ from those in the file."""
LARGEST = 32 << 20
"""Bytes of the largest file that is read, because a check must answer at once."""


def has_changed(name: str, run: Execution) -> bool:
    """Return whether the cell was saved with another text after it was run; False if that is not certain.

    Args:
        name: what the cell defined.
        run: the execution.
    """
    if run.source is None or run.cell is None or (path := notebook_file()) is None:
        return False
    try:
        found = path.stat()
        if found.st_mtime <= run.ended or found.st_size > LARGEST:
            return False
        source = _source(json.loads(path.read_bytes()), name, run.cell)
    except (OSError, ValueError, RecursionError):
        return False
    return source is not None and _lines(source) != _lines(run.source)


def saved_weights() -> dict[str, float]:
    """Read what each task is worth from the saved notebook; empty if its file is unknown or cannot be read."""
    try:
        cells = saved_notebook()["cells"]
        return weights(cell for cell in cells if isinstance(cell.get("metadata"), dict) and "cell_type" in cell)
    except (LookupError, TypeError, AttributeError):
        return {}


def saved_notebook() -> dict[str, Any]:
    """Read the saved notebook, whatever it holds; empty if its file is unknown or cannot be read."""
    path = notebook_file()
    try:
        read = json.loads(path.read_bytes()) if path is not None and path.stat().st_size <= LARGEST else {}
    except (OSError, ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def _source(notebook: Any, name: str, cell: str) -> str | None:
    """Return the text of the only cell with that id, or in VS Code the only one that defines the name; else None."""
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        return None
    code = [one for one in cells if isinstance(one, dict) and one.get("cell_type") == "code"]
    if cell.startswith(VS_CODE):
        found = [text for text in map(_text, code) if defines(text, name)]
    else:
        found = [_text(one) for one in code if one.get("id") == cell]
    return found[0] if len(found) == 1 else None


def _text(cell: dict[str, Any]) -> str | None:
    source = cell.get("source")
    parts: list[Any] = source if isinstance(source, list) else [source]
    return "".join(parts) if all(isinstance(part, str) for part in parts) else None


def _lines(source: str) -> list[str]:
    return [line.rstrip() for line in source.strip().splitlines()]


def notebook_file() -> Path | None:
    """Return the notebook's file, which Jupyter's server names in the environment and VS Code in a global name."""
    main = sys.modules.get("__main__")
    name = getattr(main, "__vsc_ipynb_file__", None) or os.environ.get("JPY_SESSION_NAME")
    path = Path(name) if isinstance(name, str) and name.endswith(".ipynb") else None
    return path if path is not None and path.is_absolute() else None
