"""What the saved notebook holds now of a cell that was run: the front end tells some kernels their file."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from autograder.executions.records import Execution, defines
from autograder.grader.weights import weights

VS_CODE = "vscode-notebook-cell:"
"""How the ids begin that VS Code gives its cells; the file holds others."""
LARGEST = 32 << 20
"""A larger file is not looked into: a check has to answer at once."""


def has_changed(name: str, run: Execution) -> bool:
    """Whether the cell was saved with another text after it was run; False where that is not certain.

    Args:
        name: what the cell defined.
        run: the execution.
    """
    if run.source is None or run.cell is None or (path := _file()) is None:
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
    """Read what each task is worth from the saved notebook; empty where it is not known or cannot be read."""
    path = _file()
    try:
        if path is None or path.stat().st_size > LARGEST:
            return {}
        cells = json.loads(path.read_bytes())["cells"]
        return weights(cell for cell in cells if isinstance(cell.get("metadata"), dict) and "cell_type" in cell)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}


def _source(notebook: Any, name: str, cell: str) -> str | None:
    """The text of the cell with that id, or in VS Code that defines that name; None where it is not exactly one."""
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        return None
    code = [one for one in cells if isinstance(one, dict) and one.get("cell_type") == "code"]
    if cell.startswith(VS_CODE):
        found = [text for text in map(_text, code) if defines(text, name)]
    else:
        found = [_text(one) for one in code if one.get("id") == cell]
    return found[0] if len(found) == 1 else None


def _text(cell: dict) -> str | None:
    source = cell.get("source")
    parts = source if isinstance(source, list) else [source]
    return "".join(parts) if all(isinstance(part, str) for part in parts) else None


def _lines(source: str) -> list[str]:
    return [line.rstrip() for line in source.strip().splitlines()]


def _file() -> Path | None:
    """The notebook's file: Jupyter's server names it in the environment, VS Code among the notebook's names."""
    main = sys.modules.get("__main__")
    name = getattr(main, "__vsc_ipynb_file__", None) or os.environ.get("JPY_SESSION_NAME")
    path = Path(name) if isinstance(name, str) and name.endswith(".ipynb") else None
    return path if path is not None and path.is_absolute() else None
