"""Submissions that are strange to walk, or change while they are graded, in all that reads them."""

from __future__ import annotations

import argparse
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autograder.classroom import run as running
from autograder.classroom.course import Course
from autograder.classroom.done import Done
from autograder.classroom.executors import Cores
from autograder.classroom.run import ClassRun
from autograder.classroom.run_options import RunOptions
from autograder.exports import one_submission
from autograder.similarity import command
from autograder.similarity.fragments import UncomparableError, read_cells
from autograder.student_data.stored import places
from autograder.verdicts.graded_notebook import verdicts_in
from tests.course import gradebook_points, hand_in, hand_out, nbgrader, new_course
from tests.depth import proof
from tests.sample_class import EXERCISE, FULL, NOTHING
from tests.submissions import as_bytes, released, solved
from tests.swapping import swapped_when_opened
from tests.test_collecting import deep_folders
from tests.test_visible_text import acts

NOTEBOOK = f"{EXERCISE}.ipynb"
LONG_NAMES = ("n" * 225, "大" * 75)
SECRET = "the instructor's own words"
SOLVED, UNTOUCHED = as_bytes(solved(EXERCISE)), as_bytes(released(EXERCISE))


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, Done]]]:
    """A class run over submissions of which several change at the moment that would help them most."""
    course = new_course(tmp_path_factory.mktemp("course"))
    secret = course / "secret.txt"
    secret.write_text(SECRET)
    folders = {student: hand_in(course, student, EXERCISE, SOLVED) for student in ("alice", "deep", "link", "zoe")}
    deep_folders(folders["deep"])
    (folders["deep"] / "\x1b]52;c;ZXZpbA==\x07\u202e\n[INFO] all is well.txt").touch()
    many = hand_in(course, "many", EXERCISE, SOLVED)
    for number in range(300):
        (many / f"{number:03}.ipynb").write_text("{}")
    (folders["link"] / "data.csv").write_text("1,2")
    (course / "link").symlink_to(secret)
    for name in LONG_NAMES:
        hand_in(course, name, EXERCISE, SOLVED)
    replaced = hand_in(course, "replaced", EXERCISE, SOLVED)
    (course / NOTEBOOK).write_bytes(UNTOUCHED)
    hand_out(course)
    before = Path.cwd()
    os.chdir(course)
    prepare = running.prepare

    def then_replace(submission: Any, *arguments: Any) -> Any:
        """Another notebook stands there as soon as the first was read."""
        prepared = prepare(submission, *arguments)
        if submission.student == "replaced":
            (course / NOTEBOOK).rename(replaced / NOTEBOOK)
        return prepared

    try:
        with pytest.MonkeyPatch.context() as patch, swapped_when_opened(folders["link"] / "data.csv", course / "link"):
            patch.setattr(running, "prepare", then_replace)
            run = ClassRun(Course(), RunOptions(), Cores(1))
            done = {one.submission.student: one for one in run.grade(EXERCISE, print)}
        yield course, done
    finally:
        os.chdir(before)
        subprocess.run(["rm", "-rf", str(folders["deep"])], check=True)  # pytest cannot remove it


@proof
@pytest.mark.parametrize("student", ["alice", "deep", "link", "many", *LONG_NAMES, "zoe"], ids=lambda name: name[:8])
def test_a_class_run_grades_the_notebook_and_all_others(graded: tuple[Path, dict[str, Done]], student: str) -> None:
    course, done = graded
    assert done[student].state == "graded", done[student].reason
    assert gradebook_points(course, EXERCISE, student) == FULL


@proof
def test_nothing_that_was_swapped_in_arrives(graded: tuple[Path, dict[str, Done]]) -> None:
    course, _ = graded
    copies = [path for path in (course / "gradebook" / "autograded").rglob("*") if path.is_file()]
    assert len(copies) >= 5
    assert not any(SECRET in path.read_text(errors="replace") for path in copies)


