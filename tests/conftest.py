"""Fixtures that several test modules share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium; a module at a time, for Playwright's event loop is in every other test's way while it runs."""
    from tests.browser import chromium  # here, for it skips whoever imports it where Playwright is missing

    with chromium() as browser:
        yield browser
