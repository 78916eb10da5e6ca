"""Every kind of page against axe-core's rules, light and dark."""

from __future__ import annotations

from typing import Any

import pytest

from tests.site.built import pages

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed (the extra `site`)")
SAME_KIND = ("mistakes/0", "mistakes/1", "exercises/")
"""Of pages that are made alike, the first is enough; its neighbours differ in their words."""

STILL = "* { transition: none !important; animation: none !important; }"
"""Colours that are on their way to others are not measured."""


def chosen() -> list[str]:
    """All lessons, guides and pages of reference; one page of mistakes and one exercise."""
    first = {kind: min(name for name in pages() if name.startswith(kind)) for kind in SAME_KIND}
    return [name for name in pages() if not name.startswith(SAME_KIND) or name in first.values()]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", chosen())
def test_no_violation(browser: Any, address: str, name: str, scheme: str) -> None:
    page = browser.new_page(color_scheme=scheme)
    page.goto(address + name, wait_until="load")
    page.add_style_tag(content=STILL)
    found = axe.Axe().run(page).response["violations"]
    page.close()
    assert [f"{one['id']}: {node['target']} {node['html'][:120]}" for one in found for node in one["nodes"]] == []


def test_a_violation_would_be_seen(browser: Any, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}index.html", wait_until="load")
    page.evaluate("document.querySelector('article').append(document.createElement('img'))")
    found = [one["id"] for one in axe.Axe().run(page).response["violations"]]
    page.close()
    assert "image-alt" in found
