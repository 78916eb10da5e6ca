"""A student's workspace: filled once, never written over, and a newer version only for who asks for it."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest

from autograder.command_line import main
from autograder.desk import lab
from autograder.desk import workspace as rooms
from autograder.desk.workspace import Workspace
from autograder.nbgrader_plugin.zip_collecting import Collector
from autograder.tasks.folders import exercise_of
from tests.depth import proof
from tests.submissions import COURSE, as_bytes, cell_of

FIRST, SECOND = "01_scalar_graphs", "02_grad"
ANSWER = "def one_at_a_time(a, nodes):\n    return helper(a, nodes)"
HELPER = "def helper(a, nodes):\n    return None  # mine"


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with two lessons and their exercises, in which a command is given."""
    for name in (FIRST, SECOND):
        (tmp_path / "exercises" / name).mkdir(parents=True)
        shutil.copy(COURSE / "exercises" / name / f"{name}.ipynb", tmp_path / "exercises" / name)
    (tmp_path / "lessons").mkdir()
    for name in (FIRST, SECOND):
        shutil.copy(COURSE / "lessons" / f"{name}.ipynb", tmp_path / "lessons")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lab, "_run", lambda *_: 0)  # no server replaces the tests, whatever breaks
    return tmp_path


def original(course: Path, name: str = SECOND) -> Path:
    return course / "exercises" / name / f"{name}.ipynb"


def copy_in(course: Path, name: str = SECOND) -> Path:
    return course / "work" / "exercises" / name / f"{name}_exercise.ipynb"


def lesson(course: Path, name: str = SECOND) -> Path:
    return course / "work" / "lessons" / f"{name}.ipynb"


def change(path: Path, edit: Callable[[nbformat.NotebookNode], object]) -> bytes:
    """Edit a notebook's file; returns what is written."""
    notebook = nbformat.read(path, as_version=4)
    edit(notebook)
    path.write_bytes(as_bytes(notebook))
    return path.read_bytes()


UNTOUCHED, GONE = "grad_or_zero", "gradient_of_vector"


def solve(notebook: nbformat.NotebookNode) -> None:
    """Answer a task with a helper in a cell of one's own, and begin another task."""
    answer = cell_of(notebook, "one_at_a_time")
    answer.source = ANSWER
    at = notebook.cells.index(answer)
    notebook.cells.insert(at, nbformat.v4.new_code_cell(HELPER))
    cell_of(notebook, "all_partials").source = "def all_partials():\n    return 'begun'"
    cell_of(notebook, GONE).source = "def gone(): return 1"