@proof
def test_a_notebook_replaced_after_it_was_read_counts_until_the_next_run(
    graded: tuple[Path, dict[str, Done]], monkeypatch: Any
) -> None:
    course, done = graded
    assert done["replaced"].state == "graded"
    copy = course / "gradebook" / "autograded" / "replaced" / EXERCISE / NOTEBOOK
    assert {name: v["points"] for name, v in verdicts_in(copy).items()} == FULL
    assert gradebook_points(course, EXERCISE, "replaced") == FULL
    monkeypatch.chdir(course)
    (again,) = (one for one in ClassRun(Course(), RunOptions(), Cores(1)).grade(EXERCISE, print, ["replaced"]))
    assert again.state == "graded"
    assert {name: v["points"] for name, v in verdicts_in(copy).items()} == NOTHING
    assert gradebook_points(course, EXERCISE, "replaced") == NOTHING


@proof
def test_feedback_is_made_and_released_for_all_others(graded: tuple[Path, dict[str, Done]], tmp_path: Path) -> None:
    course, _ = graded
    exchange = tmp_path / "exchange"
    (exchange / "gradients").mkdir(parents=True)
    exchange.chmod(0o777)
    environment = {"NBGRADER_EXCHANGE": str(exchange)}
    nbgrader(course, "generate_feedback", EXERCISE, **environment)
    for student in ("alice", "zoe"):  # the others have none, as somebody who deleted it
        folder = course / "gradebook" / "feedback" / student / EXERCISE
        assert (folder / f"{EXERCISE}.html").exists()
        for name, text in {"timestamp.txt": "2026-01-01 00:00:00 UTC", "submission_secret.txt": student}.items():
            (folder / name).write_text(text)
    nbgrader(course, "release_feedback", EXERCISE, **environment)
    assert len(list((exchange / "gradients" / "feedback").glob("*.html"))) == 2


@proof
@pytest.mark.parametrize("name", LONG_NAMES, ids=["ASCII", "three bytes a character"])
def test_all_that_is_stored_of_a_long_name_can_be_deleted(graded: tuple[Path, dict[str, Done]], name: str) -> None:
    course, _ = graded
    folders = {path.parent.name for path in places(Course(course), name)}
    assert {"submitted", "autograded", EXERCISE} <= folders
    assert any(str(path).endswith(".answers") for path in places(Course(course), name))


@proof
@pytest.mark.parametrize("student", ["alice", "deep"])
def test_nbgrader_grades_it_too(graded: tuple[Path, dict[str, Done]], student: str) -> None:
    course, _ = graded
    said = nbgrader(course, "autograde", EXERCISE, "--force", f"--student={student}").stderr
    assert not acts(said)
    assert not any(line.startswith("[INFO] all is well") for line in said.splitlines())
    assert gradebook_points(course, EXERCISE, student) == FULL


def test_a_single_submission_may_be_deep(tmp_path: Path) -> None:
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / NOTEBOOK).write_bytes(UNTOUCHED)
    deep_folders(tmp_path / "submission")
    options = argparse.Namespace(
        exercise=EXERCISE,
        submission=tmp_path / "submission",
        results=tmp_path / "results.json",
        seed=tmp_path,
        released=Path("exercises"),
        visibility="visible",
        require="c",
    )
    try:
        assert one_submission.grade_submission(options) == 0
    finally:
        subprocess.run(["rm", "-rf", str(tmp_path / "submission")], check=True)


@proof
def test_the_similarity_report_reads_one_notebook_of_each(
    graded: tuple[Path, dict[str, Done]], monkeypatch: Any
) -> None:
    course, _ = graded
    monkeypatch.chdir(course)
    read: list[str] = []
    monkeypatch.setattr(command, "read_cells", lambda path, top: read.append(path.parts[-3]) or read_cells(path, top))
    findings = command.compare(Course(), EXERCISE)
    assert sorted(read) == sorted(set(read))
    assert {"deep", "link", "many"} <= findings.cells.keys()


def test_a_notebook_swapped_before_it_is_compared_is_not_read(tmp_path: Path) -> None:
    folder = tmp_path / "alice" / EXERCISE
    folder.mkdir(parents=True)
    (folder / NOTEBOOK).write_bytes(UNTOUCHED)
    (tmp_path / "zoe.ipynb").write_bytes(SOLVED)
    (tmp_path / "link").symlink_to(tmp_path / "zoe.ipynb")
    with swapped_when_opened(folder / NOTEBOOK, tmp_path / "link"), pytest.raises(UncomparableError, match="a link"):
        read_cells(folder / NOTEBOOK, tmp_path)
