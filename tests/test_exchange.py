"""From release to collection through a real exchange folder, and from a learning platform's archive."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

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
    assert "10 of 10 points" in page.read_text()


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