def new_version(notebook: nbformat.NotebookNode) -> None:
    """What the course changes: the text of the page's beginning, one task, and the version."""
    notebook.metadata.autograder.version = 7
    cell_of(notebook, "title").source += "\n\nReworded."
    cell_of(notebook, "about_all_partials").source += "\n\nAnother task now."
    cell_of(notebook, UNTOUCHED).source = "def another_stub():"
    notebook.cells.remove(cell_of(notebook, GONE))


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_is_filled_once_under_names_that_tell_exercises_from_lessons(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tree(course)
    assert main(["work"]) == 0
    assert capsys.readouterr().out == f"work/ is ready; new in it: {FIRST}, {SECOND} and 3 more\n"
    made = tree(course / "work")
    names = [name.rpartition("/")[2] for name in made]
    assert len(set(names)) == len(names) == 5
    assert copy_in(course).read_bytes() == original(course).read_bytes()  # grading compares locked cells
    assert {name: raw for name, raw in tree(course).items() if not name.startswith("work/")} == before
    assert main(["work"]) == 0
    assert capsys.readouterr().out == "work/ is ready\n"
    assert tree(course / "work") == made


def test_what_is_there_is_never_written_over_and_what_is_gone_comes_back(course: Path) -> None:
    Workspace(course).fill()
    for path in (copy_in(course), lesson(course), course / "work" / "welcome.md"):
        path.write_text("mine")
    copy_in(course, FIRST).unlink()
    change(original(course), new_version)
    filled = Workspace(course).fill()
    assert filled.new == (FIRST,)
    assert copy_in(course).read_text() == lesson(course).read_text() == "mine"
    assert (course / "work" / "welcome.md").read_text() == "mine"


def test_a_copied_lesson_leads_to_the_copies(course: Path) -> None:
    Workspace(course).fill()
    text = lesson(course).read_text()
    assert f"](../exercises/{SECOND}/{SECOND}_exercise.ipynb)" in text
    for path in (course / "work").rglob("*"):
        for found in re.findall(r"\]\(<?([^)>#:]+\.ipynb)", path.read_text() if path.is_file() else ""):
            elsewhere = COURSE / "lessons" / Path(found).name  # a lesson that this small course does not have
            assert (path.parent / found).is_file() or elsewhere.is_file(), f"{path}: {found}"
    cells = nbformat.read(lesson(course), as_version=4).cells
    ours = nbformat.read(course / "lessons" / f"{SECOND}.ipynb", as_version=4).cells
    assert [cell.id for cell in cells] == [cell.id for cell in ours]
    assert sum(one.source != other.source for one, other in zip(cells, ours, strict=True)) == 1


def test_who_edited_the_exercises_before_goes_on_with_their_answers(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = change(original(course), solve)
    assert main(["work"]) == 0
    said = capsys.readouterr().out
    assert f"Your answers from exercises/ are in work/ now: {SECOND}. If `git pull` stops at these files" in said
    assert FIRST not in said.splitlines()[1]
    assert copy_in(course).read_bytes() == original(course).read_bytes() == mine


def test_a_newer_version_is_offered_and_not_imposed(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Workspace(course).fill()
    mine = change(copy_in(course), solve)
    assert Workspace(course).fill().newer == ()  # answers make no other version
    change(original(course), new_version)
    change(course / "lessons" / f"{FIRST}.ipynb", lambda notebook: notebook.cells.pop())
    assert main(["work"]) == 0
    said = capsys.readouterr().out
    assert f"The course has a newer version of {SECOND}, lessons/{FIRST}. Yours stays as it is" in said
    assert f"`autograder work --take {SECOND}`" in said
    assert copy_in(course).read_bytes() == mine


def test_a_newer_version_takes_the_answers_along(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Workspace(course).fill()
    mine = change(copy_in(course), solve)
    change(original(course), new_version)
    assert main(["work", "--take", "02"]) == 0
    said = capsys.readouterr().out
    assert f"yours is kept as work/earlier/{SECOND}/{SECOND}_before-7.ipynb" in said
    assert "read it, and check your answers again: all_partials\n" in said
    assert f"your answers are only in the kept file: {GONE}\n" in said
    assert (course / "work" / "earlier" / SECOND / f"{SECOND}_before-7.ipynb").read_bytes() == mine

    taken = nbformat.read(copy_in(course), as_version=4)
    nbformat.validate(taken)
    assert "Reworded." in cell_of(taken, "title").source
    answer = cell_of(taken, "one_at_a_time")
    assert answer.source == ANSWER
    assert taken.cells[taken.cells.index(answer) - 1].source == HELPER
    assert cell_of(taken, "all_partials").source == "def all_partials():\n    return 'begun'"
    assert cell_of(taken, UNTOUCHED).source == "def another_stub():"
    assert Workspace(course).fill().newer == ()
    assert main(["work", "--take", SECOND]) == 0
    assert "is the newest version" in capsys.readouterr().out


def test_the_page_lists_what_came_later_unless_somebody_wrote_on_it(course: Path) -> None:
    page = course / "work" / "welcome.md"
    aside = course.with_name("aside")
    for own in (b"", b"mine"):
        original(course).parent.rename(aside)
        Workspace(course).fill()
        page.write_bytes(page.read_bytes() + own)
        aside.rename(original(course).parent)
        assert Workspace(course).fill().new == (SECOND,)
        assert (copy_in(course).name in page.read_text()) is not bool(own)
        shutil.rmtree(course / "work")


def test_an_answer_in_several_cells_is_taken_whole(course: Path) -> None:
    """JupyterLab's Split Cell, and a copied cell, leave nbgrader's metadata in each part."""
    Workspace(course).fill()

    def split(notebook: nbformat.NotebookNode) -> None:
        cell = cell_of(notebook, "one_at_a_time")
        stub = cell.source
        at = notebook.cells.index(cell)
        parts = [nbformat.from_dict(cell | {"source": source, "id": f"part-{source}"}) for source in ("a", "b")]
        notebook.cells[at : at + 1] = [*parts, nbformat.from_dict(cell | {"source": stub, "id": "copied"})]

    change(copy_in(course), split)
    change(original(course), new_version)
    Workspace(course).take(SECOND)
    taken = nbformat.read(copy_in(course), as_version=4)
    nbformat.validate(taken)
    cell = cell_of(taken, "one_at_a_time")
    after = taken.cells[taken.cells.index(cell) + 1]
    assert (cell.source, after.source) == ("a", "b")
    assert "nbgrader" not in after.metadata


def test_a_notebook_of_the_course_that_cannot_be_read_stops_no_other(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Workspace(course).fill()
    lesson(course, FIRST).unlink()
    broken = [original(course), course / "lessons" / f"{FIRST}.ipynb"]
    whole = [path.read_bytes() for path in broken]
    for path in broken:
        path.write_bytes(b"<<<<<<< HEAD\n" + path.read_bytes())
    copy_in(course, FIRST).unlink()
    assert main(["work"]) == 0
    said = capsys.readouterr().out
    for path in broken:
        name = path.relative_to(course)
        assert f"{name} is not a readable notebook" in said
        assert f"`git checkout origin/HEAD -- {name}`" in said
    assert copy_in(course, FIRST).exists()
    assert not lesson(course, FIRST).exists()
    assert main(["work", "--take", SECOND]) == 2
    assert "is not a readable notebook" in capsys.readouterr().err
    for path, raw in zip(broken, whole, strict=True):
        path.write_bytes(raw)
    assert Workspace(course).fill().new == (f"lessons/{FIRST}",)


def test_answers_that_only_the_exercises_have_are_told_before_git_discards_them(
    course: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Workspace(course).fill()
    change(copy_in(course, FIRST), lambda notebook: cell_of(notebook, "partials").update(source="mine"))
    change(original(course), solve)
    assert main(["work"]) == 0
    said = capsys.readouterr().out
    assert f"exercises/ has answers that work/ does not have: {SECOND}. Copy what you need before you run" in said
    shutil.copy(original(course), copy_in(course))
    assert Workspace(course).fill().behind == ()


def test_files_beside_a_notebook_come_along(course: Path) -> None:
    folder = original(course).parent
    for name in ("data.csv", "more/tools.py", "feedback/page.html", ".ipynb_checkpoints/x.ipynb", "__pycache__/x.pyc"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("theirs")
    (folder / "link.csv").symlink_to("/etc/hostname")
    (course / "lessons" / "picture.png").write_bytes(b"png")
    (course / "lessons" / "predictions").mkdir()
    (course / "lessons" / "predictions" / f"{SECOND}.toml").write_text("the answers")
    copies = copy_in(course).parent
    (copies / "more").mkdir(parents=True)
    (copies / "more" / "tools.py").write_text("mine")
    Workspace(course).fill()
    assert set(tree(copies)) == {copy_in(course).name, "data.csv", "more/tools.py"}
    assert (copies / "more" / "tools.py").read_text() == "mine"
    assert lesson(course).with_name("picture.png").read_bytes() == b"png"
    assert not lesson(course).with_name("predictions").exists()


def test_an_earlier_copy_is_never_replaced_by_another(course: Path) -> None:
    Workspace(course).fill()
    for source in ("copy-a", "copy-b"):
        change(copy_in(course), lambda notebook, source=source: cell_of(notebook, "title").update(source=source))
        Workspace(course).take(SECOND)
    kept = sorted((course / "work" / "earlier" / SECOND).iterdir())
    assert [path.name for path in kept] == [f"{SECOND}_before-1-2.ipynb", f"{SECOND}_before-1.ipynb"]
    assert ["copy-b" in path.read_text() for path in kept] == [True, False]


def test_a_lesson_and_a_damaged_copy_are_taken_anew(course: Path) -> None:
    Workspace(course).fill()
    change(lesson(course), lambda notebook: notebook.cells.append(nbformat.v4.new_code_cell("mine = 1")))
    assert Workspace(course).take(f"lessons/{SECOND}")[1] is None  # the course has no other
    change(course / "lessons" / f"{SECOND}.ipynb", lambda notebook: notebook.cells.pop())
    assert "mine = 1" in Workspace(course).take(f"lessons/{SECOND}.ipynb")[1].read_text()
    assert "mine = 1" not in lesson(course).read_text()
    copy_in(course).write_text("{broken")
    assert Workspace(course).take(SECOND)[1].read_text() == "{broken"
    assert copy_in(course).read_bytes() == original(course).read_bytes()


LINKS = [("work", name) for name in ("work", "work/exercises", f"work/exercises/{SECOND}", "work/lessons")]


@pytest.mark.parametrize(("verb", "name"), [*LINKS, ("lab", "work"), ("lab", "work/.jupyter")])
def test_a_link_out_of_the_workspace_is_not_followed(
    course: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str], verb: str, name: str
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (course / name).parent.mkdir(parents=True, exist_ok=True)
    (course / name).symlink_to(elsewhere)
    assert main([verb]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"autograder {verb}: {course / name} is not a folder but a link or a file: rename it, and try again"
    assert not list(elsewhere.iterdir())


def test_a_link_in_the_place_of_a_copy_is_left_alone(course: Path) -> None:
    copy_in(course).parent.mkdir(parents=True)
    copy_in(course).symlink_to(course / "nowhere.ipynb")
    Workspace(course).fill()
    assert copy_in(course).is_symlink()
    assert not (course / "nowhere.ipynb").exists()
    with pytest.raises(rooms.WorkspaceError, match="give it another name"):
        Workspace(course).take(SECOND)


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (
            errno.ENOSPC,
            "No space left on device. Your files are unchanged; make room, or repair this,",
        ),
        (errno.EACCES, "Permission denied. The course's folder must be one that you may write in: copy it to your own"),
    ],
    ids=["full", "read-only"],
)
@pytest.mark.parametrize("words", [["work"], ["lab"], ["work", "--take", SECOND]], ids=" ".join)
def test_a_place_that_takes_no_files_is_told_in_a_sentence(
    course: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    number: int,
    sentence: str,
) -> None:
    Workspace(course).fill()
    mine = change(copy_in(course), solve)
    change(original(course), new_version)
    copy_in(course, FIRST).unlink()

    def refuses(path: Path, raw: bytes) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(rooms, "write_whole", refuses)
    assert main(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"autograder {words[0]}: {course}/work/")
    assert sentence in line
    assert copy_in(course).read_bytes() == mine


def test_outside_a_course_a_sentence_says_where_to_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["work"]) == 2
    assert capsys.readouterr().err == (
        f"autograder work: there is no course in {tmp_path} or above it: start this in the course's folder\n"
    )


def test_the_workspace_is_found_from_inside(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Workspace(course).fill()
    for folder in (copy_in(course).parent, course / "exercises" / FIRST):
        assert Workspace.above(folder) == Workspace(course)
    with pytest.raises(rooms.WorkspaceError, match=r"no '03_hooks'; there are 01_scalar_graphs, 02_grad, lessons/01"):
        Workspace(course).take("03_hooks")


def test_a_course_in_a_folder_of_the_workspaces_name_is_found(course: Path) -> None:
    clone = course / "elsewhere" / "work"
    shutil.copytree(course / "exercises", clone / "exercises")
    Workspace(clone).fill()
    assert Workspace.above(clone / "work" / "exercises") == Workspace.above(clone) == Workspace(clone)


@proof
def test_pytest_checks_a_copy(course: Path) -> None:
    Workspace(course).fill()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--collect-only"]
    done = subprocess.run([*command, copy_in(course).relative_to(course)], cwd=course, capture_output=True, text=True)
    assert f"{SECOND}_exercise.ipynb::test_one_at_a_time\n" in done.stdout


def test_git_does_not_see_it() -> None:
    ignored = subprocess.run(["git", "check-ignore", "work/welcome.md"], cwd=COURSE, capture_output=True, text=True)
    assert ignored.stdout == "work/welcome.md\n"


def test_tools_for_instructors_are_off_and_the_list_of_assignments_where_nothing_is_handed_in(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seen() -> tuple[set[str], dict[str, bool]]:
        made = lab._settings(course)
        off = json.loads(made["labconfig/page_config.json"])["disabledExtensions"]
        server = json.loads(made["jupyter_server_config.d/nbgrader.json"])["ServerApp"]["jpserver_extensions"]
        return {name.partition(":")[2] for name in off}, {name.rpartition(".")[2]: on for name, on in server.items()}

    monkeypatch.delenv("NBGRADER_EXCHANGE", raising=False)
    off, server = seen()
    assert off == {"formgrader", "course-list", "create-assignment", "assignment-list", "menu"}
    assert server == dict(formgrader=False, course_list=False, assignment_list=False, validate_assignment=True)
    monkeypatch.setenv("NBGRADER_EXCHANGE", "/srv/exchange")
    off, server = seen()
    assert off == {"formgrader", "course-list", "create-assignment"}
    assert server["assignment_list"]


@pytest.mark.parametrize("name", ["student-07_02_grad.ipynb", "student-07_02_grad_exercise.ipynb"])
def test_an_uploaded_copy_is_collected_under_the_exercises_name(name: str) -> None:
    collector = Collector(named_regexp=r".*[\\/](?P<student_id>\w[\w.@-]*?)_(?P<file_id>\d\d_\w+)")
    assert collector.collect(f"/archive/{name}") == {"student_id": "student-07", "file_id": SECOND}


def test_a_copy_is_named_after_its_exercise() -> None:
    assert [exercise_of(name) for name in (SECOND, f"{SECOND}_exercise", "other")] == [SECOND, SECOND, "other"]
