"""Fixtures that several test modules share, how property tests draw, and what a failing run ends with.

They draw the same examples every time; with `--hypothesis-profile=fuzz`, many others.
"""

from __future__ import annotations

import shlex
from collections.abc import Generator, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("suite", derandomize=True, deadline=None)
settings.register_profile(
    "fuzz", derandomize=False, deadline=None, max_examples=3_000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None]:
    """After the names of what failed: how to run one of them again."""
    yield
    failed = [report.nodeid for kind in ("failed", "error") for report in terminalreporter.stats.get(kind, ())]
    if failed:
        again = f"OMP_NUM_THREADS=1 .venv/bin/python -m pytest {shlex.quote(failed[0])}"
        terminalreporter.write_line(f"{len(failed)} failed, by name above. The first of them again:\n    {again}")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium; a module at a time, for Playwright's event loop is in every other test's way while it runs."""
    from tests.browser import chromium  # here, for it skips whoever imports it where Playwright is missing

    with chromium() as browser:
        yield browser
