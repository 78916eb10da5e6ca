"""Ask missed predictions again when they come back, one after the other, and sum up a lesson."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping
from datetime import date
from html import escape

from autograder import record
from autograder.lesson_predictions import WIDTH, session, standing
from autograder.lesson_predictions.answers import read_answer, read_sure
from autograder.lesson_predictions.asking import STATIC, show
from autograder.lesson_predictions.committing import commit, on
from autograder.lesson_predictions.lesson_cells import place_of
from autograder.lesson_predictions.plain_text import place_as_text, question_as_text, reply_as_text
from autograder.lesson_predictions.summary import summary
from autograder.lesson_predictions.table import Prediction, concepts, find, predictions

NOT_KEPT = f"No record is kept here ({record.FOLDER} is off), so no prediction can be summed up or asked again."


def count_due(today: date | None = None) -> int:
    """Return how many missed predictions come back by a day, today if omitted."""
    return len(_due(today))


def review_due(today: date | None = None) -> None:
    """Ask the missed predictions that come back, one after the other.

    Args:
        today: the day by which they come back, today's if omitted.

    Raises:
        LessonsMissingError: if the lessons are not here.
        TaskFolderError: if a table of predictions cannot be used.
    """
    asked = _due(today)
    if not asked:
        print(textwrap.fill(_nothing_due(), WIDTH))
        return
    first = asked[0]
    count = f"{len(asked)} predictions come" if len(asked) > 1 else "1 prediction comes"
    text = f"{count} back today. {place_as_text(first, place_of(first))}\n\n{question_as_text(first, 'review')}"
    if not session.has_kernel():
        print(text)
        return
    try:
        from autograder.lesson_predictions.review_panel import ReviewPanel
    except ImportError:  # no ipywidgets
        print(text)
        return
    show({"text/plain": text, "text/html": f"<pre>{escape(text)}</pre>"}, ReviewPanel(asked))


def answer_again(which: str, answer: object, sure: object, today: date | None = None) -> None:
    """Answer, in a cell or a terminal, a prediction that comes back, and print what is said to it.

    Raises:
        LookupError: if there is no such prediction, or it does not come back yet.
        UnclearAnswerError: if the answer, or how sure, cannot be read.
        TaskFolderError: if a table of predictions cannot be used.
    """
    prediction = find(which)
    if prediction not in _due(today):
        raise LookupError(f"{prediction.name} is not due today. {_nothing_due()}")
    said = reply_as_text(commit(prediction, read_answer(prediction, answer), read_sure(sure), review=True))
    left = len(_due(today))
    print(said if not left else f"{said}\n{left} more today: review()")


def sum_up(lesson: object) -> None:
    """Print how a lesson's predictions went.

    Args:
        lesson: its name or the beginning of it, such as "03".

    Raises:
        LookupError: if there is no such lesson, or no lesson here.
        TaskFolderError: if a table of predictions cannot be used.
    """
    name, asked = _lesson(lesson)
    if os.environ.get(STATIC):
        print("Where this notebook runs, your predictions in this lesson are summed up here.")
        return
    if record.path() is None:
        print(textwrap.fill(NOT_KEPT, WIDTH))
        return
    text = summary(name, asked, concepts(), standing.answered())
    print("\n".join(textwrap.fill(line, WIDTH, subsequent_indent=_indent(line)) for line in text.splitlines()))


def _indent(line: str) -> str:
    return " " * (len(line) - len(line.lstrip()))


def _lesson(asked: object) -> tuple[str, Mapping[str, Prediction]]:
    known = predictions()
    names = dict.fromkeys(one.lesson for one in known.values())
    found = [name for name in names if isinstance(asked, str) and asked and name.startswith(asked)]
    if len(found) != 1:
        shown = repr(asked) if len(repr(asked)) < WIDTH // 2 else "of this name"
        which = "more than one lesson" if found else "no lesson"
        raise LookupError(f"There is {which} {shown}; there are {', '.join(found or names)}.")
    return found[0], {name: one for name, one in known.items() if one.lesson == found[0]}


def _due(today: date | None) -> list[Prediction]:
    known = predictions()
    return [known[name] for name in standing.due(standing.answered(), known, today or date.today())]


def _nothing_due() -> str:
    """Say that nothing comes back, and when the next one does."""
    if record.path() is None:
        return NOT_KEPT
    known = predictions()
    later = [day for name, day in standing.comes_back(standing.answered()).items() if name in known]
    following = f" The next is due on {on(min(later))}." if later else ""
    return f"No prediction is due today.{following}"
