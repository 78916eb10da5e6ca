"""Files that a tool would run where it is started on a submission: nothing of ours runs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.depth import one_of_each, proof
from tests.sample_class import EXERCISE
from tests.submissions import as_bytes, solved

COMMANDS = {
    "progress": ["autograder.command_line", "progress"],
    "pytest": ["pytest", "-q", "-p", "no:cacheprovider"],
}


@pytest.mark.parametrize("command", one_of_each(COMMANDS.values(), type), ids=COMMANDS)
def test_nothing_beside_a_notebook_is_run(command: list[str], tmp_path: Path) -> None:
    (tmp_path / f"{EXERCISE}.ipynb").write_bytes(as_bytes(solved(EXERCISE)))
    ran = tmp_path / "ran"
    for name in ("conftest.py", "sitecustomize.py", "torch.py", "autograder.py", "nbgrader_config.py", "__init__.py"):
        (tmp_path / name).write_text(f"open({str(ran)!r}, 'w')")
    if "progress" in command:  # what makes pytest write where its author likes
        (tmp_path / "pytest.ini").write_text(f"[pytest]\naddopts = --junitxml={ran}\n")
    done = subprocess.run(
        [sys.executable, "-m", *command, str(tmp_path / f"{EXERCISE}.ipynb")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not ran.exists()


IMPORTING = "[pytest]\npythonpath = .\nfilterwarnings = error::evil.Evil\naddopts = {}\n"
"""Both lines import a student's module; nothing of it is a plug-in or a conftest.py."""
FILES = {
    "pytest.ini": IMPORTING,
    "tox.ini": IMPORTING,
    "setup.cfg": IMPORTING.replace("[pytest]", "[tool:pytest]"),
    "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['.']\nfilterwarnings = ['error::evil.Evil']\n",
}
MODULES = ("evil", "conftest", "test_evil", "runpy", "torch", "autograder", "pytest", "encodings", "sitecustomize")


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    """A submission in a course, with modules that say that they ran."""
    (tmp_path / "nbgrader_config.py").write_text("")
    folder = tmp_path / "gradebook" / "submitted" / "student-01" / EXERCISE
    folder.mkdir(parents=True)
    (folder / f"{EXERCISE}.ipynb").write_bytes(as_bytes(solved(EXERCISE)))
    for name in MODULES:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Evil(Warning): pass\n")
    return folder


def started(program: str, *arguments: str | Path, within: Path) -> subprocess.CompletedProcess:
    """What a program of this environment says, started in a folder."""
    command = [Path(sys.executable).with_name(program), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=within)


@proof
def test_progress_follows_nothing_beside_a_submission_and_is_started_there(handed_in: Path) -> None:
    for name, content in FILES.items():
        (handed_in / name).write_text(content.format(handed_in / "test_evil.py"))
    done = started("autograder", "progress", f"{EXERCISE}.ipynb", within=handed_in)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "30 of 30" in done.stdout
    assert not (handed_in.parents[3] / "ran").exists()


@pytest.mark.parametrize("name", one_of_each(FILES, type))
def test_pytest_says_that_a_file_beside_a_submission_is_not_the_callers(handed_in: Path, name: str) -> None:
    """It has followed the file by then, which is why `autograder progress` is the documented way."""
    course = handed_in.parents[3]
    (handed_in / name).write_text(FILES[name].partition("pythonpath")[0])
    notebook = handed_in / f"{EXERCISE}.ipynb"
    done = started("pytest", "-q", "-p", "no:cacheprovider", "--collect-only", notebook, within=course)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert f"pytest follows {handed_in / name}, which lies with the notebook" in done.stderr
    assert f"`autograder progress {notebook}`" in done.stderr
    assert "Traceback" not in done.stderr


def test_pytest_refuses_to_run_a_folder_of_submissions(handed_in: Path) -> None:
    course = handed_in.parents[3]
    for path in (handed_in / "test_evil.py", handed_in.parents[1]):
        done = started("pytest", "-q", "-p", "no:cacheprovider", "--collect-only", path, within=course)
        assert done.returncode == pytest.ExitCode.USAGE_ERROR
        assert f"{path} was handed in, and pytest runs what it finds there." in done.stderr
    assert not (course / "ran").exists()


@proof
def test_ones_own_configuration_is_followed(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / f"{EXERCISE}.ipynb").write_bytes(as_bytes(solved(EXERCISE)))
    notebook = Path("exercises", f"{EXERCISE}.ipynb")
    done = started("pytest", "-q", "-p", "no:cacheprovider", "--collect-only", notebook, within=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
