"""Problems of a task as sentences: one per kind, however many cases, seeds or answers show it."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from autograder.checks.task import Task
from autograder.probes.programs import Program
from autograder.probes.registry import PROGRAM_FILE
from autograder.tasks.cases import line_of_program
from autograder.tasks.predicting import ANSWER_FILE
from autograder.tasks.tables import TaskFolderError

LONGEST_INPUTS = 200


class Problem(NamedTuple):
    """One thing that an author must mend.

    Attributes:
        sentence: describes it; lines after the first are an example.
        kind: names a group of similar problems, in the plural: "seeds at which the two sources differ".
    """

    sentence: str
    kind: str = ""


def grouped(problems: Iterable[Problem], each: bool = False) -> Iterator[str]:
    """Yield one sentence per kind of problem: the first one's, with the number of such problems.

    Args:
        problems: what is to mend.
        each: yield every problem's own sentence instead, each once.
    """
    if each:
        yield from dict.fromkeys(sentence for sentence, _ in problems)
        return
    kinds: dict[str, list[str]] = {}
    for sentence, kind in problems:
        kinds.setdefault(kind or sentence, []).append(sentence)
    for kind, sentences in kinds.items():
        first, newline, example = sentences[0].partition("\n")
        alike = len(set(sentences))
        yield f"{first}{f' (the first of {alike} {kind})' if alike > 1 else ''}{newline}{example}"


@contextlib.contextmanager
def exceptions_explained(task: Task, inputs: tuple[Any, ...]) -> Iterator[None]:
    """Convert exceptions inside the block, with their place in the task's files or in the program in `inputs`.

    Raises:
        TaskFolderError: in place of any exception.
    """
    try:
        yield
    except Exception as error:
        raise TaskFolderError(explained(task, error, inputs)) from error


def explained(task: Task, error: Exception, inputs: tuple[Any, ...] = ()) -> str:
    """Describe an exception, and where in a task's files it was raised, in one sentence."""
    if isinstance(error, TaskFolderError):
        return str(error)
    said = f"{type(error).__name__}: {error}".replace("\n", " ")
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append((error.filename, error.lineno))
        said = f"{type(error).__name__}: {error.msg}"
    own = str(task.folder.parent.resolve())
    for file, line in reversed(frames):
        if file == PROGRAM_FILE and inputs and isinstance(inputs[0], Program):
            return f"{_line_of(task, inputs[0], line or 1)}: {said}"
        if file.startswith(own):
            return f"{file}, line {line}: {said}"
        if file == ANSWER_FILE.format(task.name):
            return f"line {line} of the answer: {said}"
    return f"{said} (`--traceback` shows where)"


def syntax_problem(where: str, source: str) -> Problem | None:
    """Return the problem of an answer or a solution that is not Python; None if it is."""
    try:
        compile(source, "", "exec")
    except SyntaxError as error:
        line = (error.text or "").strip()
        return Problem(f"{where}: line {error.lineno} of the cell is not Python ({error.msg}): {line}")
    return None


def shown(inputs: tuple[Any, ...]) -> str:
    """Describe the inputs of a case, shortened; a program's text follows on lines of its own."""
    if inputs and isinstance(inputs[0], Program):
        return "this program\n" + "\n".join(f"        {line}" for line in inputs[0].text.strip().splitlines())
    text = repr(inputs).replace("\n", " ")
    return f"the inputs {text if len(text) <= LONGEST_INPUTS else text[:LONGEST_INPUTS] + '...'}"


def _line_of(task: Task, program: Program, line: int) -> str:
    """Locate a line of a program: its line in `cases.toml`, or its text if the program was drawn."""
    cases: Path = task.folder / "cases.toml"
    if (before := line_of_program(cases, program)) is not None:
        return f"{cases}, line {before + line}"
    return f"{task.folder / 'task.py'} draws a program whose line {line} is `{program.text.splitlines()[line - 1]}`"
