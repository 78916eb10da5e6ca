"""What a student hands in runs in nobody's browser: shown in a real one, as formgrader page and as feedback."""

from __future__ import annotations

import contextlib
import dataclasses
import re
import warnings
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter
from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from nbgrader.api import Gradebook
from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory

from autograder.sanitising.html import NOTE
from tests.active_content import ATTACKS, RAISE_THE_SCORE, Attack, attacking
from tests.browser import MATHJAX, MATHJAX_HOST, needs_chromium, playwright
from tests.course import gradebook_points, hand_out, nbgrader, new_course
from tests.depth import proof
from tests.jupyter_server import TOKEN, Server
from tests.sample_class import EXERCISE, FULL
from tests.submissions import as_bytes, solved

pytestmark = [needs_chromium, proof]
FORMGRADER = re.compile(
    r"http://127\.0\.0\.1:\d+/formgrader/"
    r"(submissions/\w+/(\?index=.*)?$|static/|fonts/|api/(grades|comments)\?|api/grade/)"
)
"""What the formgrader's page asks its server for by itself; and a change of a grade, which the scores would show."""
BESIDE = re.compile(r".*/(y\.png|lessons/\w+\.ipynb)$")
"""What it may ask for: a picture beside the notebook, and what the course's own cells link to."""
PROVOKE = """
for (const element of document.querySelectorAll('#notebook *')) {
  for (const event of ['mouseover', 'focus']) element.dispatchEvent(new MouseEvent(event, {bubbles: true}));
}
for (const element of document.querySelectorAll('#notebook a, #notebook .click')) {
  const target = element.getAttribute('href') || element.getAttribute('xlink:href') || '';
  if (!/^(#|https?:)/.test(target)) element.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));
}
for (const element of document.querySelectorAll('#notebook form button')) element.click();
"""
STUDENT, CONTROL, SCORER = "student-01", "student-02", "student-03"
STEPS = {
    "sanitize": ["nbgrader.preprocessors.ClearOutput", "autograder.nbgrader_plugin.repair.Repair"],
    "autograde": ["autograder.nbgrader_plugin.execution.Grade", "nbgrader.preprocessors.SaveAutoGrades"],
}
"""The configuration's steps without the one that is tested, for the controls."""


@dataclasses.dataclass
class Seen:
    """What a page did.

    Attributes:
        hits: attacks that ran.
        requests: what it asked for, beyond what the page itself needs.
        dialogs: texts of dialogs.
    """

    page: Any
    hits: set[str] = dataclasses.field(default_factory=set)
    requests: list[str] = dataclasses.field(default_factory=list)
    dialogs: list[str] = dataclasses.field(default_factory=list)

    @property
    def noticed(self) -> set[str]:
        """Names of the attacks that did something."""
        asked = {a.name for a in ATTACKS for url in self.requests if re.search(rf"[/?]{a.name}(?![\w-])", url)}
        return self.hits | asked


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a course with one student's attacks; the same, and one of them alone, unsanitised as controls."""
    course = new_course(tmp_path_factory.mktemp("course"))
    hand_out(course)
    only_score = solved(EXERCISE)
    only_score.cells.append(RAISE_THE_SCORE)
    hand_in(course, STUDENT, attacking(solved(EXERCISE)))
    hand_in(course, CONTROL, attacking(solved(EXERCISE), breaking=False))
    hand_in(course, SCORER, only_score)
    nbgrader(course, "autograde", EXERCISE, "--student", STUDENT)
    without = [f"--Autograde.{step}_preprocessors={name}" for step, names in STEPS.items() for name in names]
    nbgrader(course, "autograde", EXERCISE, "--student", "student-0[23]", *without)
    nbgrader(course, "generate_feedback", EXERCISE, "--student", STUDENT)
    with Server(course) as server:
        yield server


def hand_in(course: Path, student: str, notebook: NotebookNode) -> None:
    """Put a submission, and a page beside it, where nbgrader collects them."""
    folder = course / "gradebook" / "submitted" / student / EXERCISE
    folder.mkdir(parents=True)
    (folder / f"{EXERCISE}.ipynb").write_bytes(as_bytes(notebook))
    (folder / "evil.html").write_text("<script>opener.hit('evil.html')</script>")


def look(browser: Any, url: str, own: re.Pattern, expected: Collection[str] = ()) -> Seen:
    """Open a page, touch all that can be touched, and tell what happened.

    Args:
        browser: Chromium.
        url: the page.
        own: what it asks for by itself.
        expected: attacks that run, for which a slow machine is waited for.
    """
    page = browser.new_page()
    seen = Seen(page)

    def answer(route: Any) -> None:
        asked = route.request.url
        if asked.startswith(MATHJAX_HOST):  # MathJax, of which the formgrader needs a few names
            route.fulfill(body=MATHJAX, content_type="text/javascript")
        elif asked == url or own.match(asked) or asked.startswith(("data:", "blob:", "about:")):
            route.continue_()
        else:
            seen.requests.append(asked)
            route.fulfill(status=204)  # nothing comes, and no page goes away

    def dismiss(dialog: Any) -> None:
        seen.dialogs.append(dialog.message)
        dialog.dismiss()

    page.route("**/*", answer)
    page.on("dialog", dismiss)
    page.expose_function("hit", lambda name: seen.hits.add(name))
    page.goto(url, wait_until="load")
    page.wait_for_timeout(1500)
    for frame in page.frames:
        with contextlib.suppress(playwright.Error):  # a frame that an attack replaced
            frame.evaluate(PROVOKE)
    page.wait_for_timeout(1000)
    for _ in range(40):
        if set(expected) <= seen.noticed:
            break
        page.wait_for_timeout(500)
    return seen


