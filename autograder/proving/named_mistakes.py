"""Check that every mistake which a lesson, a statement or a hint names has its message: `named_mistakes.toml`.

The file stands beside an exercise's tasks. A key is words of the lesson or of a task's text; its value says by which
name a check knows the mistake, by task, or why no task has it:

    "A common first answer is 6" = { partials = "the node's value instead of its partial" }
    "retaining leaks memory" = "no task of this exercise measures memory"
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import nbformat

from autograder.checks.catalogue import tasks_of
from autograder.checks.task import Task
from autograder.proving.problems import Problem
from autograder.tasks.folders import course_folder, known_exercise
from autograder.tasks.tables import TaskFolderError, line_of, read_toml

FILE = "named_mistakes.toml"
CLAIM = re.compile(r"^\*\*([\"“].+?)\*\*", re.MULTILINE)
"""A claim that people make and a lesson refutes: quoted, in bold, at the beginning of a paragraph."""
TELLING = re.compile(r"first answer|\bslips?\b|\btraps?\b|surprise|tempting|get wrong\.|wrong tensor\b", re.IGNORECASE)
"""Words that give away, elsewhere in a lesson, a sentence that names a mistake."""
Named = dict[str, dict[str, list[str]]]
"""From words of the course to the names of mistakes, by task; no names where no task has the mistake."""


def named_mistakes(exercise: str) -> Named:
    """Read an exercise's `named_mistakes.toml`; empty without one.

    Raises:
        LookupError: if the course has no such exercise.
        TaskFolderError: if the file cannot be used.
    """
    file = known_exercise(exercise).path / FILE
    if not file.exists():
        return {}
    given, text = read_toml(file)
    found: Named = {}
    for words, value in given.items():
        names = value if isinstance(value, dict) else {}
        lists = {task: [one] if isinstance(one, str) else one for task, one in names.items()}
        entries = [one for each in lists.values() for one in (each if isinstance(each, list) else [None])]
        if not isinstance(value, str | dict) or not all(isinstance(one, str) for one in entries):
            where = f"{file}, line {line_of(words, text)}"
            raise TaskFolderError(f"{where}: {words!r} is neither a reason nor a table of mistakes by task")
        found[words] = lists
    return found


def with_messages(task: Task) -> Iterator[Problem]:
    """Report words of a task's exercise that have gone, mistakes without a message, and those that are not listed.

    Raises:
        TaskFolderError: if `named_mistakes.toml` cannot be used.
    """
    exercise = task.exercise
    file, named = known_exercise(exercise).path / FILE, named_mistakes(exercise)
    everything = "\n\n".join([*lesson_cells(exercise), *_texts(exercise)])
    for words in named:
        if _plain(words) not in _plain(everything):
            yield Problem(
                f"{file}: neither lesson nor statement, hint or opening says {words!r}", "words that have gone"
            )
    tasks = tasks_of(exercise)
    for name, mistake in ((task, one) for tables in named.values() for task, names in tables.items() for one in names):
        if name not in tasks:
            yield Problem(f"{file}: {exercise} has no task {name!r}", "tasks that are not there")
        elif mistake not in {answer.diagnosed for answer in tasks[name].answers.answers}:
            yield Problem(f"{file}: no wrong answer to {name} is called {mistake!r}", "mistakes without a wrong answer")
    listed = [_plain(words) for words in named]
    for said in mistakes_said(lesson_cells(exercise)):
        if not any(words in _plain(said) or _plain(said) in words for words in listed):
            yield Problem(f"{file} does not list what the lesson says: {said!r}", "mistakes that are not listed")


def mistakes_said(cells: list[str]) -> Iterator[str]:
    """Yield what a lesson says of mistakes: the claims that it quotes and refutes, and telling sentences.

    Args:
        cells: the lesson's Markdown cells.
    """
    for cell in cells:
        yield from CLAIM.findall(cell)
        prose = re.sub(r"\]\([^)]*\)", "]", CLAIM.sub("", cell))  # a link's target is not said
        sentences = re.split(r"(?<=[.?!])\s+|\n\n", prose)
        yield from (one.strip() for one in sentences if TELLING.search(one))


def lesson_cells(exercise: str) -> list[str]:
    """Return the Markdown cells of an exercise's lesson; none without a lesson."""
    lesson = course_folder().parent / "lessons" / f"{exercise}.ipynb"
    if not lesson.exists():
        return []
    return [cell.source for cell in nbformat.read(lesson, as_version=4).cells if cell.cell_type == "markdown"]


def _texts(exercise: str) -> list[str]:
    """Return what an exercise's statements, hints, opening and closing say."""
    path = known_exercise(exercise).path
    files = [*path.glob("*.md"), *path.glob("*/statement.md")]
    hints = [str(text) for file in path.glob("*/hints.toml") for text in read_toml(file)[0].values()]
    return [file.read_text(encoding="utf-8") for file in files] + hints


def _plain(text: str) -> str:
    return " ".join(text.split())
