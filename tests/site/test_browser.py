"""The site in a real browser: it is followed, searched, turned dark, and read on a telephone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.site.built import pages
from tests.submissions import COURSE

SCREENSHOTS = COURSE / "build" / "screenshots" / "site"
PHONE = {"width": 390, "height": 844}
Visit = Callable[..., Any]


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Visit]:
    """Opens a page; at the end, nothing may have gone wrong in it or been asked of anybody else."""
    opened, wrong = [], []

    def open_page(name: str, **options: Any) -> Any:
        page = browser.new_page(**options)
        opened.append(page)
        page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda one: None if one.url.startswith((address, "data:")) else wrong.append(one.url))
        page.on("response", lambda one: wrong.append(f"{one.status} {one.url}") if one.status >= 400 else None)
        page.goto(address + name, wait_until="load")
        return page

    yield open_page
    for page in opened:
        page.close()
    assert wrong == []


@pytest.mark.parametrize("name", pages())
def test_a_page_opens_without_an_error_or_a_request_elsewhere(visit: Visit, name: str) -> None:
    page = visit(name)
    assert page.locator("h1").locator("visible=true").count() > 0


def test_a_student_finds_the_way_from_the_first_page_to_an_exercise(visit: Visit) -> None:
    page = visit("index.html")
    page.locator(".sd-card", has_text="I want to learn").click()
    page.wait_for_url("**/students.html")
    page.get_by_role("article").get_by_role("link", name="lesson 01").click()
    page.wait_for_url("**/lessons/01_scalar_graphs.html")
    page.get_by_role("article").get_by_role("link", name="01_scalar_graphs").click()
    page.wait_for_url("**/exercises/01_scalar_graphs/01_scalar_graphs.html")
    assert "0 of 3 points" in page.get_by_role("article").inner_text()
    page.get_by_role("link", name=re.compile("^next")).click()
    page.wait_for_url("**/lessons/02_grad.html")


def test_a_mistake_leads_to_the_section_to_read_again(visit: Visit) -> None:
    page = visit("mistakes/index.html")
    page.get_by_role("article").get_by_role("link", name="partials", exact=True).click()
    page.wait_for_url("**/mistakes/01_scalar_graphs.html#partials")
    page.get_by_role("link", name="lesson 01, “Products along paths”").first.click()
    page.wait_for_url("**/lessons/01_scalar_graphs.html#products-along-paths")
    assert page.get_by_role("heading", name="Products along paths").is_visible()


@pytest.mark.parametrize(
    ("words", "found"),
    [("upstream gradient", "lessons/02_grad"), ("gate forgotten", "mistakes/"), ("export-anonymous", "command_line")],
)
def test_the_search_finds(visit: Visit, words: str, found: str) -> None:
    page = visit("index.html")
    page.keyboard.press("Control+k")
    page.get_by_role("searchbox").locator("visible=true").first.fill(words)
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=*")
    result = page.locator(f'#search-results a[href*="{found}"]').first
    result.wait_for()
    result.click()
    page.wait_for_url(f"**/{found}*")


def test_the_theme_can_be_changed_and_stays(visit: Visit) -> None:
    page = visit("index.html", color_scheme="light")
    html = page.locator("html")
    assert html.get_attribute("data-theme") == "light"
    page.get_by_role("button", name="Color mode").locator("visible=true").click()
    page.get_by_role("button", name="Dark", exact=True).locator("visible=true").click()
    assert html.get_attribute("data-theme") == "dark"
    page.reload()
    assert html.get_attribute("data-theme") == "dark"


@pytest.mark.parametrize("name", pages())
def test_nothing_is_wider_than_a_telephone(visit: Visit, name: str) -> None:
    page = visit(name, viewport=PHONE)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index", "lessons/09_cnn", "exercises/01_scalar_graphs/01_scalar_graphs"])
def test_screenshots_are_kept_to_be_looked_at(visit: Visit, name: str, scheme: str) -> None:
    page = visit(f"{name}.html", color_scheme=scheme)
    file = SCREENSHOTS / f"{name.rpartition('/')[2]}-{scheme}.png"
    page.screenshot(path=file)
    assert file.stat().st_size > 10_000
