"""`autograder progress --concepts`: predictions by concept, and what comes back today."""

from __future__ import annotations

from datetime import date

from rich.table import Table
from rich.text import Text

from autograder.attempts import first_tries
from autograder.lesson_predictions.answers import SURE
from autograder.lesson_predictions.reviewing import count_due
from autograder.lesson_predictions.standing import Tally, answered, counted
from autograder.lesson_predictions.summary import tallies
from autograder.lesson_predictions.table import LessonsMissingError, concepts, predictions
from autograder.tasks.tables import TaskFolderError
from autograder.terminal import Terminal, complain


def print_concepts() -> int:
    """Print a row for each concept of the course, with the predictions that were right.

    Returns:
        The exit status: 0, or 2 if there are no lessons here or their predictions cannot be read.
    """
    try:
        table = by_concept()
    except (LessonsMissingError, TaskFolderError) as error:
        complain("autograder progress", error.args[0])
        return 2
    console = Terminal()
    console.print(table)
    print_further(console)
    return 0


def by_concept() -> Table:
    """Return a table of concepts: how many predictions were made before their cells ran, and how many were right."""
    asked, titles = predictions(), concepts()
    made = counted(answered(), asked)
    counts = tallies(made, asked)
    certain = tallies([one for one in made if one.sure == max(SURE)], asked)
    table = Table("concept", "predictions right", "when certain", caption="of the predictions made before the cell ran")
    for name, title in titles.items():
        table.add_row(title, _of(counts.get(name)), _of(certain.get(name)))
    table.add_section()
    table.add_row("together", _of(Tally.of(made)), "")
    return table


def print_further(console: Terminal, today: date | None = None) -> None:
    """Print what stands under both tables: tasks solved at the first check, and predictions that come back.

    Args:
        console: where to print.
        today: the day by which predictions come back, today's if omitted.
    """
    tries = first_tries()
    if tries:
        console.print(Text(f"solved at the first check: {sum(tries.values())} of {len(tries)} tasks"))
    print_due(console, today)


def print_due(console: Terminal, today: date | None = None) -> None:
    """Print how many predictions come back, if any do; where there are no lessons, none does."""
    try:
        count = count_due(today)
    except LessonsMissingError:
        return
    except TaskFolderError as error:
        complain("autograder progress", error)
        return
    if count:
        noun = "prediction comes" if count == 1 else "predictions come"
        console.print(Text(f"{count} {noun} back today: in a notebook, review()"))


def _of(tally: Tally | None) -> str:
    return f"{tally.right} of {tally.made}" if tally is not None and tally.made else ""
