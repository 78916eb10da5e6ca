"""The way of a student and of an instructor through JupyterLab, in a real browser, on a new clone."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbgrader.utils import get_username

from tests.browser import needs_chromium, playwright
from tests.course import nbgrader, new_course
from tests.depth import proof
from tests.jupyter_lab import Lab
from tests.jupyter_server import Server
from tests.sample_class import EXERCISE
from tests.submissions import COURSE, as_bytes, cell_of, solved

pytestmark = needs_chromium

NOTEBOOK = f"exercises/{EXERCISE}/{EXERCISE}.ipynb"
SWAPPED = """def partials(x, w, b):
    on = 1.0 if x * w + b > 0 else 0.0
    return {"x": x * on, "w": w * on, "b": on, "u": on, "v": on}"""
RIGHT = SWAPPED.replace('"x": x * on, "w": w * on', '"x": w * on, "w": x * on')
MISTAKE = "The partials of x and w are swapped."
SECTION = "Products along paths"
POINTS = 28
SUBMISSION = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a course that has released an exercise to its exchange folder."""
    folder = tmp_path_factory.mktemp("school")
    course, exchange = new_course(folder / "course"), folder / "exchange"
    shutil.copytree(COURSE / "lessons", course / "lessons")
    exchange.mkdir()
    exchange.chmod(0o777)
    nbgrader(course, "generate_assignment", EXERCISE, "--force", NBGRADER_EXCHANGE=str(exchange))
    nbgrader(course, "release_assignment", EXERCISE, NBGRADER_EXCHANGE=str(exchange))
    with Server(course, NBGRADER_EXCHANGE=str(exchange)) as server:
        yield server


@pytest.fixture
def lab(server: Server, browser: Any, request: pytest.FixtureRequest) -> Iterator[Lab]:
    with Lab.of(browser, server, request.node.name) as lab:
        yield lab


def submit(lab: Lab) -> None:
    """Hand the exercise in through the Assignment List."""
    before = len(inbound(lab.server.course))
    lab.choose("Assignment List")
    lab.assignments("fetched").get_by_role("button", name="Submit").click()
    lab.assignments("submitted").get_by_text(SUBMISSION).nth(before).wait_for()


def inbound(course: Path) -> list[Path]:
    """What students have handed in, the oldest first."""
    return sorted((course.with_name("exchange") / "gradients" / "inbound").iterdir())


def test_a_student_solves_a_task_validates_and_submits(lab: Lab) -> None:
    lab.open(NOTEBOOK)
    answer, check = lab.cell("def partials(x"), lab.cell('check("partials")')
    card = check.locator(".jp-OutputArea")
    lab.run(lab.cell("from autograder import check"))

    lab.run(check)
    card.get_by_text("The notebook defines no partials: run the cell that defines it first.").wait_for()
    lab.run(answer)
    lab.run(check)
    card.get_by_text("Not attempted yet.").wait_for()

    lab.type(answer, SWAPPED)
    lab.run(answer)
    lab.run(check)
    card.get_by_text(MISTAKE).wait_for()
    assert "partials: 1 of 3 points" in card.inner_text()
    assert card.get_by_role("img", name="Where the numbers differ").is_visible()
    lab.keep("check_missed", check)

    lab.press("Validate")
    said = lab.dialog()
    assert "forward_values: 0 of 2 points. Not attempted yet." in said
    assert "partials: 1 of 3 points." in said

    lab.type(answer, RIGHT)
    lab.run(answer)
    lab.run(check)
    card.get_by_text("All checks passed.").wait_for()
    assert "partials: 3 of 3 points" in card.inner_text()
    assert check.locator(".jp-OutputArea-executeResult").count() == 0  # the score stands once
    lab.keep("check_passed", check)

    lab.save()
    submit(lab)
    handed_in = nbformat.read(inbound(lab.server.course)[-1] / f"{EXERCISE}.ipynb", as_version=4)
    assert cell_of(handed_in, "partials").source == RIGHT


@proof
def test_read_again_opens_the_lesson_at_its_section(lab: Lab) -> None:
    lab.open(NOTEBOOK)
    answer, check = lab.cell("def partials(x"), lab.cell('check("partials")')
    lab.type(answer, SWAPPED)
    for cell in (lab.cell("from autograder import check"), answer, check):
        lab.run(cell)
    check.get_by_role("link", name="lesson 01, “Products along paths”").click()
    # The cell and not its heading: JupyterLab scrolls before it typesets what stands above, which then takes more room.
    section = lab.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell").filter(
        has=lab.page.get_by_role("heading", name=SECTION)
    )
    playwright.expect(section).to_be_in_viewport(timeout=60_000)


@proof
def test_an_instructor_grades_and_gives_feedback(lab: Lab) -> None:
    course = lab.server.course
    (course / NOTEBOOK).write_bytes(as_bytes(solved(EXERCISE, partials=SWAPPED)))
    lab.open()
    submit(lab)

    formgrader = lab.formgrader()
    assert "Success" in formgrader.press(formgrader.row(EXERCISE), "collect")
    formgrader.row(EXERCISE).locator(".num-submissions a").click()
    student = formgrader.row(get_username())
    student.get_by_text("needs autograding").wait_for()
    assert "Successfully autograded" in formgrader.press(student, "autograde")
    student.get_by_text(f"{POINTS} / 30").wait_for()
    lab.keep("formgrader_scores")
    assert "Successfully generated feedback" in formgrader.press(student, "generate-feedback")
    assert "Successfully released feedback" in formgrader.press(student, "release-feedback")

    student.locator(".student-name a").click()
    formgrader.row(EXERCISE).get_by_text(f"{POINTS} / 30").first.wait_for()
    formgrader.row(EXERCISE).get_by_role("link").first.click()
    formgrader.frame.locator("#notebook").get_by_text(MISTAKE).wait_for()

    lab.choose("Assignment List")
    submitted = lab.assignments("submitted")
    submitted.get_by_role("button", name="Fetch Feedback").click()
    submitted.get_by_text("view feedback").click()
    lab.files().get_by_text(f"{EXERCISE}.html").dblclick()
    feedback = lab.page.frame_locator(".jp-HTMLViewer iframe").locator("body")
    feedback.get_by_text(MISTAKE).wait_for()
    assert f"(Score: {POINTS}.0 / 30.0)" in feedback.inner_text()
