"""Fixtures that several test modules share, and how property tests draw.

They draw the same examples every time; with `--hypothesis-profile=fuzz`, many others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("suite", derandomize=True, deadline=None)
settings.register_profile(
    "fuzz", derandomize=False, deadline=None, max_examples=3_000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium; a module at a time, for Playwright's event loop is in every other test's way while it runs."""
    from tests.browser import chromium  # here, for it skips whoever imports it where Playwright is missing

    with chromium() as browser:
        yield browser
