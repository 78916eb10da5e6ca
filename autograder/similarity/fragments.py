"""A submission as fragments (k-grams): short runs of syntax nodes, each with the task that it was written for."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from pathlib import Path

from nbformat import NotebookNode

from autograder.notebooks.reading import UnreadableNotebookError, read_submission, task_of_grade_cell
from autograder.notebooks.submission_files import notebook_bytes
from autograder.similarity.syntax import NotPythonError, parse, sequences

LENGTH = 10
"""Nodes in a fragment: a statement or two. Shorter fragments occur in everybody's code."""
MOST_CHARACTERS = 100_000
"""Characters of code in one notebook; the course's own notebooks hold at most 30,000."""
MOST_NODES = 20_000
OTHER = "elsewhere"


class UncomparableError(ValueError):
    """A submission cannot be compared; the message says why, in one sentence."""


@dataclasses.dataclass(frozen=True)
class Cell:
    """A code cell of a submission.

    Attributes:
        task: the task whose grade cell comes next.
        source: the code, with Unix line ends.
    """

    task: str
    source: str


@dataclasses.dataclass(frozen=True)
class Place:
    """The position of a fragment: the cell's index among the code cells, and its lines there, from 1."""

    cell: int
    lines: tuple[int, ...]


def read_cells(path: Path, submitted: Path) -> list[Cell]:
    """Read the code cells of a submission, without its grade cells.

    Args:
        path: the notebook file.
        submitted: the folder of all submissions, below which no symbolic link is followed.

    Raises:
        UncomparableError: the notebook cannot be read.
    """
    try:
        return cells_of(read_submission(notebook_bytes(submitted, path.relative_to(submitted).parts)))
    except UnreadableNotebookError as error:
        raise UncomparableError(str(error)) from None


def cells_of(notebook: NotebookNode) -> list[Cell]:
    """Return the code cells of a notebook, without its grade cells."""
    cells: list[Cell] = []
    pending: list[str] = []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        if (task := task_of_grade_cell(cell)) is None:
            pending.append(cell.source.replace("\r\n", "\n").replace("\r", "\n"))  # so that lines count as in Python
        else:
            cells += [Cell(task, source) for source in pending]
            pending = []
    return cells + [Cell(OTHER, source) for source in pending]


def fragments(cells: Iterable[Cell]) -> dict[int, str]:
    """Return the hashes of a submission's fragments, each with its task.

    Raises:
        UncomparableError: no cell is Python, or there is too much code.
    """
    return {fragment: cell.task for fragment, cell, _ in _walk(list(cells))}


def places(cells: Iterable[Cell], wanted: set[int]) -> dict[int, Place]:
    """Return where each of the wanted fragments occurs first."""
    every = list(cells)
    numbers = {id(cell): number for number, cell in enumerate(every)}
    found: dict[int, Place] = {}
    for fragment, cell, lines in _walk(every):
        if fragment in wanted and fragment not in found:
            found[fragment] = Place(numbers[id(cell)], tuple(dict.fromkeys(lines)))
    return found


def _walk(cells: list[Cell]) -> Iterator[tuple[int, Cell, list[int]]]:
    if sum(len(cell.source) for cell in cells) > MOST_CHARACTERS:
        raise UncomparableError(f"It holds more than {MOST_CHARACTERS} characters of code.")
    nodes, wrong, parsed = 0, "", False
    for cell in cells:
        try:
            tree = parse(cell.source)
        except NotPythonError as error:
            wrong = str(error)[:100]
            continue
        parsed = True
        for sequence in sequences(tree):
            nodes += len(sequence)
            if nodes > MOST_NODES:
                raise UncomparableError(f"It holds more than {MOST_NODES} syntax nodes.")
            labels = [label for label, _ in sequence]
            lines = [line for _, line in sequence]
            for start in range(len(labels) - LENGTH + 1):
                end = start + LENGTH
                yield hash(tuple(labels[start:end])), cell, lines[start:end]
    if wrong and not parsed:
        raise UncomparableError(f"None of its cells is Python ({wrong}).")
