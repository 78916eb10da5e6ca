"""docs/own_assignments.md: its commands, in an empty folder, do what the page says."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import nbformat

from tests.depth import proof
from tests.documented_commands import commands
from tests.submissions import COURSE

PAGE = COURSE / "docs" / "own_assignments.md"


def hand_in_solutions(course: Path) -> None:
    """Two students hand in the released notebooks, one with the instructor's answers."""
    for student in ("student-01", "student-02"):
        for released in (course / "release" / "ps1").glob("*.ipynb"):
            folder = course / "submitted" / student / "ps1"
            folder.mkdir(parents=True, exist_ok=True)
            source = released if student == "student-02" else course / "source" / "ps1" / released.name
            nbformat.write(nbformat.read(source, as_version=4), folder / released.name)


@proof
def test_the_pages_commands_do_what_it_says(tmp_path: Path) -> None:
    (lines,) = re.findall(r"```python\n(from autograder.*?)```", PAGE.read_text(), re.DOTALL)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("AUTOGRADER_", "COURSE_"))}
    environment |= {"HOME": str(tmp_path), "COLUMNS": "200"}
    course, said = tmp_path, dict[str, str]()
    for command in filter("make setup".__ne__, commands(PAGE)):  # whose environment runs this
        if command.startswith("cd "):
            course = course / command.removeprefix("cd ")
            with (course / "nbgrader_config.py").open("a") as config:
                config.write(lines)
        elif command.startswith("export "):
            name, _, value = command.removeprefix("export ").partition("=")
            environment[name] = value.replace("$PWD", str(course))
        else:
            if command == "autograder grade ps1":
                hand_in_solutions(course)
            done = subprocess.run(["bash", "-c", command], cwd=course, env=environment, capture_output=True, text=True)
            said[command] = " ".join((done.stdout + done.stderr).split())
            status = 1 if command.startswith("autograder check-task") else 0  # which lists what is to be filled in
            assert (done.returncode, "Traceback" in said[command]) == (status, False), f"{command}: {said[command]}"
    assert "4 graded" in said["autograder grade ps1"]
    assert "own solution" not in said["autograder grade ps1"]
    scores = said["autograder scores ps1"]
    assert "student-01" in scores
    assert "so far 3" in scores
    assert "All automatic points are asserted in the student's process" in scores
    assert len(list((course / "feedback").glob("*/ps1/*.html"))) == 4
    assert not (course / "secret_seed").exists()
    assert (course / "gradebook" / "secret_seed").exists()
    assert (course / "release" / "02_sums" / "02_sums.ipynb").exists()
