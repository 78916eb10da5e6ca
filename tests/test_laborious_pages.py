"""Pages over which a browser would labour, seen by whoever grades: formgrader, feedback, and JupyterLab itself."""

from __future__ import annotations

import base64
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook

from tests.active_content import ATTACKS as ACTIVE
from tests.active_content import attacking as with_active_content
from tests.browser import CHROMIUM, FLAGS, MATHJAX, MATHJAX_HOST, needs_chromium, playwright
from tests.course import gradebook_points, hand_in, hand_out, nbgrader, new_course
from tests.depth import proof
from tests.jupyter_server import TOKEN, Server
from tests.laborious_content import attacking, output, png
from tests.sample_class import EXERCISE, FULL
from tests.submissions import as_bytes, solved

pytestmark = [needs_chromium, proof]
PATIENCE = 60_000
"""Milliseconds for a page; the attacks take minutes each, and here are all of them together."""
LABORIOUS, TRUSTED, UNSANITISED = "student-01", "student-02", "student-03"
NOTEBOOK = f"{EXERCISE}.ipynb"
PROVOKE = """for (const element of document.querySelectorAll('.jp-Notebook *')) {
  for (const event of ['mouseover', 'focus']) element.dispatchEvent(new MouseEvent(event, {bubbles: false}));
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A course with a laborious and an active submission; the latter also as it is without sanitising."""
    course = new_course(tmp_path_factory.mktemp("course"))
    hand_out(course)
    folder = hand_in(course, LABORIOUS, EXERCISE, as_bytes(attacking(solved(EXERCISE))))
    (folder / "large.png").write_bytes(base64.b64decode(png(30_000, 30_000)))
    (folder / "honest.png").write_bytes(base64.b64decode(png(600, 400)))
    hand_in(course, TRUSTED, EXERCISE, as_bytes(with_active_content(solved(EXERCISE))))
    hand_in(course, UNSANITISED, EXERCISE, as_bytes(with_active_content(solved(EXERCISE), breaking=False)))
    nbgrader(course, "autograde", EXERCISE, "--student", "student-0[12]")
    steps = ["autograder.nbgrader_plugin.execution.Grade", "nbgrader.preprocessors.SaveAutoGrades"]
    options = [f"--Autograde.autograde_preprocessors={step}" for step in steps]
    options += ["--Autograde.sanitize_preprocessors=nbgrader.preprocessors.ClearOutput"]
    options += ["--Autograde.sanitize_preprocessors=autograder.nbgrader_plugin.repair.Repair"]
    nbgrader(course, "autograde", EXERCISE, "--student", UNSANITISED, *options)
    nbgrader(course, "generate_feedback", EXERCISE, "--student", LABORIOUS)
    with Server(course) as server:
        trust(course, TRUSTED, UNSANITISED)
        yield server


def autograded(student: str) -> str:
    """A graded notebook's path in the course."""
    return f"gradebook/autograded/{student}/{EXERCISE}/{NOTEBOOK}"


def trust(course: Path, *students: str) -> None:
    """As after the instructor pressed Trust: JupyterLab then shows what a notebook brings as it is."""
    data = course.with_name(f"{course.name}-home") / "data"
    environment = os.environ | {"JUPYTER_DATA_DIR": str(data)}
    for student in students:
        subprocess.run(["jupyter", "trust", autograded(student)], cwd=course, env=environment, check=True)


def opened(page: Any, url: str, hits: set[str]) -> None:
    """Open a page; what it asks others for is noted, and not fetched."""

    def answer(route: Any) -> None:
        url = route.request.url
        if url.startswith(MATHJAX_HOST):
            route.fulfill(body=MATHJAX, content_type="text/javascript")
        else:
            hits.update(re.findall(r"attack\.invalid/([\w-]+)", url))
            route.abort()

    page.set_default_timeout(PATIENCE)
    page.route(re.compile(r"^https?://(?!127\.0\.0\.1)"), answer)
    page.on("dialog", lambda dialog: (hits.add("a dialog"), dialog.dismiss()))
    page.expose_function("hit", lambda name: hits.add(name))
    page.goto(url, wait_until="load")


def shown_to_its_end(page: Any) -> Any:
    """The last cell of a page, once it is painted."""
    end = page.get_by_text("The end:").last
    end.scroll_into_view_if_needed()
    page.screenshot()
    return end


