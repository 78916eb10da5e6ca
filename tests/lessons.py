"""A lesson run from clean, as `jupyter nbconvert` runs it, and what its cells said."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import nbformat

from autograder.lesson_predictions.table import read_lesson
from tests.submissions import COURSE

ASKING = re.compile(r'predict\("([^"]+)"\)')


def executed(lesson: str, folder: Path, **environment: str) -> nbformat.NotebookNode:
    """The lesson `NN_topic`, run in a kernel of its own; every cell must end without an error, every proof too."""
    path = folder / f"{lesson}.ipynb"
    nbformat.write(with_proofs(lesson), path)
    command = ["jupyter", "nbconvert", "--to", "notebook", "--execute", "--inplace", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr[-3000:]
    return nbformat.read(path, as_version=4)


def with_proofs(lesson: str, lessons: Path = COURSE / "lessons") -> nbformat.NotebookNode:
    """A lesson that also tries each prediction's proof, right after the cell that shows the answer."""
    notebook = nbformat.read(lessons / f"{lesson}.ipynb", as_version=4)
    table = lessons / "predictions" / f"{lesson}.toml"
    holds = {one.name: one.holds for one in read_lesson(table)} if table.exists() else {}
    cells, waiting = [], None
    for cell in notebook.cells:
        cells.append(cell)
        name = asked_in(cell)
        if waiting in holds and cell.cell_type == "code" and name is None:
            source = f'assert ({holds[waiting]}), "the answer to the prediction {waiting} does not hold"'
            cells.append(nbformat.v4.new_code_cell(source, id=f"holds-{len(cells)}"))
            waiting = None
        waiting = name or waiting
    notebook.cells = cells
    return notebook


def asked_in(cell: nbformat.NotebookNode) -> str | None:
    """The name of the prediction that a cell asks, if it asks one."""
    found = ASKING.fullmatch(cell.source.strip()) if cell.cell_type == "code" else None
    return found[1] if found else None


def outputs_are_fit_to_read(notebook: nbformat.NotebookNode) -> None:
    """No error, nothing on stderr, and a text alternative for every picture."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "error", output.evalue
            assert output.get("name") != "stderr", output.text
            html = output.get("data", {}).get("text/html", "")
            assert html.count("<img") == html.count("alt="), "every picture has a text alternative"
            assert "image/png" not in output.get("data", {}), "a plot without alt text: use figure(fig, alt=...)"


def said(notebook: nbformat.NotebookNode) -> dict[str, str]:
    """All text of each code cell's outputs, by the cell's id."""
    return {cell["id"]: _text(cell) for cell in notebook.cells if cell.cell_type == "code"}


def _text(cell: nbformat.NotebookNode) -> str:
    return "".join(o.get("text", "") + o.get("data", {}).get("text/plain", "") for o in cell.outputs)
