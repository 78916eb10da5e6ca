"""Check a task's notebooks: solution and exercise match its folder, and the lesson has its section."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.authoring.exercise_notebook import SOLUTION, as_text, generate_notebook
from autograder.checks.task import Task
from autograder.proving.problems import Problem
from autograder.tasks.folders import course_folder

REGION = re.compile(rf"^[ \t]*{SOLUTION[0]}\n.*?{SOLUTION[1]}", re.MULTILINE | re.DOTALL)


def up_to_date(task: Task) -> Iterator[Problem]:
    """Report notebooks of the task's exercise that are out of date with the task folders.

    Raises:
        TaskFolderError: if no notebook can be generated.
    """
    now = generate_notebook(task.exercise)
    path = task.folder.parent.parent / f"{task.exercise}.ipynb"
    if not path.exists() or path.read_text(encoding="utf-8") != as_text(now):
        yield Problem(f"{path} is not what the folders say: run `autograder notebook {task.exercise}`")
    folder, options = _releasing()
    path = folder / task.exercise / path.name
    if path.exists() and not is_released(now, nbformat.read(path, as_version=4)):
        command = f"nbgrader generate_assignment {task.exercise} --force{options}"
        yield Problem(f"{path}, which students get, is older than the folders: run `{command}`")


def is_released(now: NotebookNode, released: NotebookNode) -> bool:
    """Return whether a released notebook equals the instructor's one `now` apart from the solution regions."""
    if len(now.cells) != len(released.cells) or now.metadata.autograder.version != _version(released):
        return False
    return all(_is_cell(one, other) for one, other in zip(now.cells, released.cells, strict=True))


def left_to_do(task: Task) -> Iterator[str]:
    """List what is optional and still missing: the students' exercise, and the lesson whose section the task names."""
    course = course_folder().parent
    folder, options = _releasing()
    if not (folder / task.exercise).exists():
        yield f"students have no exercise yet: `nbgrader generate_assignment {task.exercise}{options}` makes it"
    lesson = course / "lessons" / f"{task.exercise}.ipynb"
    if task.section and not lesson.exists():
        yield f"{lesson}, whose section {task.section!r} task.py names, is not there yet (a lesson is optional)"


def in_lesson(task: Task) -> Iterator[Problem]:
    """Report a lesson that exists but lacks the section that the task names."""
    lesson = course_folder().parent / "lessons" / f"{task.exercise}.ipynb"
    if task.section and lesson.exists() and task.section not in headings(nbformat.read(lesson, as_version=4)):
        yield Problem(f"{task.folder / 'task.py'}: {lesson} has no heading {task.section!r}, which section= names")


def headings(lesson: NotebookNode) -> list[str]:
    """Return all Markdown headings of a notebook, without their `#`."""
    text = "\n".join(cell.source for cell in lesson.cells if cell.cell_type == "markdown")
    return re.findall(r"^#+[ \t]*(.+?)[ \t]*$", text, re.MULTILINE)


def _releasing() -> tuple[Path, str]:
    """Return the folder that exercises are released to, and further options of the command.

    A course in `solutions` is released as this one; any other is an instructor's, in nbgrader's own folders.
    """
    course = course_folder()
    return (course.parent / "exercises", " --no-db") if course.name == "solutions" else (course.parent / "release", "")


def _version(notebook: NotebookNode) -> object:
    return notebook.metadata.get("autograder", {}).get("version")


def _is_cell(one: NotebookNode, released: NotebookNode) -> bool:
    parts = REGION.split(one.source)
    points = [cell.metadata.get("nbgrader", {}).get("points") for cell in (one, released)]
    text = r".*?".join(map(re.escape, parts))
    return one.id == released.id and points[0] == points[1] and bool(re.fullmatch(text, released.source, re.DOTALL))
