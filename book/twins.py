"""Lesson 12 run with TensorFlow and JAX, by the Python of .venv-twins, which `make site` makes where it can.

The site's own Python has neither, so its page of the lesson would show two of five systems.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

import nbformat

COURSE = Path(__file__).parents[1]
LESSON = COURSE / "lessons" / "12_twins.ipynb"
ENVIRONMENT = COURSE / ".venv-twins"
KEPT = COURSE / "build" / "executed" / "twins"
WITHOUT = """:::{note}
TensorFlow and JAX were not installed where this page was built. The cells for them printed nothing, and the tables that
compare all systems show answers that were recorded.
:::"""
NOT_RUN_AGAIN = "off"


def as_page(notebook: nbformat.NotebookNode, depends_on: str) -> nbformat.NotebookNode:
    """The lesson with its outputs from .venv-twins, or with a note that says what they lack.

    Args:
        notebook: the lesson, without outputs.
        depends_on: names what its outputs depend on beside its own cells; what was run is kept under this name.
    """
    if not (ENVIRONMENT / "installed").exists():
        notebook.cells.insert(1, nbformat.v4.new_markdown_cell(WITHOUT, id="without-twins"))
        return notebook
    source = nbformat.writes(notebook)
    versions = (COURSE / "pyproject.toml").read_text(encoding="utf-8")
    name = hashlib.sha256(f"{depends_on}\0{source}\0{versions}".encode()).hexdigest()[:16]
    kept = KEPT / f"{name}.ipynb"
    if not kept.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        kept.write_text(nbformat.writes(_executed(source)), encoding="utf-8")
    page = nbformat.read(kept, as_version=4)
    page.metadata["mystnb"] = {"execution_mode": NOT_RUN_AGAIN}
    return page


def _executed(source: str) -> nbformat.NotebookNode:
    """Run a notebook as `make twins` does.

    Raises:
        RuntimeError: if a cell fails, with the end of what was said.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / LESSON.name
        path.write_text(source, encoding="utf-8")
        own = {
            "PATH": f"{ENVIRONMENT / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}",
            "JUPYTER_PREFER_ENV_PATH": "1",  # the environment's kernel, and not one of the user's of the same name
            "AUTOGRADER_STATIC": "1",
            "AUTOGRADER_RECORD": "off",
        }
        command = [ENVIRONMENT / "bin" / "jupyter", "nbconvert", "--to", "notebook", "--execute", "--inplace", path]
        surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, env=surroundings | own)
        if done.returncode:
            raise RuntimeError(f"lesson 12 does not run with TensorFlow and JAX:\n{done.stderr[-3000:]}")
        notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it ran
    return notebook
