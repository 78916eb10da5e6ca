"""Links, special files and strange names in a submission: nothing of them arrives anywhere, and the class goes on."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from tests.course import gradebook_points, hand_out, nbgrader, new_course
from tests.course import hand_in as submitted
from tests.depth import proof
from tests.sample_class import EXERCISE, FULL, NOTHING
from tests.submissions import as_bytes, solved

SECRET = "the instructor's own words"
NOTEBOOK = f"{EXERCISE}.ipynb"
HTML_NAME = "<img src=x onerror=alert(1)>"


def hand_in(course: Path, student: str) -> Path:
    """An honest submission's folder."""
    return submitted(course, student, EXERCISE, as_bytes(solved(EXERCISE)))


def with_everything(folder: Path, secret: Path) -> None:
    """What a submission may bring beside its notebook."""
    (folder / "notes.txt").write_text("honest notes")
    (folder / "data" / "deep").mkdir(parents=True)
    (folder / "data" / "deep" / "points.csv").write_text("1,2")
    (folder / "data.csv").symlink_to(secret)
    (folder / "data" / "far.csv").symlink_to("../../../../../../secret.txt")
    (folder / "endless.csv").symlink_to("/dev/zero")
    (folder / "nowhere.csv").symlink_to("no such file")
    (folder / "folder").symlink_to(secret.parent)
    os.mkfifo(folder / "pipe.csv")
    with socket.socket(socket.AF_UNIX) as server:
        short = folder.parent / "s"
        server.bind(str(short))  # a socket's path may only be short
        short.rename(folder / "socket.csv")
    os.link(secret, folder / "second.csv")
    (folder / "page.html").write_text("<script>1</script>")
    (folder / "drawing.svg").write_text("<svg/>")
    (folder / "nbgrader_config.py").write_text("raise SystemExit")
    (folder / "a\nline `code` <b>.txt").write_text("x")
    (folder / "timestamp.txt").symlink_to(folder / "pipe.csv")


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of such submissions and one honest student, graded with feedback."""
    course = new_course(tmp_path_factory.mktemp("course"))
    secret = course / "gradebook" / "secret.txt"
    secret.parent.mkdir()
    secret.write_text(SECRET)
    honest = hand_in(course, "student-03")
    with_everything(hand_in(course, "student-01"), secret)
    (hand_in(course, "student-02") / NOTEBOOK).unlink()
    (honest.parents[1] / "student-02" / EXERCISE / NOTEBOOK).symlink_to(honest / NOTEBOOK)
    (honest.parents[1] / "student-04").mkdir()
    (honest.parents[1] / "student-04" / EXERCISE).symlink_to(honest)
    (honest.parents[1] / "student-05").symlink_to(honest.parent)
    for student, replace in {"student-06": os.mkfifo, "student-08": os.mkdir}.items():
        path = hand_in(course, student) / NOTEBOOK
        path.unlink()
        replace(path)
    (hand_in(course, "student-07") / "timestamp.txt").write_text("the day before yesterday, or so")
    path = hand_in(course, "student-09") / NOTEBOOK
    path.unlink()
    os.link(secret, path)
    hand_in(course, HTML_NAME)
    many = hand_in(course, "student-10")
    for number in range(300):
        (many / f"{number}.txt").symlink_to(secret)
    hand_out(course)
    nbgrader(course, "autograde", EXERCISE)
    nbgrader(course, "generate_feedback", EXERCISE)
    return course


def autograded(course: Path, student: str) -> nbformat.NotebookNode:
    return nbformat.read(course / "gradebook" / "autograded" / student / EXERCISE / NOTEBOOK, as_version=4)


@proof
@pytest.mark.parametrize("student", ["student-01", "student-03", "student-07", "student-10"])
def test_a_notebook_counts_whatever_lies_beside_it(course: Path, student: str) -> None:
    assert gradebook_points(course, EXERCISE, student) == FULL


@proof
@pytest.mark.parametrize(
    ("student", "why"),
    [
        ("student-02", "is a link"),
        ("student-04", "is a link"),
        ("student-05", "is a link"),
        ("student-06", "is not an ordinary file"),
        ("student-08", "is not an ordinary file"),
    ],
)
def test_a_notebook_that_is_none_gets_nothing_and_the_reason(course: Path, student: str, why: str) -> None:
    assert gradebook_points(course, EXERCISE, student) == NOTHING
    page = course / "gradebook" / "feedback" / student / EXERCISE / f"{EXERCISE}.html"
    assert f"The submitted notebook {why}." in page.read_text()


@proof
def test_a_notebook_with_a_second_name_is_not_graded(course: Path) -> None:
    assert not (course / "gradebook" / "autograded" / "student-09").exists()


@proof
def test_nothing_of_a_linked_file_arrives(course: Path) -> None:
    for step in ("autograded", "feedback"):
        for path in (course / "gradebook" / step).rglob("*"):
            assert not path.is_symlink()
            assert path.is_dir() or SECRET not in path.read_text(errors="replace")


@proof
def test_only_ordinary_files_are_copied(course: Path) -> None:
    folder = course / "gradebook" / "autograded" / "student-01" / EXERCISE
    copied = {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}
    assert copied == {NOTEBOOK, "notes.txt", "data/deep/points.csv"}
    assert {path.name for path in (folder.parents[1] / "student-10" / EXERCISE).iterdir()} == {NOTEBOOK}


@proof
def test_what_is_left_out_is_named(course: Path) -> None:
    note = autograded(course, "student-01").cells[0].source
    for line in (
        "- `data.csv (a link)`",
        "- `data/far.csv (a link)`",
        "- `endless.csv (a link)`",
        "- `nowhere.csv (a link)`",
        "- `folder (a link)`",
        "- `timestamp.txt (a link)`",
        "- `pipe.csv (not an ordinary file)`",
        "- `socket.csv (not an ordinary file)`",
        "- `second.csv (a file with a second name elsewhere (a hard link))`",
        "- `page.html (a file of a kind that is not copied)`",
        "- `drawing.svg (a file of a kind that is not copied)`",
        "- `nbgrader_config.py (a configuration file)`",
        "- `a\\nline ?code? <b>.txt (a file whose name is no plain text)`",
    ):
        assert line in note.splitlines()
    page = (course / "gradebook" / "feedback" / "student-01" / EXERCISE / f"{EXERCISE}.html").read_text()
    assert "data.csv (a link)" in page
    assert "- `0.txt (a link)`" in autograded(course, "student-10").cells[0].source
    assert "and 280 more" in autograded(course, "student-10").cells[0].source


@proof
def test_what_was_handed_in_stays(course: Path) -> None:
    folder = course / "gradebook" / "submitted" / "student-01" / EXERCISE
    assert (folder / "data.csv").is_symlink()
    assert (folder / "page.html").exists()


@proof
def test_a_folder_that_no_student_can_be_called_is_not_graded(course: Path) -> None:
    assert not (course / "gradebook" / "autograded" / HTML_NAME).exists()
    with Gradebook(f"sqlite:///{course}/gradebook/gradebook.db") as gradebook:
        assert HTML_NAME not in {student.id for student in gradebook.students}


def test_an_archive_cannot_name_a_folder_outside(tmp_path: Path) -> None:
    course = new_course(tmp_path / "course")
    archive = course / "gradebook" / "downloaded" / EXERCISE / "archive"
    files = tmp_path / "files"
    for folder in (archive, files):
        folder.mkdir(parents=True)
    for student in ("..", ".", "student-01"):
        (files / f"{student}_{NOTEBOOK}").write_bytes(as_bytes(solved(EXERCISE)))
    shutil.make_archive(str(archive / "all"), "zip", files)
    hand_out(course)
    nbgrader(course, "zip_collect", EXERCISE)
    collected = {str(path.relative_to(course)) for path in (course / "gradebook").rglob("*.ipynb")}
    assert collected & {f"gradebook/{EXERCISE}/{NOTEBOOK}", f"gradebook/submitted/{EXERCISE}/{NOTEBOOK}"} == set()
    assert f"gradebook/submitted/student-01/{EXERCISE}/{NOTEBOOK}" in collected


def test_collecting_follows_no_link(tmp_path: Path) -> None:
    course = new_course(tmp_path / "course")
    exchange = tmp_path / "exchange"
    inbound = exchange / "gradients" / "inbound"
    inbound.mkdir(parents=True)
    exchange.chmod(0o777)
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    for student in ("student-01", "student-02"):
        folder = inbound / f"{student}+{EXERCISE}+2026-01-01 00:00:00 UTC+random"
        folder.mkdir()
        (folder / NOTEBOOK).write_bytes(as_bytes(solved(EXERCISE)))
        (folder / "data.csv").symlink_to(secret)
        os.mkfifo(folder / "pipe")
    (inbound / f"student-03+{EXERCISE}+2026-01-01 00:00:00 UTC+random").symlink_to(folder)
    environment = {"NBGRADER_EXCHANGE": str(exchange)}
    nbgrader(course, "generate_assignment", EXERCISE, "--force", **environment)
    nbgrader(course, "collect", EXERCISE, **environment)
    submitted = course / "gradebook" / "submitted"
    assert {path.name for path in submitted.glob(f"*/{EXERCISE}")} == {EXERCISE}
    assert {path.name for path in submitted.iterdir() if (path / EXERCISE).exists()} == {"student-01", "student-02"}
    for student in ("student-01", "student-02"):
        assert (submitted / student / EXERCISE / "data.csv").is_symlink()
        assert not (submitted / student / EXERCISE / "pipe").exists()
