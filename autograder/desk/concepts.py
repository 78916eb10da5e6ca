"""`autograder progress --concepts`: tasks and predictions by concept."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from rich.table import Table
from rich.text import Text

from autograder.attempts import first_tries
from autograder.desk.due import print_due
from autograder.desk.saved_notebook import ExerciseProgress, NothingFoundError, notebooks
from autograder.desk.tasks_by_concept import ConceptProgress, count_tasks
from autograder.lesson_predictions.answers import SURE
from autograder.lesson_predictions.standing import Tally, answered, counted
from autograder.lesson_predictions.summary import tallies
from autograder.lesson_predictions.table import LessonsMissingError, concepts, predictions
from autograder.tasks.tables import TaskFolderError
from autograder.terminal import Terminal, complain


def print_concepts() -> int:
    """Print a row for each concept of the course: tasks that are done, predictions that were right.

    Returns:
        The exit status: 0, or 2 if there are no lessons here or their predictions cannot be read.
    """
    console = Terminal()
    try:
        asked, titles = predictions(), concepts()
    except (LessonsMissingError, TaskFolderError) as error:
        complain("autograder progress", error.args[0])
        return 2
    try:
        paths = notebooks([], Path.cwd())
    except NothingFoundError:
        paths = []
    with console.status("running the saved notebooks from clean"):
        tasks = count_tasks([ExerciseProgress.of(path) for path in paths])
    made = counted(answered(), asked)
    counts = tallies(made, asked)
    certain = tallies([one for one in made if one.sure == max(SURE)], asked)
    table = Table("concept", "tasks done", "predictions right", "when certain", caption=CAPTION)
    for name, title in titles.items():
        table.add_row(title, _done(tasks.get(name)), _right(counts.get(name)), _right(certain.get(name)))
    table.add_section()
    table.add_row("together", "", _right(Tally.of(made)), "")
    console.print(table)
    print_further(console)
    return 0


CAPTION = "tasks as last saved, some under two concepts; predictions made before the cell ran"


def print_further(console: Terminal, today: date | None = None) -> None:
    """Print what stands under the table: tasks solved at the first check, and predictions that come back.

    Args:
        console: where to print.
        today: the day by which predictions come back, today's if omitted.
    """
    if tries := first_tries():
        console.print(Text(f"solved at the first check: {sum(tries.values())} of {len(tries)} tasks"))
    print_due(console, today)


def _done(tasks: ConceptProgress | None) -> str:
    return f"{tasks.done} of {tasks.tasks}" if tasks is not None else ""


def _right(tally: Tally | None) -> str:
    return f"{tally.right} of {tally.made}" if tally is not None and tally.made else ""
