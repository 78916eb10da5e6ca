"""A prediction in JupyterLab, in a real browser: answered by keyboard, reviewed, judged by axe in light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from autograder import record
from autograder.lesson_predictions.panel import CLASS
from autograder.lesson_predictions.standing import answered
from tests import lesson_course
from tests.browser import needs_chromium
from tests.depth import proof
from tests.jupyter_lab import Lab
from tests.jupyter_server import Server
from tests.lesson_course import LESSON, keep, lesson, noted

pytestmark = [needs_chromium, proof]
NOTEBOOK = f"lessons/{LESSON}.ipynb"
PANEL = f".{CLASS}"
NARROW = {"width": 700, "height": 900}
"""With the file browser beside it, this leaves a panel less than a telephone's 390 pixels."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a small course, with a record of its student's own."""
    import nbformat

    folder = tmp_path_factory.mktemp("reader") / "course"
    solutions = lesson_course.made(folder)
    notebook = lesson()
    setup = nbformat.v4.new_code_cell("from autograder import predict, review", id="setup")
    notebook.cells[1:1] = [setup]
    notebook.cells += [nbformat.v4.new_code_cell("review()", id="come-back")]
    nbformat.write(notebook, folder / NOTEBOOK)
    names = {"AUTOGRADER_COURSE": str(solutions), record.FOLDER: str(folder.with_name("kept"))}
    with Server(folder, **names) as server:
        yield server


@pytest.fixture
def lab(server: Server, browser: Any, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    kept = server.course.with_name("kept")
    monkeypatch.setenv(record.FOLDER, str(kept))
    (kept / record.FILE).unlink(missing_ok=True)
    with Lab.of(browser, server, request.node.name) as lab:
        yield lab


def focused(lab: Lab) -> str:
    """What has the keyboard's focus, in words."""
    return lab.page.evaluate("document.activeElement.textContent").strip()


def press_until(lab: Lab, key: str, text: str) -> None:
    """Press a key until what says so has the focus."""
    for _ in range(12):
        lab.page.keyboard.press(key)
        if focused(lab) == text:
            return
    raise AssertionError(f"{text} is not reached by {key}; now {focused(lab)!r} has the focus")


def violations(lab: Lab) -> list[str]:
    """What axe finds in the panels."""
    found = Axe().run(lab.page, context=PANEL).response["violations"]
    return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


def test_a_prediction_is_committed_by_keyboard_before_its_cell_runs(lab: Lab) -> None:
    lab.open(NOTEBOOK)
    lab.run(lab.cell("from autograder import"))
    asking = lab.cell('predict("half")')
    lab.run(asking)
    panel = asking.locator(PANEL)
    panel.get_by_role("button").first.wait_for()
    assert violations(lab) == []
    lab.keep("prediction_asked", asking)

    for choice in ("2", "3"):
        press_until(lab, "Shift+Tab", f"○ {choice}")  # the cell below has the focus after Shift-Enter
        lab.page.keyboard.press("Space")
        panel.get_by_role("status").get_by_text(f"You chose: {choice}").wait_for()
        press_until(lab, "Tab", "I am certain")
    lab.page.keyboard.press("Enter")
    said = panel.get_by_role("alert")
    said.get_by_text("✓ Right").wait_for()
    assert "You answered 3, certain." in said.inner_text()
    assert "half divides by 2 & returns a float." in said.inner_text()
    assert focused(lab) == "● I am certain"
    assert violations(lab) == []
    lab.keep("prediction_committed", asking)
    lab.darken()
    assert violations(lab) == []
    (one,) = answered()
    assert (one.which, one.right, one.sure, one.before) == ("half", True, 3, True)


def test_a_number_after_its_cell_ran_does_not_count_and_a_miss_comes_back(lab: Lab) -> None:
    lab.open(NOTEBOOK)
    lab.run(lab.cell("from autograder import"))
    asking = lab.cell('predict("third")')
    lab.run(asking)
    lab.run(lab.cell("third = 1 / 3"))
    panel = asking.locator(PANEL)
    panel.get_by_role("button", name="I am guessing").click()
    panel.get_by_text("Write a number.").wait_for()
    panel.get_by_label("A number:").fill("3")
    panel.get_by_role("button", name="I am guessing").click()
    panel.get_by_text("✗ Not right").wait_for()
    assert "a cell below had run" in panel.inner_text()

    keep(noted("half", right=False))
    lab.page.set_viewport_size(NARROW)
    coming = lab.cell("review()")
    lab.run(coming)
    panel = coming.locator(PANEL)
    panel.get_by_role("button").first.wait_for()
    assert "What is half of 6?" in coming.inner_text()
    assert "assert half(6)" not in coming.locator(".jp-OutputArea").first.inner_text()
    assert violations(lab) == []
    assert panel.bounding_box()["width"] < 390
    assert panel.evaluate("one => one.scrollWidth - one.clientWidth") <= 1
