"""Notebooks in the form that git keeps: what the command removes, and that asking changes nothing."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder.command_line import main


@pytest.fixture
def used(tmp_path: Path) -> Path:
    """A notebook as JupyterLab saves it after it was run."""
    kernel = {"name": "elsewhere", "display_name": "Elsewhere"}
    notebook = new_notebook(metadata={"widgets": {"state": {}}, "kernelspec": kernel})
    shown = new_output("stream", name="stdout", text="1\n")
    notebook.cells = [
        new_markdown_cell("# Title  \n\n", id="title"),
        new_code_cell("print(1)\n", id="code", outputs=[shown], execution_count=7, metadata={"scrolled": True}),
        new_code_cell("x = 2", id="other", metadata={"tags": ["kept"]}),
    ]
    path = tmp_path / "used.ipynb"
    nbformat.write(notebook, path)
    return path


def test_asking_names_the_notebook_and_changes_nothing(used: Path, capsys: pytest.CaptureFixture) -> None:
    before = used.read_bytes()
    assert main(["clean", "--check", str(used.parent)]) == 1
    assert str(used) in capsys.readouterr().err
    assert used.read_bytes() == before


def test_what_was_run_is_removed_and_nothing_that_was_written(used: Path) -> None:
    assert main(["clean", str(used)]) == 0
    cells = nbformat.read(used, as_version=4).cells
    assert [cell.source for cell in cells] == ["# Title", "print(1)", "x = 2"]
    assert [cell.get("outputs", []) for cell in cells] == [[], [], []]
    assert [cell.get("execution_count") for cell in cells] == [None, None, None]
    assert [cell.id for cell in cells] == ["title", "code", "other"]
    assert [dict(cell.metadata) for cell in cells] == [{}, {}, {"tags": ["kept"]}]


def test_a_clean_notebook_stays_as_it_is(used: Path) -> None:
    main(["clean", str(used)])
    once = used.read_bytes()
    assert main(["clean", "--check", str(used)]) == 0
    assert main(["clean", str(used)]) == 0
    assert used.read_bytes() == once
