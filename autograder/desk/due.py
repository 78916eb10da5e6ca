"""What stands below the tables of `autograder progress`: predictions that come back today."""

from __future__ import annotations

from datetime import date

from rich.text import Text

from autograder.lesson_predictions.reviewing import count_due
from autograder.lesson_predictions.table import LessonsMissingError
from autograder.tasks.tables import TaskFolderError
from autograder.terminal import Terminal, complain


def print_due(console: Terminal, today: date | None = None) -> None:
    """Print how many predictions come back, if any do; where there are no lessons, none does.

    Args:
        console: where to print.
        today: the day by which predictions come back, today's if omitted.
    """
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
