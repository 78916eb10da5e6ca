"""From release to collection through a real exchange folder, and from a learning platform's archive."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory

from autograder.nbgrader_plugin.submitting import Submit
from autograder.tasks.folders import TASKS
from tests.course import gradebook_points, nbgrader, new_course
from tests.depth import proof
from tests.sample_class import EXERCISE, FULL
from tests.submissions import COURSE, as_bytes, solved


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path, dict[str, str]]:
    """A course, a student's folder, and the environment that both share."""
    course, home = new_course(tmp_path / "course"), tmp_path / "home"
    (home / "work").mkdir(parents=True)
    exchange = tmp_path / "exchange"
    exchange.mkdir(mode=0o777)
    exchange.chmod(0o777)
    return course, home / "work", {"NBGRADER_EXCHANGE": str(exchange), "HOME": str(home)}


def student_config(folder: Path, exchange: str) -> None:
    """What a student's own nbgrader needs to know."""
    (folder / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.Exchange.root = {exchange!r}\nc.CourseDirectory.course_id = 'gradients'\n"
    )


@proof
def test_release_fetch_submit_collect_grade(places: tuple[Path, Path, dict[str, str]]) -> None:
    course, work, environment = places
    shutil.copytree(COURSE / "solutions" / EXERCISE / TASKS, course / "solutions" / EXERCISE / TASKS)
    student_config(work, environment["NBGRADER_EXCHANGE"])
    nbgrader(course, "generate_assignment", EXERCISE, "--force", **environment)
    nbgrader(course, "release_assignment", EXERCISE, **environment)
    nbgrader(work, "fetch_assignment", EXERCISE, **environment)
    fetched = work / EXERCISE / f"{EXERCISE}.ipynb"
    assert fetched.read_bytes() == (COURSE / "exercises" / EXERCISE / f"{EXERCISE}.ipynb").read_bytes()

    fetched.write_bytes(as_bytes(solved(EXERCISE)))
    nbgrader(work, "submit", EXERCISE, **environment)
    nbgrader(course, "collect", EXERCISE, **environment)
    (student,) = (path.name for path in (course / "gradebook" / "submitted").iterdir())
    nbgrader(course, "autograde", EXERCISE, **environment)
    assert gradebook_points(course, EXERCISE, student) == FULL

    nbgrader(course, "generate_feedback", EXERCISE, **environment)
    nbgrader(course, "release_feedback", EXERCISE, **environment)
    nbgrader(work, "fetch_feedback", EXERCISE, **environment)
    (page,) = (work / EXERCISE / "feedback").rglob("*.html")
    assert "value_arithmetic</code>: 4 of 4 points" in page.read_text()
    assert len([*course.rglob(TASKS)]) == 1  # what is known of the tasks went nowhere
    for place in (work, Path(environment["NBGRADER_EXCHANGE"])):
        assert [*place.rglob(TASKS), *place.rglob("answers.py")] == []


@pytest.mark.parametrize(
    ("released", "work", "handed_in"),
    [("lab1_exercise", "lab1_exercise", "lab1_exercise"), (EXERCISE, f"{EXERCISE}_exercise", EXERCISE)],
)
def test_a_notebook_is_handed_in_by_the_name_of_the_release(
    released: str, work: str, handed_in: str, tmp_path: Path
) -> None:
    for folder, name in (("outbound", released), ("home", work)):
        made = tmp_path / "other" / folder / "lab1" / f"{name}.ipynb"
        made.parent.mkdir(parents=True)
        made.write_text("{}")
    (tmp_path / "other" / "inbound").mkdir()
    tmp_path.chmod(0o777)
    course = CourseDirectory(course_id="other", assignment_id="lab1", student_id="sam")
    places = {"root": tmp_path, "assignment_dir": tmp_path / "other" / "home", "cache": tmp_path / "cache"}
    Submit(course, Authenticator(), **{name: str(path) for name, path in places.items()}).start()
    (arrived,) = (tmp_path / "other" / "inbound").glob("*/*.ipynb")
    assert arrived.stem == handed_in


STRANGE = (
    "student-02+{}+yesterday, or so+x",
    "..+{}+2026-01-02 10:00:00 UTC+x",
    "+{}+2026-01-02 10:00:00 UTC",
    "s+{}+",
)


