"""Generate the instructor's notebook of an exercise from the folders of its tasks."""

from __future__ import annotations

import hashlib
import itertools
import math
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import nbformat
from nbformat import NotebookNode

from autograder.checks.catalogue import tasks_of
from autograder.notebooks.cleaning import KERNEL, clean
from autograder.notebooks.grade_cells import GRADE_ID
from autograder.tasks.folders import TASKS, ExerciseFolder, known_exercise
from autograder.tasks.tables import TaskFolderError

if TYPE_CHECKING:  # it loads torch, which a notebook for students is made without
    from autograder.checks.task import Task

SOLUTION = ("### BEGIN SOLUTION", "### END SOLUTION")
RULES = Path(__file__).parent / "templates" / "rules.md"
"""What holds for every task, because the engine checks it at every question: `{rules}` in an opening."""
NEXT_CELL = "\n+++\n"
"""Separates two Markdown cells in one file."""
AFTER = "after.py"
"""An optional file in a task's folder: an ungraded cell after the answer, for experiments."""
NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"]
QUARTERS = ("", " and a quarter", " and a half", " and three quarters")
QUARTER = 15
SLACK = 2
"""Minutes beyond a quarter of an hour that are rounded down."""
POINTS_LINE = re.compile(r"^Points: .+?(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
"""The line of a statement that names the points of each check."""
POINTS_IN_LINE = re.compile(r"(?<=\s)(\(?)(\d+(?:\.\d+)?)(?=\)?(?:[,;.](?:\s|\Z)|\s*\Z))")
"""A number of points in that line, after a bracket or nothing."""
FROM_CLEAN = """## From clean

Save the notebook, then run this cell. It runs the saved file from top to bottom in a new process, as grading will, and
says what each task earns there. A name that lives only in this kernel, from a cell that you have since changed or
deleted, helps nobody when the file is graded."""


OWN_PROGRAM = ("about_own_program", "own_program")
"""The cells in which students explain an own answer."""
EXPLAINING = """## Your own program

{points} · graded by a person

Choose a task that you solved. In a new cell, run `from autograder import about` and `about("TASK")` with its name, and
answer the three questions about your own program. Then take one of the questions and write in the cell below, in two to
four sentences, which line of your program it is about, what the right answer is, and why."""


def generate_notebook(exercise: str) -> NotebookNode:
    """Generate the instructor's notebook of an exercise.

    Args:
        exercise: "01_doubling".

    Raises:
        LookupError: if there is no such exercise.
        TaskFolderError: if a folder cannot be used, or a statement gives other points than the checks.
    """
    tasks, folder = tasks_of(exercise), known_exercise(exercise)
    notebook = nbformat.v4.new_notebook(metadata={"autograder": {"exercise": exercise, "version": folder.version}})
    notebook.metadata["kernelspec"] = dict(KERNEL)
    notebook.cells = [*_opening(folder, tasks), *(cell for task in tasks.values() for cell in _cells(task))]
    notebook.cells += explaining_cells(folder)
    notebook.cells += [
        _cell("about_from_clean", FROM_CLEAN),
        _cell("from_clean", f'from autograder import progress\n\nprogress("{exercise}")', code=True),
        _cell("what_next", (folder.path / "closing.md").read_text(encoding="utf-8")),
    ]
    notebook = clean(notebook)
    notebook.metadata["made_from"] = {cell.id: digest(cell) for cell in notebook.cells}
    return notebook


def digest(cell: NotebookNode) -> str:
    """Return a digest of what an author may edit in a cell: its source and its points."""
    points = cell.metadata.get("nbgrader", {}).get("points")
    worth = "" if points is None else f"{float(points):g}"
    return hashlib.sha256(f"{worth}\0{cell.source.rstrip()}".encode()).hexdigest()[:8]


def edited_cells(notebook: NotebookNode, now: NotebookNode) -> dict[str, NotebookNode]:
    """Return the cells, by id, that are neither as they were generated nor as they would be generated now.

    Args:
        notebook: the notebook on disk, whose metadata keep the digests of its cells from when it was generated.
        now: the notebook that would be generated now.
    """
    made_from = notebook.metadata.get("made_from", {})
    anew = {cell.id: digest(cell) for cell in now.cells}
    cells = {cell.get("id", ""): cell for cell in notebook.cells}
    return {name: cell for name, cell in cells.items() if digest(cell) not in (made_from.get(name), anew.get(name))}


def as_text(notebook: NotebookNode) -> str:
    """Serialise a notebook as git keeps it."""
    return str(nbformat.writes(notebook)) + "\n"


def write_notebook(exercise: str, force: bool = False) -> Path | None:
    """Write the notebook of an exercise beside its `_tasks` folder, unless it is up to date.

    Args:
        exercise: "01_doubling".
        force: overwrite edits that were made in the notebook.

    Returns:
        The notebook's path; None if it was up to date.

    Raises:
        TaskFolderError: if edits in the notebook would be lost, or it cannot be read; and as in `generate_notebook`.
    """
    now, path = generate_notebook(exercise), known_exercise(exercise).path.parent / f"{exercise}.ipynb"
    text = as_text(now)
    if path.exists():
        before = path.read_text(encoding="utf-8")
        if before == text:
            return None
        if force:
            _keep_own_cells(path, before, now)
        elif edited := edited_cells(parsed(path), now):
            raise TaskFolderError(
                f"{path} was edited (the cell {min(edited)}): `autograder notebook {exercise} --back` reads the edits "
                "into the files that it is made from, `--force` makes it anew without them; a copy in "
                f"{TASKS} then keeps cells of your own"
            )
    path.write_text(text, encoding="utf-8")
    return path


def parsed(path: Path) -> NotebookNode:
    """Read an exercise's notebook.

    Raises:
        TaskFolderError: if it is not a notebook, as after a merge conflict.
    """
    try:
        notebook: NotebookNode = nbformat.read(path, as_version=4)
    except (ValueError, AttributeError, KeyError, TypeError):  # NotJSONError is a ValueError
        remedy = f"`autograder notebook {path.stem} --force` makes it anew"
        raise TaskFolderError(f"{path} is not a notebook: {remedy}") from None
    return notebook


def _keep_own_cells(path: Path, before: str, now: NotebookNode) -> None:
    """Copy a notebook that is about to be overwritten, if it holds cells that no task folder made, or is unreadable."""
    try:
        notebook = parsed(path)
        made = notebook.metadata.get("made_from", {}).keys() | {cell.id for cell in now.cells}
        if all(cell.get("id") in made for cell in notebook.cells):
            return
    except TaskFolderError:
        pass
    folder = path.parent / TASKS  # which nbgrader releases to nobody
    numbered = (folder / f"{path.stem}.before{number}.ipynb" for number in itertools.count(1))
    next(copy for copy in numbered if not copy.exists()).write_text(before, encoding="utf-8")


class Counted(Protocol):
    """What a title counts of a task."""

    @property
    def points(self) -> float:
        """What the task is worth."""

    @property
    def minutes(self) -> int:
        """How long the task takes a student."""


def title_and_rest(folder: ExerciseFolder, tasks: Collection[Counted]) -> tuple[str, str]:
    """Return the texts of a notebook's first two cells: the title, which counts the tasks, and how it works.

    Raises:
        TaskFolderError: if the file that holds them lacks the line between them.
    """
    file = folder.path / "opening.md"
    title, separator, how_it_works = file.read_text(encoding="utf-8").partition(NEXT_CELL)
    if not separator:
        raise TaskFolderError(f"{file} lacks a line +++ between the title and how it works")
    derived = derived_words(tasks, folder.explaining)
    title = re.sub(r"\{(\w+)\}", lambda found: derived.get(found[1], found[0]), title)
    return title, how_it_works.replace("{rules}", RULES.read_text(encoding="utf-8").rstrip())


def _opening(folder: ExerciseFolder, tasks: dict[str, Task]) -> Iterator[NotebookNode]:
    title, how_it_works = title_and_rest(folder, tasks.values())
    yield _cell("title", title)
    yield _cell("how_it_works", how_it_works)
    yield _cell("setup", folder.setup, code=True)


def derived_words(tasks: Collection[Counted], explaining: int = 0) -> dict[str, str]:
    """Return the values of `{tasks}`, `{points}` and `{time}` in a title: "Six tasks", "28 points", "an hour".

    Args:
        tasks: the exercise's tasks.
        explaining: points for an explanation of an own answer.
    """
    count = len(tasks)
    return {
        "tasks": f"{NUMBERS[count] if count < len(NUMBERS) else count} task{'s'[: count != 1]}",
        "points": points_in_words(sum(task.points for task in tasks) + explaining),
        "time": duration(sum(task.minutes for task in tasks)),
    }


def duration(minutes: int) -> str:
    """Express minutes in words, rounded up: "20 minutes", "an hour and a half"."""
    fives = 5 * math.ceil(minutes / 5)
    if fives < 60:
        return f"{fives} minutes"
    hours, quarters = divmod(math.ceil((minutes - SLACK) / QUARTER), 4)
    if hours == 1:
        return f"an hour{QUARTERS[quarters]}"
    return f"{NUMBERS[hours].lower()}{QUARTERS[quarters]} hours"


def _cells(task: Task) -> Iterator[NotebookNode]:
    yield _cell(f"about_{task.name}", heading(task) + _statement(task))
    marks = [line.strip() for line in task.solution.splitlines() if line.strip() in SOLUTION]
    if not marks or marks != list(SOLUTION) * (len(marks) // 2):
        raise TaskFolderError(f"{task.folder / 'solution.py'} needs {' and '.join(SOLUTION)} around what is cut out")
    yield _cell(task.name, task.solution, code=True, answer=True)
    if (after := task.folder / AFTER).exists():
        yield nbformat.v4.new_code_cell(after.read_text(encoding="utf-8").rstrip(), id=f"try-{cell_id(task.name)}")
    yield _cell(GRADE_ID + task.name, f'check("{task.name}")', code=True, points=task.points)


def explaining_cells(folder: ExerciseFolder) -> Iterator[NotebookNode]:
    """Yield the question that a person grades, and the cell for its answer, if the exercise gives points for it."""
    if folder.explaining:
        about, answer = OWN_PROGRAM
        yield _cell(about, EXPLAINING.format(points=points_in_words(folder.explaining)))
        yield _cell(answer, "", answer=True, points=folder.explaining)


def _statement(task: Task) -> str:
    """Return a task's statement; if it has a line "Points: ...", check that line against the points of the checks."""
    file = task.folder / "statement.md"
    text = file.read_text(encoding="utf-8")
    if (line := POINTS_LINE.search(text)) is not None:
        named = sum(float(number) for _, number in POINTS_IN_LINE.findall(line[0]))
        if named != task.points:
            where = f"{file}, line {text.count(chr(10), 0, line.start()) + 1}"
            raise TaskFolderError(
                f"{where}: it names {points_in_words(named)}, but the checks are worth {task.points:g}"
            )
    return text


def heading(task: Task) -> str:
    """Return the generated first lines of a task's statement: name, points, minutes, core or extra."""
    kind = "core" if task.core else "extra"
    return f"## `{task.name}`\n\n{points_in_words(task.points)} · {task.minutes} minutes · {kind}\n\n"


def points_in_words(number: float) -> str:
    """Express points with their noun: "1 point", "2.5 points"."""
    return f"{number:g} point{'s'[: number != 1]}"


def _cell(
    name: str, source: str, *, code: bool = False, answer: bool = False, points: float | None = None
) -> NotebookNode:
    """Return a cell with nbgrader's metadata: read-only by default, an answer, or a grade cell worth `points`."""
    meta = {"grade": points is not None, "grade_id": name, "locked": not answer}
    if points is not None:
        meta["points"] = int(points) if points == int(points) else points
    meta |= {"schema_version": 3, "solution": answer, "task": False}
    make: Callable[..., NotebookNode] = nbformat.v4.new_code_cell if code else nbformat.v4.new_markdown_cell
    name = f"solve-{cell_id(name)}" if answer else cell_id(name)
    return make(source.strip("\n").rstrip(), id=name, metadata={"nbgrader": meta})


def cell_id(name: str) -> str:
    """Return the cell id for a name: lower case, with dashes."""
    return name.lower().replace("_", "-")
