"""A lesson run from clean, as `jupyter nbconvert` runs it, and what its cells said."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import nbformat

from tests.submissions import COURSE


def executed(lesson: str, folder: Path, **environment: str) -> nbformat.NotebookNode:
    """The lesson `NN_topic`, run in a kernel of its own; every cell must end without an error."""
    path = COURSE / "lessons" / f"{lesson}.ipynb"
    command = ["jupyter", "nbconvert", "--to", "notebook", "--execute", "--output-dir", str(folder), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr[-3000:]
    return nbformat.read(folder / path.name, as_version=4)


def outputs_are_fit_to_read(notebook: nbformat.NotebookNode) -> None:
    """No error, nothing on stderr, and a text alternative for every picture."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "error"
            assert output.get("name") != "stderr", output.text
            html = output.get("data", {}).get("text/html", "")
            assert html.count("<img") == html.count("alt="), "every picture has a text alternative"
            assert "image/png" not in output.get("data", {}), "a plot without alt text: use figure(fig, alt=...)"


def said(notebook: nbformat.NotebookNode) -> dict[str, str]:
    """All text of each code cell's outputs, by the cell's id."""
    return {cell["id"]: _text(cell) for cell in notebook.cells if cell.cell_type == "code"}


def _text(cell: nbformat.NotebookNode) -> str:
    return "".join(o.get("text", "") + o.get("data", {}).get("text/plain", "") for o in cell.outputs)
