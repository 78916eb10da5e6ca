"""JupyterLab as a person at its screen has it: cells to type into, buttons to press, what it then shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.browser import MATHJAX, MATHJAX_HOST, SCREENSHOTS
from tests.jupyter_server import TOKEN, Server

PATIENCE = 20_000
"""Milliseconds that a slow machine may take for anything."""
SIZE = {"width": 1060, "height": 900}
MENU = "Nbgrader"


class Lab:
    """A browser's page with JupyterLab in it.

    Attributes:
        page: Playwright's.
        complaints: what the browser's console, and answers that are errors, said.
    """

    def __init__(self, browser: Any, server: Server) -> None:
        self.server = server
        self.complaints: list[str] = []
        self.page = browser.new_page(viewport=SIZE)
        self.page.set_default_timeout(PATIENCE)
        self.page.route(re.compile(r"^https?://(?!127\.0\.0\.1)"), self._without_network)
        self.page.on("console", lambda said: said.type == "error" and self.complaints.append(said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("response", lambda got: got.status >= 400 and self.complaints.append(f"{got.status} {got.url}"))

    def _without_network(self, route: Any) -> None:
        if route.request.url.startswith(MATHJAX_HOST):
            route.fulfill(body=MATHJAX, content_type="text/javascript")
        else:
            self.complaints.append(f"asked for {route.request.url}")
            route.abort()

    def keep(self, name: str, shown: Any = None) -> Path:
        """A picture of the page, or of a part of it, among the tests' screenshots."""
        path = SCREENSHOTS / f"{name}.png"
        (shown or self.page).screenshot(path=path)
        return path

    def open(self, path: str = "") -> None:
        """A notebook of the course, once its kernel is ready, or JupyterLab as it starts."""
        self.page.goto(f"http://127.0.0.1:{self.server.port}/lab{path and '/tree/' + path}?reset&token={TOKEN}")
        self.page.get_by_role("menuitem", name=MENU).wait_for()
        if path:
            self.page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for()

    def cell(self, source: str) -> Any:
        """The code cell that says so."""
        return self.page.locator(".jp-Notebook .jp-CodeCell", has_text=source)

    def type(self, cell: Any, source: str) -> None:
        """Replace what stands in a cell."""
        cell.locator(".cm-content").press("ControlOrMeta+a")
        self.page.keyboard.insert_text(source)

    def run(self, cell: Any) -> None:
        """Press Shift-Enter in a cell and wait until it has run."""
        number = cell.locator(".jp-InputPrompt").inner_text()
        cell.locator(".cm-content").press("Shift+Enter")
        has_run = re.compile(rf"\[(?!{re.escape(number.strip('[]: ')) or ' '}\])\d+\]")
        cell.locator(".jp-InputPrompt", has_text=has_run).wait_for()

    def save(self) -> None:
        """Press Ctrl-S and wait until nothing is unsaved."""
        self.page.keyboard.press("ControlOrMeta+s")
        self.page.locator(".lm-TabBar-tab.jp-mod-current:not(.jp-mod-dirty)").first.wait_for()

    def press(self, button: str) -> None:
        """Press a button of the notebook's own bar."""
        self.page.locator(".jp-NotebookPanel-toolbar").get_by_role("button", name=button, exact=True).click()

    def choose(self, entry: str) -> None:
        """Choose from nbgrader's menu."""
        self.page.get_by_role("menuitem", name=MENU).click()
        self.page.get_by_role("menuitem", name=entry, exact=True).click()

    def dialog(self) -> str:
        """What a dialog says, once there is one; closes it."""
        dialog = self.page.locator(".jp-Dialog")
        text = dialog.inner_text()
        dialog.get_by_role("button").last.click()
        dialog.wait_for(state="detached")
        return text

    def assignments(self, kind: str) -> Any:
        """The list of `released`, `fetched` or `submitted` assignments."""
        return self.page.locator(f"#{kind}_assignments_list")

    def formgrader(self) -> Any:
        """The formgrader's frame."""
        self.choose("Formgrader")
        return self.page.frame_locator("iframe")
