"""Notebook 7 in a real browser: the same exercise opens, runs and shows the same card."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser import needs_chromium
from tests.depth import proof
from tests.submissions import as_bytes, cell_of, solved

pytestmark = [needs_chromium, proof]
EXERCISE = "01_scalar_graphs"
TOKEN = "for-this-test"
SECONDS = 60
SWAPPED = "def partials(x, w, b):\n    g = float(x * w + b > 0)\n    return dict(x=g * x, w=g * w, b=g, u=g, v=g)"
KEPT = ("title", "setup", "about_partials", "partials", "check_partials")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`jupyter notebook` in a folder with the exercise, one task answered wrongly; its addresses."""
    folder = tmp_path_factory.mktemp("course")
    notebook = solved(EXERCISE, partials=SWAPPED)
    notebook.cells = [cell_of(notebook, name) for name in KEPT]
    (folder / f"{EXERCISE}.ipynb").write_bytes(as_bytes(notebook))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = [f"--port={port}", "--no-browser", "--allow-root", f"--IdentityProvider.token={TOKEN}"]
    command = [sys.executable, "-m", "notebook", *options]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            _wait(f"http://127.0.0.1:{port}/api/status?token={TOKEN}", lambda answer: True)
            yield f"http://127.0.0.1:{port}/{{}}?token={TOKEN}"
        finally:
            server.terminate()


def _wait(url: str, ready: Callable[[Any], bool]) -> None:
    for _ in range(SECONDS):
        try:
            with urllib.request.urlopen(url, timeout=SECONDS) as answer:
                if ready(json.load(answer)):
                    return
        except OSError:
            pass
        time.sleep(1)
    raise RuntimeError(f"{url} is not ready")


def _has_its_kernel(sessions: list[dict]) -> bool:
    """What is run before the page is connected with its kernel is forgotten."""
    kernels = [session["kernel"] for session in sessions]
    return any(kernel["connections"] and kernel["execution_state"] == "idle" for kernel in kernels)


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Page:
    page = browser.new_page()
    page.set_default_timeout(SECONDS * 1000)
    page.goto(address.format(f"notebooks/{EXERCISE}.ipynb"))
    page.get_by_role("menuitem", name="Run", exact=True).wait_for()
    _wait(address.format("api/sessions"), _has_its_kernel)
    return page


def test_an_exercise_runs_and_its_card_is_shown(page: Page) -> None:
    card = page.locator(".jp-OutputArea-output", has=page.get_by_role("heading", name="partials: 1 of 3 points"))
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    card.wait_for()
    expect(card.locator("strong")).to_have_text("The partials of x and w are swapped.")
    expect(card.get_by_role("listitem")).to_have_count(1)  # the check that passed
    expect(card.get_by_role("img")).to_have_attribute(
        "aria-label", "Where the numbers differ: 6 nodes, output a. ✗ x: got 3, expected 2. ✗ w: got 2, expected 3."
    )


def test_axe_finds_nothing_in_the_card(page: Page) -> None:
    found = Axe().run(page, context=".jp-OutputArea-output:has(h3)")
    assert found.violations_count == 0, found.generate_report()
