"""A term up to the first grades: release, hand-ins, extensions, grading, two assistants at once."""

from __future__ import annotations

import dataclasses
import datetime
import subprocess
import sys
from typing import Any

from nbgrader.api import Gradebook

from tests.jupyter_server import TOKEN, Server
from tests.term.class_so_far import Term
from tests.term.made_class import (
    BY_HAND,
    CONTESTING,
    COPIED,
    COPYING,
    DUE,
    EXERCISES,
    EXTENDED,
    FETCHING,
    FIRST,
    FOURTH,
    GROUP,
    LEAVING,
    REFUSED,
    SECOND,
    SOLVED,
    THIRD,
    HandIn,
    hand_ins,
)


def release(term: Term) -> str:
    """Release all exercises, with due dates; the first is dealt in versions."""
    course = term.course
    for week, exercise in enumerate(EXERCISES):
        course.run("nbgrader", "generate_assignment", exercise.name, "--force", "--log-level=ERROR")
        due = f"{DUE + datetime.timedelta(weeks=week):%Y-%m-%d %H:%M:%S} UTC"
        course.run("nbgrader", "db", "assignment", "add", exercise.name, f"--duedate={due}")
    course.write_students(term.students, GROUP)
    course.run("nbgrader", "db", "student", "import", "gradebook/students.csv")
    course.run("autograder", "deal", FIRST.name)
    for exercise in EXERCISES:
        course.run("nbgrader", "release_assignment", exercise.name, "--log-level=ERROR")
    return f"{len(EXERCISES)} exercises are in the exchange, {FIRST.name} in versions"


def collect(term: Term) -> str:
    """Take what the class hands in, late work and all; one student uses the exchange."""
    term.hand_in_through_exchange(HandIn(FETCHING, FIRST, SOLVED))
    for exercise in EXERCISES:
        for one in hand_ins(term.students, exercise):
            if (one.student, exercise.name) not in term.hand_ins:
                term.hand_in(one)
    for student in (EXTENDED, BY_HAND, LEAVING, COPYING):
        term.hand_in(HandIn(student, FIRST, COPIED if student == COPYING else SOLVED, 2 if student == EXTENDED else 0))
    term.hand_in(HandIn(CONTESTING, THIRD, REFUSED))
    return f"{len(term.hand_ins)} hand-ins, {sum(one.days > 0 for one in term.hand_ins.values())} of them late"


def extend(term: Term) -> str:
    """Grant a student two days, and a group one day."""
    lines = (f"{EXTENDED},,{FIRST.name},48", f",{GROUP},{SECOND.name},24")
    (term.course.gradebook / "extensions.csv").write_text("\n".join(("student,group,assignment,hours", *lines)) + "\n")
    term.extended[EXTENDED, FIRST.name] = 2
    term.extended |= {(student, SECOND.name): 1 for student in term.course.in_group(term.students)}
    return f"{EXTENDED} has two days more, the group {GROUP} one"


def grade(term: Term) -> str:
    """Grade the whole class."""
    said = term.course.run("autograder", "grade", *(exercise.name for exercise in EXERCISES))
    assert f"{len(term.hand_ins)} graded" in said, said[-2000:]
    result = term.course.gradebook / "results" / FIRST.name / COPYING / f"{FIRST.name}.json"
    assert "the answer to another version" in result.read_text()
    return term.check_scores()


def hand_in_again(term: Term) -> str:
    """Those who made mistakes in the second exercise correct them, in time; only they are graded."""
    corrected = [one for one in term.of(SECOND) if one.kind != SOLVED]
    for one in corrected:
        term.hand_in(dataclasses.replace(one, kind=SOLVED))
    said = term.course.run("autograder", "grade", SECOND.name)
    assert f"{len(corrected)} graded" in said, said[-2000:]
    return f"{len(corrected)} graded again, {term.check_scores()}"


def two_assistants(term: Term) -> str:
    """One grades a class while the other gives points in the formgrader, in a real browser."""
    from tests.browser import chromium

    for one in term.of(FOURTH):
        term.hand_in(dataclasses.replace(one, kind=SOLVED))
    run = [sys.executable, "-m", "autograder", "grade", FOURTH.name]
    where: dict[str, Any] = {"cwd": term.course.folder, "env": term.course.environment}
    with Server(term.course.folder, **term.course.environment) as server, chromium() as browser:
        page = browser.new_page()
        with subprocess.Popen(run, **where, stdout=subprocess.PIPE) as other:
            _give_points(page, server, term, 1.5)
            still_running = other.poll() is None
            other.communicate(timeout=1800)
    assert other.returncode == 0
    assert still_running, "the class was graded before the points were given: take more students"
    term.by_hand[BY_HAND, FIRST.name] = -1.5
    return f"points given while the other's run went on, {term.check_scores()}"


def _give_points(page: Any, server: Server, term: Term, points: float) -> None:
    """Type points for a cell of the first exercise into the formgrader."""
    with Gradebook(f"sqlite:///{term.course.gradebook}/gradebook.db") as gradebook:
        grade = gradebook.find_grade("check_partials", FIRST.name, FIRST.name, BY_HAND)
        path, number = f"/formgrader/submissions/{grade.notebook.id}/", grade.id
    page.goto(f"http://127.0.0.1:{server.port}/login?token={TOKEN}&next={path}", wait_until="load")
    box = page.locator("input.score[id='check_partials']")
    with page.expect_response(lambda answer: f"/api/grade/{number}" in answer.url and answer.request.method == "PUT"):
        box.fill(f"{points:g}")
        box.press("Tab")
