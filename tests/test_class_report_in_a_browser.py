"""The report about a class in a real browser: light, dark, on a telephone and on paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from autograder.class_report.command import write_report
from tests.browser import SCREENSHOTS, needs_chromium
from tests.made_class import drawn_class, results, time_line
from tests.test_class_report import hostile_class

pytestmark = needs_chromium
LOOKS: dict[str, dict[str, object]] = {
    "light": {"color_scheme": "light", "viewport": {"width": 1100, "height": 900}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1100, "height": 900}},
    "telephone": {"color_scheme": "dark", "viewport": {"width": 390, "height": 844}},
    "paper": {"color_scheme": "dark", "viewport": {"width": 760, "height": 1000}},
}
PAGES = ("assignment", "course", "empty", "hostile")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each page: of an assignment, of a course, without students, of students who are hostile."""
    folder = tmp_path_factory.mktemp("reports")
    first, second = drawn_class(60), drawn_class(40, "02_more")
    write_report(folder / "assignment", [first], time_line(first), first.name)
    write_report(folder / "course", [first, second], time_line(first, second), None, anonymous=True)
    for name, made in (("empty", results([])), ("hostile", hostile_class())):
        write_report(folder / name, [made], time_line(made), made.name)
    return folder


def shown(browser: Browser, pages: Path, name: str, look: str) -> Page:
    """A page in one of the looks, with all folds open."""
    page = browser.new_page(**LOOKS[look])
    if look == "paper":
        page.emulate_media(media="print", color_scheme="dark")
    page.goto((pages / name / "index.html").as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    return page


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(
    browser: Browser, pages: Path, name: str, look: str
) -> None:
    page = shown(browser, pages, name, look)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"class_report_{name}_{look}.png", full_page=True)
    page.close()


def test_plots_are_seen_and_said(browser: Browser, pages: Path) -> None:
    page = shown(browser, pages, "course", "light")
    images = page.evaluate("[...document.images].map(one => [one.naturalWidth > 0, one.alt])")
    assert len(images) == 1 + 2 * 3
    assert all(seen and len(said) > 40 for seen, said in images)
    assert "01_numbers: 54 of 60 handed in, median" in images[0][1]
    tree = page.locator("main").aria_snapshot()
    assert 'heading "Weeks side by side" [level=2]' in tree
    assert 'table "Assignments by time"' in tree
    page.close()


def test_the_page_asks_nobody_for_anything_and_runs_nothing(browser: Browser, pages: Path) -> None:
    page, asked, said = browser.new_page(), list[str](), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("dialog", lambda dialog: dialog.dismiss() or said.append("dialog"))
    page.goto((pages / "hostile" / "index.html").as_uri())
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert said == []
    assert page.locator("script").count() == 0
    page.close()


def test_on_paper_folded_programs_are_printed(browser: Browser, pages: Path) -> None:
    page = browser.new_page()
    page.goto((pages / "assignment" / "index.html").as_uri())
    program = page.locator("details pre").first
    assert not program.is_visible()
    page.emulate_media(media="print")
    assert program.bounding_box()["height"] > 20
    assert page.evaluate("getComputedStyle(document.querySelector('details pre').closest('details')).display") != "none"
    page.close()


def test_tables_scroll_by_keyboard(browser: Browser, pages: Path) -> None:
    page = shown(browser, pages, "assignment", "telephone")
    frame = page.get_by_role("group", name="Tasks in the order of the notebook")
    frame.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("one => one.scrollLeft > 0", arg=frame.element_handle())
    page.close()