@proof
def test_a_strange_name_in_the_exchange_stops_nobody(places: tuple[Path, Path, dict[str, str]]) -> None:
    course, _, environment = places
    nbgrader(course, "generate_assignment", EXERCISE, "--force", **environment)
    nbgrader(course, "release_assignment", EXERCISE, **environment)
    inbound = Path(environment["NBGRADER_EXCHANGE"]) / "gradients" / "inbound"
    for name in (*STRANGE, "student-01+{}+2026-01-02 10:00:00 UTC+x"):
        folder = inbound / name.format(EXERCISE)
        folder.mkdir()
        (folder / f"{EXERCISE}.ipynb").write_bytes(as_bytes(solved(EXERCISE)))
    nbgrader(course, "collect", EXERCISE, **environment)
    submitted = course / "gradebook" / "submitted"
    assert [path.name for path in submitted.iterdir()] == ["student-01"]
    (submitted / "student-01" / EXERCISE / "timestamp.txt").write_text("some time ago")
    nbgrader(course, "collect", EXERCISE, "--update", **environment)
    assert not (course / "gradebook" / EXERCISE).exists()


def test_zip_collect(places: tuple[Path, Path, dict[str, str]], tmp_path: Path) -> None:
    course, _, environment = places
    folder = tmp_path / "handed_in"
    folder.mkdir()
    for student in ("student-01", "student-02"):
        (folder / f"{student}_{EXERCISE}.ipynb").write_bytes(as_bytes(solved(EXERCISE)))
    archive = course / "gradebook" / "downloaded" / EXERCISE / "archive"
    archive.mkdir(parents=True)
    shutil.make_archive(str(archive / "all"), "zip", folder)
    nbgrader(course, "generate_assignment", EXERCISE, "--force", **environment)
    nbgrader(course, "zip_collect", EXERCISE, **environment)
    collected = sorted(path.parts[-3] for path in (course / "gradebook" / "submitted").rglob("*.ipynb"))
    assert collected == ["student-01", "student-02"]


@proof
def test_validate_tells_the_reason(places: tuple[Path, Path, dict[str, str]]) -> None:
    _, work, _ = places
    notebook = work / f"{EXERCISE}.ipynb"
    notebook.write_bytes(as_bytes(solved(EXERCISE, partials="def partials(x, w, b):\n    return dict(x=w)\n")))
    done = subprocess.run(["nbgrader", "validate", str(notebook)], capture_output=True, text=True, env=os.environ)
    said = " ".join(done.stdout.split())
    assert "VALIDATION FAILED ON 1 CELL(S)" in said
    assert "partials: 0 of 3 points." in said
    notebook.write_bytes(as_bytes(solved(EXERCISE)))
    done = subprocess.run(["nbgrader", "validate", str(notebook)], capture_output=True, text=True, env=os.environ)
    assert "Success" in done.stdout


def release(course: Path) -> str:
    """Release the feedback that lies in a course; what the command says."""
    return " ".join(nbgrader(course, "release_feedback", EXERCISE).stderr.split())


def test_feedback_is_released_whoever_else_came_by_other_ways(tmp_path: Path) -> None:
    """A secret that is missing, empty, a folder or no text is its owner's affair."""
    course = new_course(tmp_path)
    secrets = {
        "student-01": b"x" * 64,
        "student-02": None,
        "student-03": b"",
        "student-04": b"\xff\xfe",
        "student-05": b"y",
    }
    for student, secret in secrets.items():
        folder = course / "gradebook" / "feedback" / student / EXERCISE
        folder.mkdir(parents=True)
        (folder / f"{EXERCISE}.html").write_text(f"page of {student}")
        if secret is not None:
            (folder / "timestamp.txt").write_text("2026-01-01 10:00:00 UTC")
            (folder / "submission_secret.txt").write_bytes(secret)
    said = release(course)
    assert "did not hand in through the exchange: student-02, student-03. Send them their pages" in said
    assert f"gradebook/feedback/STUDENT/{EXERCISE}/*.html" in said
    assert said.count("Not released") == 2  # and student-04, by name
    pages = sorted(page.read_text() for page in (course / "gradebook").glob("exchange/gradients/feedback/*.html"))
    assert pages == ["page of student-01", "page of student-05"]
