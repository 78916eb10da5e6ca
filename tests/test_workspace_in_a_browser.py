"""A student's first minutes in a real browser: what `autograder lab` opens, and the way to the first green check."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser import needs_chromium
from tests.course import nbgrader, new_course
from tests.depth import proof
from tests.jupyter_lab import PATIENCE, Lab
from tests.jupyter_server import TOKEN, Server
from tests.submissions import COURSE, cell_of, solution_sources

pytestmark = [needs_chromium, proof]
EXERCISE, TASK, POINTS = "01_scalar_graphs", "forward_values", 2
COPY = f"exercises/{EXERCISE}/{EXERCISE}_exercise.ipynb"
MOST_CLICKS = 4
PICTURE = {"width": 900, "height": 520}
"""The size of the documentation's picture."""


def course_with_lessons(folder: Path) -> Path:
    """What a student has cloned, without what a student does not open."""
    shutil.copytree(COURSE / "lessons", new_course(folder) / "lessons")
    return folder


def first_page(lab: Lab) -> Any:
    """The page that opens by itself."""
    lab.page.goto(f"http://127.0.0.1:{lab.server.port}/?token={TOKEN}")
    page = lab.page.locator(".jp-MarkdownViewer")
    page.get_by_role("heading", name="Welcome").wait_for()
    return page


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    course = course_with_lessons(tmp_path_factory.mktemp("home") / "course")
    with Server(course, ["autograder", "lab"]) as server:
        yield server


@pytest.fixture
def lab(server: Server, browser: Any, request: pytest.FixtureRequest) -> Iterator[Lab]:
    with Lab.of(browser, server, request.node.name) as lab:
        yield lab


def test_two_clicks_lead_from_the_welcome_to_a_green_check(lab: Lab) -> None:
    began, clicks = time.monotonic(), 0
    welcome = first_page(lab)
    welcome.get_by_role("link", name="Exercise 01: scalar graphs").first.click()
    clicks += 1
    lab.page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for()
    assert lab.page.locator(".lm-TabBar-tab.jp-mod-current").first.inner_text() == f"{EXERCISE}_exercise.ipynb"

    setup, answer = lab.cell("from autograder import check"), lab.cell(f"def {TASK}(")
    for _ in range(3):
        lab.page.keyboard.press("Shift+Enter")
    setup.locator(".jp-InputPrompt", has_text="[1]").wait_for()
    lab.page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for()  # keys pressed before have all arrived
    answer.locator(".cm-content").click()
    clicks += 1
    answer.locator(".cm-focused").wait_for()
    lab.page.keyboard.press("ControlOrMeta+a")
    lab.page.keyboard.insert_text(solution_sources(EXERCISE)[TASK])
    lab.page.keyboard.press("Shift+Enter")
    answer.locator(".jp-InputPrompt", has_text="[2]").wait_for()
    lab.page.keyboard.press("Shift+Enter")
    card = lab.cell(f'check("{TASK}")').locator(".jp-OutputArea")
    expect(card).to_contain_text("All checks passed.", timeout=PATIENCE)
    assert f"{TASK}: {POINTS} of {POINTS} points" in card.inner_text()
    assert lab.page.locator(".jp-Dialog").count() == 0
    assert clicks <= MOST_CLICKS
    print(f"{clicks} clicks, {time.monotonic() - began:.1f} s in the browser")

    lab.save()
    saved = nbformat.read(lab.server.course / "work" / COPY, as_version=4)
    assert cell_of(saved, TASK).source == solution_sources(EXERCISE)[TASK]
    assert (lab.server.course / "exercises" / EXERCISE / f"{EXERCISE}.ipynb").read_bytes() == (
        COURSE / "exercises" / EXERCISE / f"{EXERCISE}.ipynb"
    ).read_bytes()


def test_a_student_sees_the_workspace_and_no_tools_for_instructors(lab: Lab) -> None:
    lab.page.set_viewport_size(PICTURE)
    first_page(lab)
    lab.files().get_by_text("welcome.md").wait_for()
    lab.keep("welcome")
    found = Axe().run(lab.page, context=".jp-MarkdownViewer")
    assert found.violations_count == 0, found.generate_report()
    assert lab.files().locator(".jp-DirListing-itemName").all_inner_texts() == ["exercises", "lessons", "welcome.md"]
    assert lab.page.get_by_role("menuitem", name="Nbgrader").count() == 0
    lab.page.goto(f"http://127.0.0.1:{lab.server.port}/lab/tree/{COPY}?reset&token={TOKEN}")
    lab.page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for()
    lab.page.locator(".jp-NotebookPanel-toolbar").get_by_role("button", name="Validate", exact=True).wait_for()


@pytest.mark.parametrize(
    ("start", "link", "tab"),
    [
        (f"lessons/{EXERCISE}.ipynb", f"a[href*='{EXERCISE}_exercise.ipynb']", f"{EXERCISE}_exercise.ipynb"),
        (COPY, f"a[href*='lessons/{EXERCISE}.ipynb']", f"{EXERCISE}.ipynb"),
    ],
    ids=["from a lesson", "from an exercise"],
)
def test_lessons_and_exercises_lead_to_each_other(lab: Lab, start: str, link: str, tab: str) -> None:
    lab.page.goto(f"http://127.0.0.1:{lab.server.port}/lab/tree/{start}?reset&token={TOKEN}")
    lab.page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for()
    found = lab.page.locator(f".jp-Notebook {link}").first
    found.scroll_into_view_if_needed()
    found.click()
    tabs = lab.page.locator("#jp-main-dock-panel .lm-TabBar-tabLabel")
    tabs.get_by_text(tab, exact=True).wait_for()
    assert lab.page.locator(".jp-Dialog").count() == 0


def test_where_there_is_an_exchange_the_assignment_list_hands_in_the_copy(
    tmp_path: Path, browser: Any, request: pytest.FixtureRequest
) -> None:
    course, exchange = course_with_lessons(tmp_path / "course"), tmp_path / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    nbgrader(course, "generate_assignment", EXERCISE, "--force", NBGRADER_EXCHANGE=str(exchange))
    nbgrader(course, "release_assignment", EXERCISE, NBGRADER_EXCHANGE=str(exchange))
    with Server(course, ["autograder", "lab"], NBGRADER_EXCHANGE=str(exchange)) as server:
        lab = Lab(browser, server)
        first_page(lab)
        lab.choose("Assignment List")
        lab.assignments("fetched").get_by_role("button", name="Submit").click(timeout=2 * PATIENCE)
        lab.assignments("submitted").get_by_text(EXERCISE).first.wait_for()
        lab.keep(request.node.name)
        assert lab.page.get_by_role("menuitem", name="Formgrader").count() == 0
        lab.page.close()
        assert lab.complaints == []
    (handed_in,) = (exchange / "gradients" / "inbound").iterdir()
    assert (handed_in / f"{EXERCISE}.ipynb").read_bytes() == (course / "work" / COPY).read_bytes()
    assert not list(handed_in.glob("*_exercise.ipynb"))
