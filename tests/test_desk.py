"""Progress and watching: computed from the notebooks as they are saved, run from clean."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from nbclient import NotebookClient

from autograder.checks.catalogue import find_task
from autograder.command_line import main
from autograder.desk.saved_notebook import ExerciseProgress, NothingFoundError, notebooks
from autograder.desk.watch import changed
from autograder.pytest_plugin import NotebookFile
from autograder.supervisor import tiers
from tests.depth import one_of_each, proof
from tests.submissions import COURSE, as_bytes, cell_of, released, solved

FIRST, SECOND = "01_scalar_graphs", "02_grad"
NOTHING = "def path_sum(edges, start, end):\n    return 0.0"
COMMAND = [sys.executable, "-m", "autograder.command_line"]


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A course's folder in which the first exercise is solved but for one task, and the second not begun."""
    answers = {
        FIRST: solved(FIRST, path_sum=NOTHING),
        SECOND: released(SECOND),
    }
    for name, notebook in answers.items():
        folder = tmp_path / "exercises" / name
        folder.mkdir(parents=True)
        (folder / f"{name}.ipynb").write_bytes(as_bytes(notebook))
    return tmp_path


def said(desk: Path, *words: str) -> tuple[int, str]:
    """Exit status and text of the command."""
    done = subprocess.run([*COMMAND, *words], cwd=desk, text=True, capture_output=True)
    return done.returncode, done.stdout + done.stderr


def with_minutes(task: str) -> str:
    """As the table names a task."""
    return f"{task}, {find_task(task).minutes} minutes"


@proof
def test_progress_is_lesson_by_lesson_and_task_by_task(desk: Path) -> None:
    status, text = said(desk / "exercises" / FIRST, "progress")
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in text.splitlines() if "│" in line]
    assert status == 0
    assert text.count("next") == 1  # the column's title
    assert rows == [
        [FIRST, "26 of 30", "9 of 10", with_minutes("path_sum")],
        [SECOND, "0 of 21", "0 of 6", with_minutes("one_at_a_time")],
        ["together", "26 of 51", "", ""],
    ]
    alone = said(desk, "progress", SECOND[:2])[1]
    assert "not attempted yet" in alone
    assert f"next: {with_minutes('one_at_a_time')}" in alone


@pytest.mark.parametrize(
    "words", one_of_each([("progress", "13_luck"), ("watch", "13_luck"), ("progress", "missing.ipynb")], type)
)
def test_what_is_not_there_is_told_in_a_sentence(desk: Path, words: tuple[str, ...]) -> None:
    status, text = said(desk, *words)
    assert status == 2
    assert text == f"autograder {words[0]}: there is no exercise {words[1]!r} here; there are {FIRST}, {SECOND}\n"


def test_an_exercise_is_found_by_how_it_begins(desk: Path) -> None:
    (path,) = notebooks(["02"], desk)
    assert path.name == f"{SECOND}.ipynb"
    with pytest.raises(NothingFoundError, match=f"several exercises begin with '0': {FIRST}, {SECOND}"):
        notebooks(["0"], desk)
    with pytest.raises(NothingFoundError, match=r"no exercise '02_gard' \(did you mean '02_grad'\?\) here"):
        notebooks(["02_gard"], desk)


def test_the_workspace_comes_before_the_folder_of_exercises(desk: Path) -> None:
    copy = desk / "work" / "exercises" / SECOND / f"{SECOND}_exercise.ipynb"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(as_bytes(released(SECOND)))
    assert notebooks([], desk) == [copy]
    assert notebooks(["02"], copy.parent) == [copy]
    assert notebooks(["02"], desk / "exercises" / FIRST) == [desk / "exercises" / SECOND / f"{SECOND}.ipynb"]
    assert notebooks([str(copy)], desk) == [copy]
    assert ExerciseProgress.of(copy).exercise == SECOND


def test_a_copy_that_lies_alone_is_found(tmp_path: Path) -> None:
    (tmp_path / f"{SECOND}.ipynb").write_bytes((COURSE / "lessons" / f"{SECOND}.ipynb").read_bytes())
    copy = tmp_path / f"{SECOND}_exercise.ipynb"
    copy.write_bytes(as_bytes(released(SECOND)))
    assert notebooks([], tmp_path) == [copy]


