"""Predictions in lessons: asked before a cell shows its answer, kept in the student's record, asked again if missed.

What asks the questions is imported where somebody answers.
"""

from __future__ import annotations

import contextlib
import sys
import textwrap
from collections.abc import Iterator

from autograder.surroundings import at_desk

WIDTH = 80
"""Columns that fit into every notebook's window."""


def predict(which: str | None = None, answer: object = None, sure: int | None = None) -> None:
    """Ask for a prediction before you run the next cell; with an answer, commit to it.

    Args:
        which: the prediction's name.
        answer: for an editor without buttons: a choice's letter or text, or a number.
        sure: how sure you are of that answer: 1 guessing, 2 fairly sure, 3 certain.
    """
    if not at_desk("predict"):
        return
    from autograder.lesson_predictions.asking import ask, commit_answer

    with _explained():
        ask(which) if answer is None else commit_answer(which, answer, sure)


def review(which: str | None = None, answer: object = None, sure: int | None = None) -> None:
    """Ask the missed predictions that come back today; of a lesson, say how often you were right and how sure.

    Args:
        which: a lesson, such as "03", to sum it up; omitted for what comes back today. With an answer, the name of a
            prediction that comes back today.
        answer: as in `predict`.
        sure: as in `predict`.
    """
    if not at_desk("review"):
        return
    from autograder.lesson_predictions.reviewing import answer_again, review_due, sum_up

    with _explained():
        if which is None:
            review_due()
        elif answer is None:
            sum_up(which)
        else:
            answer_again(which, answer, sure)


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    """Print an error's sentence instead of raising it, so that "Run all" goes on."""
    from autograder.lesson_predictions.table import LessonsMissingError

    try:
        yield
    except LessonsMissingError as error:  # is no fault of the reader's
        print(textwrap.fill(error.args[0], WIDTH))
    except (LookupError, ValueError) as error:  # no such prediction, an answer that cannot be read, a broken table
        print(textwrap.fill(error.args[0], WIDTH), file=sys.stderr)
