"""The page of the command line: what each verb says with `--help`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from book.source import put

HEAD = """# Command line

`autograder` is there once `make setup` has run and `.venv/bin` is on the PATH. nbgrader's own commands stand beside
it; [Grading a class](../docs/class_grading.md) says which does what.
"""


def said(*arguments: str) -> str:
    """What the command prints."""
    command = [sys.executable, "-m", "autograder.command_line", *arguments, "--help"]
    environment = os.environ | {"COLUMNS": "90", "NO_COLOR": "1"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return done.stdout.strip()


def page() -> str:
    """All verbs, in the order of the command's own help."""
    overall = said()
    (verbs,) = set(re.findall(r"\{([a-z,-]+)\}", overall))
    parts = [HEAD, f"```text\n{overall}\n```"]
    parts += [f"## `autograder {verb}`\n\n```text\n{said(verb)}\n```" for verb in verbs.split(",")]
    return "\n\n".join(parts) + "\n"


def write(folder: Path) -> list[Path]:
    """Write the page; returns its file."""
    put(folder / "command_line.md", page().encode())
    return [folder / "command_line.md"]
