"""CONTRIBUTING.md followed to the letter: an example in, proved; and nothing of the engine was opened."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from autograder.authoring.scaffolding import FILL_IN
from autograder.tasks.folders import COURSE as NAMED
from tests.depth import proof
from tests.submissions import COURSE

COMMANDS = re.findall(r"^    ((?:autograder|nbgrader) .+)$", (COURSE / "CONTRIBUTING.md").read_text(), re.MULTILINE)
EXERCISE, TASK = "14_optimizers", "sgd_step"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course without exercises."""
    shutil.copy(COURSE / "nbgrader_config.py", tmp_path)
    (tmp_path / "solutions").mkdir()
    return tmp_path


def run(course: Path, command: str) -> subprocess.CompletedProcess:
    environment = os.environ | {NAMED: str(course / "solutions")}
    return subprocess.run(command.split(), cwd=course, env=environment, capture_output=True, text=True)


@proof
def test_the_example_is_made_and_proved(course: Path) -> None:
    *before, last = COMMANDS
    assert len(before) == 4
    for command in before:
        done = run(course, command)
        assert done.returncode == 0, done.stderr
    folder = course / "solutions" / EXERCISE / "_tasks" / TASK
    for path in [*folder.glob("*.*"), folder.parent / "opening.md"]:
        path.write_text(path.read_text().replace(FILL_IN, "Filled in"))
    for command in before[2:]:  # the notebooks are made anew
        assert run(course, command).returncode == 0
    done = run(course, last)
    assert done.returncode == 0, done.stdout
    assert f"{TASK} is proved." in done.stdout.splitlines()
    assert "NotImplementedError" in (course / "exercises" / EXERCISE / f"{EXERCISE}.ipynb").read_text()


@proof
def test_what_is_not_filled_in_is_said(course: Path) -> None:
    for command in COMMANDS[:3]:
        run(course, command)
    done = run(course, COMMANDS[-1])
    assert done.returncode == 1
    assert len(re.findall(r"^    .*, line \d+$", done.stdout, re.MULTILINE)) == 11
