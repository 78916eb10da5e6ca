"""The shell commands that a document tells its reader to type, in order: in indented blocks and in running text."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from tests.submissions import COURSE

PROGRAMS = ("autograder", "nbgrader", "make", "pip", "pytest", "python3", "export", ".venv/bin/pip")
PROGRAMS += ("docs/gradescope/pack",)
"""Whose commands are typed when they stand in running text, between backticks."""
WORDS = {".", "sudo", "py", "dask", ".venv\\Scripts\\python", ".venv\\Scripts\\autograder"}
"""First words of lines in blocks that are commands though no program of that name may be here."""
SETTING = re.compile(r"^(?:[A-Z_]+=\S+ )+")
"""Variables before a command."""
COMMENT = re.compile(r"\s{2,}#.*$")


def commands(document: Path) -> list[str]:
    """All of them, without the comments after them; what stands twice in running text is listed once."""
    found: list[str] = []
    for part in re.split(r"\n{2,}", document.read_text(encoding="utf-8")):
        lines = part.split("\n")
        if all(line.startswith("    ") for line in lines if line):
            found += _of_block([line[4:] for line in lines if line])
        else:
            found += [one for one in _inline(" ".join(lines)) if one not in found]
    return found


def _of_block(lines: list[str]) -> list[str]:
    """A block is for the shell where its first line is; a listing or a setting is not."""
    if not _is_command(lines[0]):
        return []
    return [COMMENT.sub("", line).strip() for line in lines]


def _is_command(line: str) -> bool:
    first = line.split()[0]
    return not line.startswith(" ") and (
        first in WORDS or shutil.which(first) is not None or (COURSE / first).is_file() or first in PROGRAMS
    )


def _inline(text: str) -> Iterator[str]:
    for span in re.findall(r"(?<!`)`([^`]+)`(?!`)", text):
        program, _, rest = SETTING.sub("", span).partition(" ")
        if rest and program in PROGRAMS:
            yield re.sub(r"\s+", " ", span)
