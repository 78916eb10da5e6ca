"""Link the engine's own mistakes to the lesson sections that explain them: `reading.toml` beside an exercise's tasks.

In a sentence of the engine, `{read accumulation}` becomes a reference to the section that the course names for this
topic, and disappears if it names none.
"""

from __future__ import annotations

import functools
import json
import os
import re
from html import unescape
from pathlib import Path
from urllib.parse import quote

from autograder.tasks.folders import course_folder, exercises, known_exercise
from autograder.tasks.tables import TaskFolderError, line_of, read_toml

FILE = "reading.toml"
LESSONS = "lessons"
"""The folder of the lessons' notebooks, as a student has it."""
REFERENCE = re.compile(r"lesson\s(\d\d),\s“([^”]+)”")
"""A reference to a section, as `section` writes it and sentences of tasks do; the book makes a link of it."""
TOPIC = re.compile(r"\s*\{read ([^}]+)\}")


def with_reading(sentence: str) -> str:
    """Replace each `{read TOPIC}` in a mistake's sentence by a reference to the lesson, or by nothing."""

    def said(found: re.Match[str]) -> str:
        where = _topics(course_folder()).get(found[1])
        return f" See {where}." if where else ""

    return TOPIC.sub(said, sentence)


def linked(html: str) -> str:
    """Link each reference in escaped HTML to its section, if the lesson's notebook lies in a folder nearby."""

    def link(found: re.Match[str]) -> str:
        lesson = _lesson(found[1])
        if lesson is None:
            return found[0]
        where = quote(Path(os.path.relpath(lesson)).as_posix())
        if cell := _cell_with(lesson, unescape(found[2])):
            where += f"#cell-id={quote(cell)}"  # JupyterLab finds a cell before it has rendered any heading
        return f'<a href="{where}" style="color:inherit;text-decoration:underline">{found[0]}</a>'

    return REFERENCE.sub(link, html)


def _lesson(number: str) -> Path | None:
    """Find a lesson's notebook in a folder `lessons`, here or further up."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        for lesson in sorted(folder.glob(f"{LESSONS}/{number}_*.ipynb")):
            return lesson
    return None


@functools.lru_cache(maxsize=64)
def _cell_with(lesson: Path, heading: str) -> str:
    """Return the id of the lesson's cell that has a heading; empty if none has."""
    try:
        cells = json.loads(lesson.read_bytes())["cells"]
        lines = {line.lstrip("# "): cell["id"] for cell in cells for line in "".join(cell["source"]).splitlines()}
    except (OSError, ValueError, LookupError, TypeError):  # somebody's own file, which may hold anything
        return ""
    return str(lines.get(heading, ""))


def section(exercise: str, heading: str) -> str:
    """Return a reference to a section of an exercise's lesson: 'lesson 02, “Accumulation”'."""
    return f"lesson {exercise[:2]}, “{heading}”"


def topics_of(exercise: str) -> dict[str, str]:
    """Read which heading of an exercise's lesson explains each topic; empty without a `reading.toml`.

    Raises:
        LookupError: if the course has no such exercise.
        TaskFolderError: if the file cannot be used.
    """
    file = known_exercise(exercise).path / FILE
    if not file.exists():
        return {}
    given, text = read_toml(file)
    for topic, heading in given.items():
        if not isinstance(heading, str):
            raise TaskFolderError(
                f"{file}, line {line_of(topic, text)}: {topic!r} is not explained by a heading's text"
            )
    return given


@functools.cache
def _topics(course: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for exercise in exercises():
        for topic, heading in topics_of(exercise).items():
            if topic in found:
                file = known_exercise(exercise).path / FILE
                raise TaskFolderError(f"{file}: {topic!r} is already explained in {found[topic]}")
            found[topic] = section(exercise, heading)
    return found
