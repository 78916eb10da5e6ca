"""What the first page shows: an example, the course's table, and the contents in the order of learning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat

from autograder.checks.catalogue import exercises, tasks_of
from autograder.grader.live import judge_namespace
from autograder.verdicts.card import verdict_as_html
from book.markdown import fenced, name_of
from book.source import COURSE, put

ANSWER = """def partials(x, w, b):
    gate = float(x * w + b > 0)
    return {"x": x * gate, "w": w * gate, "b": gate, "u": gate, "v": gate}

check("partials")"""


def example() -> str:
    """A wrong answer, and what the check makes of it, as a notebook displays it."""
    names: dict[str, Any] = {}
    exec(ANSWER.replace('check("partials")', ""), names)
    verdict, _ = judge_namespace("partials", names)
    return f"{fenced(ANSWER)}\n\n{verdict_as_html(verdict)}\n"


def topics() -> list[str]:
    """The names of all lessons, in order."""
    return sorted(path.stem for path in (COURSE / "lessons").glob("*.ipynb"))


def table() -> str:
    """Lesson by lesson: its title, and what its exercise asks for."""
    rows = ["| lesson | exercise | points |", "|---|---|---|"]
    for topic in topics():
        first = nbformat.read(COURSE / "lessons" / f"{topic}.ipynb", as_version=4).cells[0].source.splitlines()[0]
        work, points = "none", ""
        if topic in exercises():
            tasks = tasks_of(topic).values()
            hours = sum(task.minutes for task in tasks) / 60
            many = "1 task" if len(tasks) == 1 else f"{len(tasks)} tasks"
            work = f"[{many}, {hours:.1f} hours](exercises/{topic}/{topic}.ipynb)"
            points = f"{sum(task.points for task in tasks):g}"
        rows.append(f"| [{first.removeprefix('# ')}](lessons/{topic}.ipynb) | {work} | {points} |")
    return "\n".join(rows) + "\n"


def contents() -> str:
    """Each lesson, then its exercise, as the site's navigation has them."""
    lines = ["```{toctree}", ":caption: Lessons and exercises", ":hidden:", ""]
    for topic in topics():
        lines.append(f"{name_of(topic)} <lessons/{topic}>")
        if topic in exercises():
            lines.append(f"Exercise {topic[:2]} <exercises/{topic}/{topic}>")
    return "\n".join([*lines, "```"]) + "\n"


def write(folder: Path) -> list[Path]:
    """Write what the first page includes; returns the files."""
    pages = {"example": example(), "course": table(), "contents": contents()}
    for name, text in pages.items():
        put(folder / f"{name}.md", text.encode())
    return [folder / f"{name}.md" for name in pages]
