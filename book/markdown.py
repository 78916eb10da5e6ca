"""What the checks say to students, as Markdown for the site."""

from __future__ import annotations

import functools
import re

import nbformat

from autograder.tasks.lesson_sections import REFERENCE
from book.source import COURSE, anchor


def escaped(text: str) -> str:
    """Plain text with `backticks` as code, and nothing else taken for Markdown."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return _escape(text.replace("`", "\\`"))
    return "`".join(piece if place % 2 else _escape(piece) for place, piece in enumerate(pieces))


def _escape(text: str) -> str:
    return re.sub(r"([\\*_\[\]<>$#{}|~])", r"\\\1", text)


def linked(text: str) -> str:
    """The same, with each mention of a lesson's section as a link to it."""
    last, parts = 0, []
    for mention in REFERENCE.finditer(text):
        parts += [escaped(text[last : mention.start()]), section_link(*mention.groups())]
        last = mention.end()
    return "".join([*parts, escaped(text[last:])])


def section_link(number: str, section: str) -> str:
    """A link from a page one folder below the root to a lesson's section."""
    return f"[lesson {number}, “{escaped(section)}”](<../lessons/{lesson(number)}.ipynb#{anchor(section)}>)"


@functools.cache
def lesson(number: str) -> str:
    """The name of the lesson with that number: "01_scalar_graphs"."""
    (found,) = (COURSE / "lessons").glob(f"{number}_*.ipynb")
    return found.stem


@functools.cache
def name_of(topic: str) -> str:
    """A short title, '01 Scalar graphs': that of the exercise, or of a lesson without one."""
    exercise = COURSE / "exercises" / topic / f"{topic}.ipynb"
    path = exercise if exercise.exists() else COURSE / "lessons" / f"{topic}.ipynb"
    title = re.sub(r"^# (Exercise )?\d\d:? ", "", nbformat.read(path, as_version=4).cells[0].source.splitlines()[0])
    return f"{topic[:2]} {title if '.' in title else title[0].upper() + title[1:]}"


def fenced(code: str) -> str:
    """A block of Python, or nothing."""
    return f"```python\n{code.strip()}\n```" if code.strip() else ""


def raw(html: str) -> str:
    """HTML in one line and a block of its own, so that Markdown ends nowhere inside it."""
    return f"<div>{html.replace(chr(10), '&#10;')}</div>"
