"""Read a course's predictions strictly: LESSONS/predictions/NN_topic.toml, a table for each.

A table's name is the id of the Markdown cell that asks, in the lesson's notebook. `concepts.toml` beside them may list
the concepts, each with a title.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from pathlib import Path
from types import MappingProxyType
from typing import Any

from autograder.names import with_nearest
from autograder.tasks.folders import course_folder
from autograder.tasks.tables import TaskFolderError, check_keys, line_of, read_toml

FOLDER = "predictions"
CONCEPTS = "concepts.toml"
KEYS = {"concept": str, "ask": str, "holds": str, "why": str}
OPTIONAL = {"choices": list, "answer": str, "number": float, "within": float}
HEAD = re.compile(r"^[ \t]*\[[ \t]*[\"']?([\w-]+)[\"']?[ \t]*\]", re.MULTILINE)
FEWEST, MOST = 2, 5
"""How many choices a prediction has."""


class LessonsMissingError(LookupError):
    """The course's lessons are not on this computer; the message is a sentence for the student."""


@dataclasses.dataclass(frozen=True)
class Prediction:
    """A question that a lesson asks before a cell shows the answer.

    Attributes:
        name: the id of the Markdown cell that asks it, unique in the course.
        lesson: the notebook's name without its ending.
        concept: what it is about.
        ask: the question; what stands in backticks is code.
        holds: a Python expression, true in the lesson's namespace once the cell below has run: it proves the answer.
        why: one sentence, shown after the answer.
        choices: what can be answered; empty if a number is asked for.
        answer: the right choice; empty if a number is asked for.
        number: the right number; None if there are choices.
        within: how far from it a number is still right.
    """

    name: str
    lesson: str
    concept: str
    ask: str
    holds: str
    why: str
    choices: tuple[str, ...] = ()
    answer: str = ""
    number: float | None = None
    within: float = 0.0


def lessons_folder() -> Path:
    """Return the folder of the course's lessons, which lies beside the course's folder.

    Raises:
        LessonsMissingError: if it is not there, as where only the package is installed.
    """
    folder = course_folder().parent / "lessons"
    if not (folder / FOLDER).is_dir():
        raise LessonsMissingError(
            "Predictions are asked where the whole course is, and only its package is installed here: predict in your "
            "head, then run the next cell."
        )
    return folder


def predictions() -> MappingProxyType[str, Prediction]:
    """Read all predictions of the course, by name, in the order of the lessons and their files.

    Raises:
        LessonsMissingError: if the lessons are not here.
        TaskFolderError: if a file cannot be used; the message names it and the line.
    """
    return _all(lessons_folder() / FOLDER)


def find(name: object) -> Prediction:
    """Find a prediction by its name.

    Raises:
        LookupError: if there is none of this name; the message is a sentence for the student.
        TaskFolderError: as `predictions`.
    """
    known = predictions()
    if isinstance(name, str) and name in known:
        return known[name]
    if not isinstance(name, str):
        raise LookupError('A prediction is given by its name, as text in quotes: predict("NAME").')
    raise LookupError(f"There is no prediction {with_nearest(name, known)} in the lessons that are installed here.")


def concepts() -> MappingProxyType[str, str]:
    """Read the course's concepts with their titles, in order; without a list, those of its predictions.

    Raises:
        LessonsMissingError, TaskFolderError: as `predictions`.
    """
    listed = _concepts(lessons_folder() / FOLDER)
    return MappingProxyType(listed or {one.concept: one.concept for one in predictions().values()})


@functools.cache
def _all(folder: Path) -> MappingProxyType[str, Prediction]:
    found: dict[str, Prediction] = {}
    for file in sorted(folder.glob("*.toml")):
        if file.name == CONCEPTS:
            continue
        for one in read_lesson(file, tuple(_concepts(folder))):
            if one.name in found:
                raise TaskFolderError(
                    f"{file}: {one.name} is already among the predictions of {found[one.name].lesson}"
                )
            found[one.name] = one
    return MappingProxyType(found)


@functools.cache
def _concepts(folder: Path) -> dict[str, str]:
    file = folder / CONCEPTS
    if not file.exists():
        return {}
    given, text = read_toml(file)
    check_keys(given, file, text, {}, dict.fromkeys(given, str))
    return given


def read_lesson(file: Path, concepts: tuple[str, ...] = ()) -> list[Prediction]:
    """Read the predictions of one lesson.

    Args:
        file: named after the lesson.
        concepts: the known ones; empty if any will do.

    Raises:
        TaskFolderError: if the file cannot be used; the message names it and the line.
    """
    given, text = read_toml(file)
    heads = {found[1]: text.count("\n", 0, found.end()) + 1 for found in HEAD.finditer(text)}
    made = []
    for name, table in given.items():
        if name not in heads or not isinstance(table, dict):
            raise TaskFolderError(f"{file}, line {line_of(name, text)}: a prediction begins with a line [{name}]")
        line = heads[name]
        table = {key: _as_float(value) if key in ("number", "within") else value for key, value in table.items()}
        check_keys(table, file, text, KEYS, OPTIONAL, line)
        if found := _wrong(table, concepts):
            key, sentence = found
            raise TaskFolderError(f"{file}, line {line_of(key, text, line)}: {name}: {sentence}")
        choices = tuple(table.pop("choices", ()))
        made.append(Prediction(name, file.stem, choices=choices, **table))
    return made


def _as_float(value: object) -> object:
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _wrong(table: dict[str, Any], concepts: tuple[str, ...]) -> tuple[str, str] | None:
    """Return the key of a table that is wrong, and what is; None if nothing is."""
    for key in KEYS:
        if not table[key].strip():
            return key, f"{key} is empty"
    if concepts and table["concept"] not in concepts:
        return "concept", f"there is no concept {with_nearest(table['concept'], concepts)} in {CONCEPTS}"
    try:
        compile(table["holds"], "holds", "eval")
    except (SyntaxError, ValueError) as error:
        return "holds", f"holds is not a Python expression: {error}"
    if ("choices" in table) == ("number" in table):
        return "ask", "give either choices with an answer, or a number"
    if "number" in table:
        if "answer" in table:
            return "answer", "number is the answer; leave answer out"
        return ("within", "within is negative") if table.get("within", 0.0) < 0 else None
    return _wrong_choices(table)


def _wrong_choices(table: dict[str, Any]) -> tuple[str, str] | None:
    choices = table["choices"]
    if not FEWEST <= len(choices) <= MOST or not all(isinstance(one, str) and one.strip() for one in choices):
        return "choices", f"choices are {FEWEST} to {MOST} texts"
    if len({one.replace("`", "").strip() for one in choices}) < len(choices):
        return "choices", "two choices are alike"
    if table.get("answer") not in choices:
        return "answer" if "answer" in table else "choices", "answer is not one of the choices"
    return ("within", "within belongs to a number") if "within" in table else None
