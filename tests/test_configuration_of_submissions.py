"""Files that a tool would run where it is started on a submission: nothing of ours runs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.depth import one_of_each
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