def test_the_submission_is_graded(server: Server) -> None:
    assert gradebook_points(server.course, EXERCISE, LABORIOUS) == FULL
    assert (server.course / autograded(LABORIOUS)).stat().st_size < 12_000_000


def test_a_picture_beside_it_is_kept_where_a_browser_can_show_it(server: Server) -> None:
    folder = (server.course / autograded(LABORIOUS)).parent
    assert sorted(path.name for path in folder.glob("*.png")) == ["honest.png"]
    submitted = server.course / "gradebook" / "submitted" / LABORIOUS / EXERCISE
    assert (submitted / "large.png").exists()


def test_its_feedback_is_shown(server: Server, browser: Any) -> None:
    file = server.course / "gradebook" / "feedback" / LABORIOUS / EXERCISE / f"{EXERCISE}.html"
    page = browser.new_page()
    opened(page, file.as_uri(), set())
    shown_to_its_end(page)
    page.close()


def test_the_formgrader_shows_it(server: Server, browser: Any) -> None:
    with Gradebook(f"sqlite:///{server.course}/gradebook/gradebook.db") as gradebook:
        (notebook,) = gradebook.find_submission(EXERCISE, LABORIOUS).notebooks
        path = f"/formgrader/submissions/{notebook.id}/"
    page = browser.new_page()
    opened(page, f"http://127.0.0.1:{server.port}/login?token={TOKEN}&next={path}", set())
    shown_to_its_end(page)
    page.close()


def in_jupyterlab(server: Server, page: Any, student: str, hits: set[str]) -> None:
    """Open a graded notebook in JupyterLab, whose kernel is of no interest, and scroll to its end."""
    opened(page, f"http://127.0.0.1:{server.port}/doc/tree/{autograded(student)}?reset&token={TOKEN}", hits)
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()
    for _ in range(80):
        page.mouse.move(500, 500)
        page.mouse.wheel(0, 3000)
        page.wait_for_timeout(100)
    page.evaluate(PROVOKE)
    page.screenshot()


def test_jupyterlab_shows_it_and_no_formula_rewrites_another(server: Server, browser: Any) -> None:
    page = browser.new_page()
    in_jupyterlab(server, page, LABORIOUS, set())
    end = shown_to_its_end(page)
    formulas = end.locator("mjx-container")
    formulas.first.wait_for()
    assert formulas.first.locator("mjx-mfrac").count() == 1
    assert "REWRITTEN" not in end.inner_text()
    assert page.locator(".jp-RenderedMermaid").count() == 0
    page.close()


def test_in_jupyterlab_nothing_runs_even_where_the_notebook_is_trusted(server: Server, browser: Any) -> None:
    hits: set[str] = set()
    page = browser.new_page()
    in_jupyterlab(server, page, TRUSTED, hits)
    page.close()
    assert not hits


def test_in_jupyterlab_attacks_do_run_where_nothing_was_sanitised(server: Server, browser: Any) -> None:
    hits: set[str] = set()
    page = browser.new_page()
    in_jupyterlab(server, page, UNSANITISED, hits)
    page.close()
    assert len(hits) >= 5
    assert hits <= {attack.name for attack in ACTIVE} | {"a dialog", "raise-the-score"}


HANGING = ["svg-use", "svg-use-in-html", "html-quotes", "html-ruby", "accents"]


@pytest.mark.parametrize("name", HANGING)
def test_alone_and_not_sanitised_it_keeps_a_browser_busy(tmp_path: Path, browser: Any, name: str) -> None:
    made = output(name)
    if name == "svg-use":
        made.data = {"text/html": made.data["image/svg+xml"]}
    notebook = new_notebook(cells=[new_code_cell("x", outputs=[made])])
    file = tmp_path / "page.html"
    file.write_text(HTMLExporter(template_name="classic").from_notebook_node(notebook)[0])
    own = browser.browser_type.launch(executable_path=CHROMIUM, args=FLAGS)
    page = own.new_page()
    with pytest.raises(playwright.TimeoutError):
        _paint(page, file.as_uri())
    own.close()


def _paint(page: Any, url: str) -> None:
    page.goto(url, wait_until="load", timeout=8_000)
    page.screenshot(timeout=8_000)


def test_the_graded_notebook_is_a_notebook(server: Server) -> None:
    nbformat.validate(nbformat.read(server.course / autograded(LABORIOUS), as_version=4))
