"""The page with which a workspace opens: three steps, and links to all lessons and exercises."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

WELCOME = "welcome.md"
PAGE = """\
# Welcome

1. Read {lesson} and run its cells with Shift-Enter.
2. Open {exercise}. Run its first code cell, write your answer in the cell below a task, and run that cell.
3. Press Shift-Enter on the cell with `check(...)`. It says how many points you have, and what is wrong if something is.
   `hint("...")` with the task's name helps in three steps.

Then take the next lesson. Everything in this folder is yours; no update of the course overwrites it.

| lesson | exercise |
|---|---|
{rows}

**How far am I?** `progress()` in the last cell of an exercise says so, or `autograder progress` in a terminal
(File > New > Terminal).

**Hand in** the file that ends in `{ending}`, as it is, in the way your instructor named.

**A newer version** of an exercise never replaces yours: when you start the course, it says which are newer, and how to
take one.
"""


def welcome(copies: Mapping[str, tuple[Path, Path]], folder: Path, ending: str) -> str:
    """Write the page as Markdown.

    Args:
        copies: each copy and its original, by the exercise's name, or by "lessons/" and the lesson's.
        folder: the workspace.
        ending: how the names of the exercises' files end.
    """
    paths = {name: copy.relative_to(folder).as_posix() for name, (copy, _) in copies.items()}
    titles = {name: _title(original) for name, (_, original) in copies.items()}
    numbers = sorted({name.rpartition("/")[2] for name in copies})
    rows = []
    for name in numbers:
        lesson, exercise = f"lessons/{name}", name
        rows.append(f"| {_link(lesson, titles, paths)} | {_link(exercise, titles, paths)} |")
    lessons = [name for name in paths if "/" in name]
    exercises = [name for name in paths if "/" not in name]
    return PAGE.format(
        lesson=_link(lessons[0], titles, paths) if lessons else "what your instructor gave you",
        exercise=_link(exercises[0], titles, paths) if exercises else "an exercise",
        rows="\n".join(rows),
        ending=ending,
    )


def _link(name: str, titles: Mapping[str, str], paths: Mapping[str, str]) -> str:
    return f"[{titles[name]}](<{paths[name]}>)" if name in paths else ""


def _title(notebook: Path) -> str:
    """Return the first heading of a notebook, else its name; without what Markdown would read as more than text."""
    try:
        cells = json.loads(notebook.read_bytes())["cells"]
        source = "".join(cells[0]["source"])
    except (OSError, ValueError, LookupError, TypeError):
        source = ""
    heading = next((line[2:] for line in source.splitlines() if line.startswith("# ")), notebook.stem)
    return "".join(char for char in heading if char not in "[]<>|\\").strip() or notebook.stem
