"""JupyterLab as a person at its screen has it: cells to type into, buttons to press, what it then shows."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.browser import MATHJAX, MATHJAX_HOST, SCREENSHOTS
from tests.jupyter_server import TOKEN, Server

PATIENCE = 60_000
"""Milliseconds that a slow machine may take for anything."""
SIZE = {"width": 1060, "height": 900}
EDGE = 3
"""Pixels above and below a cell in which its neighbours' frames are seen."""
MENU = "Nbgrader"
SANDBOXED = "Blocked script execution in 'blob:"
"""JupyterLab shows an HTML file without its scripts; nbgrader's feedback has some, for formulas."""


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
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("response", lambda got: got.status >= 400 and self.complaints.append(f"{got.status} {got.url}"))

    @staticmethod
    @contextlib.contextmanager
    def of(browser: Any, server: Server, name: str) -> Iterator[Lab]:
        """A new page, whose end is kept as a picture of that name; nothing may be said in the browser's console."""
        lab = Lab(browser, server)
        try:
            yield lab
        finally:
            lab.keep(name)
            lab.page.close()
        assert lab.complaints == []

    def _note(self, said: Any) -> None:
        if said.type == "error" and not said.text.startswith(SANDBOXED):
            self.complaints.append(said.text)

    def _without_network(self, route: Any) -> None:
        if route.request.url.startswith(MATHJAX_HOST):
            route.fulfill(body=MATHJAX, content_type="text/javascript")
        else:
            self.complaints.append(f"asked for {route.request.url}")
            route.abort()

    def keep(self, name: str, shown: Any = None) -> Path:
        """A picture of the page, or of a part of it without its outermost edge, among the tests' screenshots."""
        path = SCREENSHOTS / f"{name}.png"
        clip = None
        if shown is not None:
            shown.scroll_into_view_if_needed()
            box = shown.bounding_box()
            clip = box | {"y": box["y"] + EDGE, "height": box["height"] - 2 * EDGE}
        self.page.screenshot(path=path, clip=clip)
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

    def darken(self) -> None:
        """Choose JupyterLab's dark theme."""
        self.page.get_by_role("menuitem", name="Settings").click()
        for entry in ("Theme", "JupyterLab Dark"):
            self.page.locator(".lm-Menu-itemLabel").get_by_text(entry, exact=True).click()
        self.page.locator("body[data-jp-theme-light=false]").wait_for(state="attached")

    def dialog(self) -> str:
        """What a dialog says, once there is one; closes it."""
        dialog = self.page.locator(".jp-Dialog")
        text = dialog.inner_text()
        self.keep("dialog")
        dialog.get_by_role("button").last.click()
        dialog.wait_for(state="detached")
        return text

    def assignments(self, kind: str) -> Any:
        """The list of `released`, `fetched` or `submitted` assignments."""
        return self.page.locator(f"#{kind}_assignments_list")

    def files(self) -> Any:
        """The file browser's list."""
        return self.page.locator(".jp-DirListing-content")

    def formgrader(self) -> Formgrader:
        """The formgrader, in a tab of its own."""
        self.choose("Formgrader")
        return Formgrader(self.page.frame_locator("iframe"))


class Formgrader:
    """The formgrader's pages in their frame.

    Attributes:
        frame: Playwright's.
    """

    def __init__(self, frame: Any) -> None:
        self.frame = frame

    def row(self, text: str) -> Any:
        """The row of a table that says so."""
        return self.frame.locator("tbody tr", has_text=text)

    def press(self, row: Any, column: str) -> str:
        """Press a row's button and confirm what is then said; returns that."""
        row.locator(f".{column} a").click()
        said = self.frame.locator(".modal-dialog")
        text = said.inner_text()
        said.get_by_role("button", name="OK").click()
        said.wait_for(state="detached")
        return text
