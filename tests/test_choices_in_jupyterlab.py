"""A question's widget in JupyterLab, answered by keyboard alone; axe finds nothing in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe

from autograder import record
from autograder.checks.catalogue import find_task
from tests.browser import needs_chromium
from tests.course import new_course
from tests.depth import proof
from tests.jupyter_lab import Lab
from tests.jupyter_server import Server

pytestmark = [needs_chromium, proof]

CELLS = (find_task("retained").solution, 'from autograder import about\nabout("retained", 1)')


@pytest.fixture
def lab(tmp_path: Path, browser: Any, request: pytest.FixtureRequest) -> Iterator[Lab]:
    """JupyterLab on a course with a notebook that holds an answer and the call."""
    course = new_course(tmp_path / "course")
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, course / "own.ipynb")
    with Server(course, **{record.FOLDER: str(tmp_path)}) as server:
        lab = Lab(browser, server)
        yield lab
        lab.keep(request.node.name)
        lab.page.close()
        assert [one for one in lab.complaints if "/lsp/" not in one and "404 (Not Found)" not in one] == []


def test_a_question_is_answered_by_keyboard(lab: Lab, tmp_path: Path) -> None:
    lab.open("own.ipynb")
    lab.run(lab.cell("def retained"))
    cell = lab.cell("from autograder import about")
    lab.run(cell)
    output = cell.locator(".jp-OutputArea")
    output.get_by_text("Question 1 of 3").wait_for()
    first, second = (output.get_by_role("button", name=f"Answer {letter}") for letter in "ab")
    first.focus()
    lab.page.keyboard.press("Tab")
    assert second.evaluate("it => it === document.activeElement")
    lab.page.keyboard.press("Space")
    reply = output.get_by_role("status")
    reply.get_by_text("When line").or_(reply.get_by_text("returns")).wait_for()
    assert first.is_disabled()
    noted = [json.loads(line) for line in (tmp_path / record.FILE).read_text().splitlines()]
    assert [one["kind"] for one in noted] == ["question"]
    found = Axe().run(lab.page, context=".jp-OutputArea .widget-vbox").response["violations"]
    assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found] == []
    lab.keep("own_question", cell)