def test_outside_a_course_there_is_nothing(tmp_path: Path) -> None:
    with pytest.raises(NothingFoundError, match="start this in the course's folder"):
        notebooks([], tmp_path)


def test_a_file_that_is_no_notebook_has_no_points(tmp_path: Path) -> None:
    path = tmp_path / f"{FIRST}.ipynb"
    path.write_text("not JSON")
    progress = ExerciseProgress.of(path)
    assert (progress.points, progress.maximum) == (0, 30)
    assert "is not a notebook" in progress.verdicts["partials"].reason


@pytest.fixture
def watching(desk: Path) -> Iterator[subprocess.Popen]:
    with subprocess.Popen([*COMMAND, "watch", SECOND], cwd=desk, text=True, stdout=subprocess.PIPE) as process:
        too_late = threading.Timer(120, process.kill)
        too_late.start()
        try:
            assert process.stdout.readline() == f"Watching {SECOND}. Save a notebook to check it; Ctrl-C ends.\n"
            yield process
        finally:
            too_late.cancel()
            process.terminate()


@proof
def test_a_saved_notebook_is_checked_and_what_changed_is_told(desk: Path, watching: subprocess.Popen) -> None:
    notebook, path = released(SECOND), desk / "exercises" / SECOND / f"{SECOND}.ipynb"
    cell = cell_of(notebook, "one_at_a_time")
    for source, lines in (
        ("def one_at_a_time(a, nodes):\n    return None", ["  one_at_a_time: 0 of 3: ", f"{SECOND}: 0 of 21"]),
        (cell_of(solved(SECOND), "one_at_a_time").source, ["  one_at_a_time: 0 -> 3 of 3", f"{SECOND}: 3 of 21"]),
    ):
        cell.source = source
        spare = path.with_suffix(".new")  # as editors save: whole, and then in its place
        spare.write_bytes(as_bytes(notebook))
        spare.replace(path)
        for line in lines:
            assert line in watching.stdout.readline()


def test_what_has_not_changed_is_not_told(desk: Path) -> None:
    progress = ExerciseProgress.of(desk / "exercises" / FIRST / f"{FIRST}.ipynb")
    (line,) = changed(progress, progress)
    assert line.endswith(f"{FIRST}: 26 of 30 points, nothing has changed")


def test_a_task_that_was_not_there_at_the_save_before_is_told(desk: Path) -> None:
    now = ExerciseProgress.of(desk / "exercises" / FIRST / f"{FIRST}.ipynb")
    fewer = dataclasses.replace(now, verdicts={name: one for name, one in now.verdicts.items() if name != "partials"})
    first, _ = changed(fewer, now)
    assert first.startswith("  partials: 3 of 3")


@proof
def test_the_last_cell_of_an_exercise_runs_the_saved_file(desk: Path) -> None:
    notebook = released(FIRST)
    notebook.cells = [cell for cell in notebook.cells if cell.id == "from-clean"]  # this kernel knows nothing
    NotebookClient(notebook, resources={"metadata": {"path": desk / "exercises" / FIRST}}).execute()
    (output,) = notebook.cells[0].outputs
    assert "26 of 30" in output.text
    assert "\x1b" not in output.text


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have this process take its system for Windows, where a sandbox is made."""
    monkeypatch.setattr(tiers, "sys", SimpleNamespace(platform="win32"))


@pytest.mark.parametrize("words", [["progress", "02"], ["watch", "02"], ["doctor"]])
def test_on_windows_a_sentence_says_what_works(
    desk: Path, windows: None, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(desk)
    assert main(words) != 0
    said = capsys.readouterr()
    assert "On Windows no saved notebook can be run and judged." in said.err
    assert "Traceback" not in said.err
    assert not said.out.strip()


def test_on_windows_pytest_says_the_same_once(desk: Path, windows: None, request: pytest.FixtureRequest) -> None:
    file = NotebookFile.from_parent(request.session, path=desk / "exercises" / SECOND / f"{SECOND}.ipynb")
    with pytest.raises(pytest.Collector.CollectError, match="On Windows no saved notebook can be run"):
        list(file.collect())
