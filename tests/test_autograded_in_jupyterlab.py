"""Opening a graded copy in JupyterLab, which starts a kernel in its folder and has a Markdown parser of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from tests.browser import needs_chromium
from tests.course import hand_in, hand_out, nbgrader, new_course
from tests.depth import proof
from tests.jupyter_server import TOKEN, Server
from tests.markdown_differences import DIAGRAMS, FORMULAS, PICTURES, SEEN_BY_JUPYTERLAB
from tests.sample_class import EXERCISE
from tests.submissions import as_bytes, solved

pytestmark = [needs_chromium, proof]
ELSEWHERE = "http://attack.invalid"
MODULES = ("ipykernel_launcher", "runpy", "debugpy")
HTML = (
    "<a data-commandlinker-command='help:about' href='#'>x</a><picture><img srcset='URL 2x'></picture>"
    "<blockquote cite='URL'>a</blockquote><p style=\"background-color:image-set('URL' 1x)\">x</p>"
)
AS_THEY_WERE, GRADED = "student-01", "student-02"


def with_attacks(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The notebook with every attack in a cell of its own, in place."""
    for name, source in {**PICTURES, **DIAGRAMS}.items():
        notebook.cells.append(new_markdown_cell(source.replace("URL", f"{ELSEWHERE}/{name}"), id=name))
    notebook.cells += [new_markdown_cell(f"${formula}$", id=name) for name, formula in FORMULAS.items()]
    data = {"text/html": HTML.replace("URL", f"{ELSEWHERE}/html"), "text/markdown": "- ```\n![x](URL)\n- ```"}
    shown = [new_output("display_data", data={kind: text}) for kind, text in data.items()]
    notebook.cells.append(new_code_cell("1", id="outputs", outputs=shown))
    notebook.cells.append(new_markdown_cell("The end: $\\alpha$ $\\color{red}{x}$", id="the-end"))
    return notebook


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a course: one submission graded, another beside it as it was handed in, for the control."""
    course = new_course(tmp_path_factory.mktemp("school") / "course")
    hand_out(course)
    folder = hand_in(course, GRADED, EXERCISE, as_bytes(with_attacks(solved(EXERCISE))))
    as_it_was = course / "gradebook" / "autograded" / AS_THEY_WERE / EXERCISE
    as_it_was.mkdir(parents=True)
    (as_it_was / f"{EXERCISE}.ipynb").write_bytes(as_bytes(with_attacks(solved(EXERCISE))))
    for place in (folder, as_it_was):
        for name in MODULES:
            (place / f"{name}.py").write_text(f"open({str(ran(course, place.parent.name))!r}, 'a').write('{name}')")
    nbgrader(course, "autograde", EXERCISE)
    with Server(course) as server:
        yield server


def ran(course: Path, student: str) -> Path:
    """What a student's module writes where it runs."""
    return course.with_name(f"ran-of-{student}")


def looked_at(server: Server, browser: Any, student: str) -> tuple[set[str], int, str]:
    """Open a notebook of `autograded` and scroll to its end.

    Returns:
        The attacks that asked another server, how many diagrams were drawn, and how the last cell looks.
    """
    page = browser.new_page(viewport={"width": 1000, "height": 900})
    page.set_default_timeout(60_000)
    asked = set()

    def answer(route: Any) -> None:
        if route.request.url.startswith(ELSEWHERE):
            asked.add(route.request.url.rpartition("/")[2])
        route.fulfill(status=204)

    page.route(re.compile(r"^https?://(?!127\.0\.0\.1)"), answer)
    path = f"gradebook/autograded/{student}/{EXERCISE}/{EXERCISE}.ipynb"
    page.goto(f"http://127.0.0.1:{server.port}/lab/tree/{path}?reset&token={TOKEN}")
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()
    page.wait_for_timeout(5_000)
    end = page.locator(".jp-Notebook .jp-MarkdownCell", has_text="The end:")
    formula = end.locator("mjx-container").first
    for _ in range(300):
        if formula.count() and formula.is_visible():
            break
        page.mouse.move(600, 500)
        page.mouse.wheel(0, 600)
        page.wait_for_timeout(200)
    formula.wait_for()
    diagrams = page.locator(".jp-RenderedMermaid")
    # What draws a diagram is loaded when the first one is seen; a graded copy holds none to wait for.
    diagrams.first.wait_for() if student == AS_THEY_WERE else page.wait_for_timeout(5_000)
    page.wait_for_timeout(2_000)
    drawn = diagrams.count()
    look = formula.inner_html()
    page.close()
    return asked, drawn, look


def test_a_notebook_as_it_was_asks_elsewhere_and_runs_what_lies_beside_it(server: Server, browser: Any) -> None:
    asked, drawn, look = looked_at(server, browser, AS_THEY_WERE)
    assert set(SEEN_BY_JUPYTERLAB) <= asked
    assert drawn
    assert "mi" not in re.findall(r"<mjx-(\w+)", look)  # \alpha is no longer the letter
    assert ran(server.course, AS_THEY_WERE).exists()


def test_a_graded_copy_asks_nobody_and_runs_nothing(server: Server, browser: Any) -> None:
    asked, drawn, look = looked_at(server, browser, GRADED)
    assert asked == set()
    assert drawn == 0
    assert "mi" in re.findall(r"<mjx-(\w+)", look)
    assert not ran(server.course, GRADED).exists()
