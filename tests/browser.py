"""A real browser for the tests: the system's Chromium, driven by Playwright, and where its pictures are kept.

Modules that import this one are skipped by name where either is not installed.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.submissions import COURSE

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed (the `test` extra has it)")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is not installed (Debian: apt-get install chromium)"
)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]
SCREENSHOTS = COURSE / "build" / "screenshots"
"""Where tests leave what they saw; `make screenshots` takes the README's pictures from here."""
MATHJAX_HOST = "https://cdnjs.cloudflare.com/"
MATHJAX = """window.MathJax = {Hub: {Config() {}, Queue() {}, Startup: {signal: {Interest() {}}}}};"""
"""The few names of MathJax that the formgrader's pages need, for a browser without a network."""


@contextlib.contextmanager
def chromium() -> Iterator[Any]:
    """Chromium, started and ended."""
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