def formgrader_page(server: Server, student: str) -> str:
    """The instructor's page of a submission."""
    with Gradebook(f"sqlite:///{server.course}/gradebook/gradebook.db") as gradebook:
        (notebook,) = gradebook.find_submission(EXERCISE, student).notebooks
        path = f"/formgrader/submissions/{notebook.id}/"
    return f"http://127.0.0.1:{server.port}/login?token={TOKEN}&next={path}"


@pytest.fixture(scope="module")
def formgrader(server: Server, browser: Any) -> Seen:
    """The sanitised submission in the formgrader."""
    return look(browser, formgrader_page(server, STUDENT), FORMGRADER)


@pytest.fixture(scope="module")
def feedback(server: Server, browser: Any) -> Seen:
    """The sanitised submission's feedback file."""
    page = server.course / "gradebook" / "feedback" / STUDENT / EXERCISE / f"{EXERCISE}.html"
    return look(browser, page.as_uri(), FORMGRADER)


@pytest.fixture(scope="module", params=[CONTROL, STUDENT], ids=["unsanitised", "sanitised"])
def alone(
    request: pytest.FixtureRequest, server: Server, browser: Any, tmp_path_factory: pytest.TempPathFactory
) -> tuple[bool, Seen]:
    """Every attack in a page of its own, where no other hides it; all these pages are frames of one."""
    folder = tmp_path_factory.mktemp("alone")
    config = GenerateFeedback(coursedir=CourseDirectory()).config
    exporter = HTMLExporter(config=config)
    exporter.register_preprocessor(CSSHTMLHeaderPreprocessor, enabled=True)
    path = server.course / "gradebook" / "autograded" / request.param / EXERCISE / f"{EXERCISE}.ipynb"
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.id in {attack.name for attack in ATTACKS}:
            resources = {"nbgrader": {"notebook": cell.id, "score": 0, "max_score": 0, "late_penalty": 0}}
            with warnings.catch_warnings():  # types that nbconvert cannot show
                warnings.simplefilter("ignore", UserWarning)
                html, _ = exporter.from_notebook_node(new_notebook(cells=[cell]), resources=resources)
            (folder / f"page-of-{cell.id}.html").write_text(html)
    frames = "".join(f'<iframe src="{page.name}"></iframe>' for page in sorted(folder.iterdir()))
    (folder / "all.html").write_text(frames)
    pages = re.compile(rf"{folder.as_uri()}/page-of-.*\.html")
    sanitised = request.param == STUDENT
    expected = [attack.name for attack in ATTACKS if attack.runs and not attack.breaks and not sanitised]
    return sanitised, look(browser, (folder / "all.html").as_uri(), pages, expected)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_runs_where_nothing_is_sanitised_and_only_there(alone: tuple[bool, Seen], attack: Attack) -> None:
    sanitised, seen = alone
    assert (attack.name in seen.noticed) == (attack.runs and not attack.breaks and not sanitised)


@pytest.mark.parametrize("where", ["formgrader", "feedback"])
def test_nothing_runs_in_the_pages(request: pytest.FixtureRequest, where: str) -> None:
    seen: Seen = request.getfixturevalue(where)
    assert not seen.hits
    assert not seen.dialogs
    assert not [url for url in seen.requests if not BESIDE.match(url)]


def test_no_score_moves(server: Server, formgrader: Seen) -> None:
    assert gradebook_points(server.course, EXERCISE, STUDENT) == FULL


def test_without_sanitising_the_scores_move(server: Server, browser: Any) -> None:
    assert gradebook_points(server.course, EXERCISE, SCORER) == FULL
    seen = look(browser, formgrader_page(server, SCORER), FORMGRADER, ["raise-the-score"])
    assert seen.hits == {"raise-the-score"}
    assert gradebook_points(server.course, EXERCISE, SCORER) == dict.fromkeys(FULL, 104)


@pytest.mark.parametrize("where", ["formgrader", "feedback"])
def test_verdicts_still_show(request: pytest.FixtureRequest, where: str) -> None:
    page = request.getfixturevalue(where).page
    for task, points in FULL.items():
        card = page.locator("div", has_text=f"{task}: {points} of {points} points").last
        assert card.is_visible()
        assert card.evaluate("card => getComputedStyle(card.closest('[style]')).borderLeftWidth") == "6px"


def test_the_instructor_can_still_grade(server: Server, formgrader: Seen) -> None:
    for task in FULL:
        box = formgrader.page.locator(f"#check_{task}")
        assert box.count() == 1
        assert box.evaluate("box => box.matches('.nbgrader_cell input.score')")


def test_the_source_of_a_cell_cannot_be_hidden(formgrader: Seen) -> None:
    assert "hidden source" in formgrader.page.content()


def test_what_was_left_out_is_told(formgrader: Seen) -> None:
    text = formgrader.page.locator("body").inner_text()
    assert NOTE in text
    assert "does not know it: application/javascript." in text
