"""Rooms import from rooms below theirs, what functions take and give is typed, and the picture of it all is today's."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.depth import proof
from tests.rooms import PICTURE, imports
from tests.submissions import COURSE

BIN = Path(sys.executable).parent
PLANTED = {  # an arrow upwards, a circle within a room
    "probes/devices.py": "from autograder.grader import grading",
    "probes/question.py": "from autograder.probes import answering",
}


def linted(folder: Path) -> subprocess.CompletedProcess[str]:
    """Ask import-linter about the package in a folder."""
    command = [BIN / "lint-imports", "--no-cache", "--config", COURSE / "pyproject.toml"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env={"PYTHONPATH": str(folder)})


def test_rooms_import_from_rooms_below_theirs() -> None:
    done = linted(COURSE)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("file", PLANTED)
def test_a_planted_import_is_found(file: str, tmp_path: Path) -> None:
    for source in (COURSE / "autograder").rglob("*.py"):
        copy = tmp_path / source.relative_to(COURSE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    module = tmp_path / "autograder" / file
    module.write_text(f"{module.read_text(encoding='utf-8')}\n{PLANTED[file]}\n", encoding="utf-8")
    done = linted(tmp_path)
    assert done.returncode == 1
    assert "autograder.probes" in done.stdout


@proof
def test_the_engine_is_typed() -> None:
    done = subprocess.run([BIN / "mypy"], cwd=COURSE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_picture_shows_the_rooms_of_today() -> None:
    """The command is `make rooms`."""
    titles = re.findall(r"<title>([^<]+)</title>", PICTURE.read_text(encoding="utf-8"))
    drawn = {title.replace("&#45;&gt;", "->") for title in titles if title != "%3"}
    graph = imports()
    assert drawn - set(graph.nodes) == {f"{one}->{other}" for one, other in graph.edges}
