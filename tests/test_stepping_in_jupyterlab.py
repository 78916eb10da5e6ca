"""Stepping through a backward pass in JupyterLab, by keyboard alone, as axe and a screen reader meet it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from nbformat.v4 import new_code_cell, new_notebook

from tests.browser import needs_chromium
from tests.depth import proof
from tests.jupyter_lab import Lab
from tests.jupyter_server import Server

pytestmark = [needs_chromium, proof]

ENGINE = """class Value:
    def __init__(self, data, inputs=()):
        self.data, self.inputs, self.grad = data, inputs, 0.0

    def __add__(self, other):
        return Value(self.data + other.data, [(self, 1.0), (other, 1.0)])

    def __mul__(self, other):
        return Value(self.data * other.data, [(self, other.data), (other, self.data)])

    def backward(self):
        self.grad, waiting = 1.0, [self]
        for node in waiting:
            for source, local in node.inputs:
                source.grad = local * node.grad
                waiting.append(source)


x, w = Value(3.0), Value(2.0)
u = x * w
y = u + x"""
NARROW = {"width": 700, "height": 900}
"""With the file browser beside it, this leaves an output less than a telephone's 390 pixels."""
CALL = "from autograder import step_through\n\nstep_through(y)"


@pytest.fixture
def lab(browser: Any, tmp_path: Path) -> Iterator[Lab]:
    """JupyterLab in a folder with one notebook."""
    folder = tmp_path / "work"
    folder.mkdir()
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    cells = [new_code_cell(ENGINE), new_code_cell(CALL)]
    nbformat.write(new_notebook(cells=cells, metadata=kernel), folder / "steps.ipynb")
    with Server(folder) as server:
        lab = Lab(browser, server)
        yield lab
        lab.page.close()


def serious(lab: Lab) -> list[Any]:
    """What axe finds, without the handle of the slider.

    ipywidgets gives the handle no name; the buttons beside it and the sentence below say the same to a screen reader.
    """
    found = Axe().run(lab.page, context=".jp-OutputArea-output").response["violations"]
    serious = [one for one in found if one["impact"] in ("serious", "critical")]
    return [
        (one["id"], node["target"]) for one in serious for node in one["nodes"] if node["target"] != [".noUi-handle"]
    ]


def test_a_sweep_is_stepped_through_by_keyboard(lab: Lab) -> None:
    lab.open("steps.ipynb")
    lab.run(lab.cell("class Value"))
    cell = lab.cell("step_through(y)")
    lab.run(cell)
    output = cell.locator(".jp-OutputArea")
    said = output.get_by_role("status")
    said.get_by_text("Step 3 of 4:").wait_for()
    assert "x received 2, the right sweep gives it 3" in said.inner_text()
    assert said.get_attribute("aria-live") == "polite"
    assert output.get_by_role("img", name="Step 3 of 4").is_visible()

    output.get_by_role("button", name="Previous").focus()
    lab.page.keyboard.press("Enter")
    said.get_by_text("Step 2 of 4:").wait_for()
    assert "u received 1, as in the right sweep." in said.inner_text()
    output.get_by_role("slider").focus()
    lab.page.keyboard.press("ArrowRight")
    lab.page.keyboard.press("ArrowRight")
    said.get_by_text("Step 4 of 4:").wait_for()
    assert output.get_by_role("button", name="Next").is_disabled()
    lab.page.keyboard.press("ArrowLeft")
    said.get_by_text("Step 3 of 4:").wait_for()
    lab.keep("step_through", output)

    output.get_by_text("All steps as a table").press("Enter")
    output.get_by_role("cell", name="✗ differs").first.wait_for()
    assert serious(lab) == []
    lab.darken()
    lab.page.set_viewport_size(NARROW)
    assert serious(lab) == []
    assert output.bounding_box()["width"] < 390
    assert output.evaluate("one => one.scrollWidth - one.clientWidth") <= 1  # the picture scrolls in itself
    lab.keep("step_through_narrow_dark", output)
    assert not any("asked for" in one for one in lab.complaints)  # the network stays unused
