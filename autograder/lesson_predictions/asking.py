"""Ask a prediction where somebody sits: as a panel, as HTML or as text, whatever can be shown; and take the answer."""

from __future__ import annotations

import os
from typing import Any

from autograder.lesson_predictions import session
from autograder.lesson_predictions.answers import UnclearAnswerError, read_answer, read_sure
from autograder.lesson_predictions.committing import commit
from autograder.lesson_predictions.markup import question_as_html
from autograder.lesson_predictions.plain_text import question_as_text, reply_as_text
from autograder.lesson_predictions.table import Prediction, find

STATIC = "AUTOGRADER_STATIC"
"""Environment variable: set while pages without a kernel are made, on which no button would do anything."""


def ask(which: object) -> None:
    """Show a prediction.

    Raises:
        LookupError: if there is none of this name, or the lessons are not here.
        TaskFolderError: if a table of predictions cannot be used.
    """
    prediction = find(which)
    session.note_shown(prediction)
    text = question_as_text(prediction)
    if not session.has_kernel():
        print(text)
        return
    show({"text/plain": text, "text/html": question_as_html(prediction)}, panel_for(prediction))


def panel_for(prediction: Prediction) -> Any:
    """Make the panel of a prediction; None without ipywidgets, and for a page without a kernel."""
    if os.environ.get(STATIC):
        return None
    try:
        from autograder.lesson_predictions.panel import Panel
    except ImportError:
        return None
    return Panel(
        prediction, lambda answer, sure: commit(prediction, answer, sure, before=session.is_before(prediction))
    )


def show(static: dict[str, str], panel: Any) -> None:
    """Display a panel, with what stands in its place where no kernel or no widgets are."""
    from IPython.display import publish_display_data

    widget = {} if panel is None else panel.box._repr_mimebundle_()
    publish_display_data({**widget, **static})


def commit_answer(which: object, answer: object, sure: object) -> None:
    """Commit to an answer that was written in a cell or a terminal, and print what is said to it.

    Raises:
        LookupError, TaskFolderError: as `ask`.
        UnclearAnswerError: if the answer, or how sure, cannot be read.
    """
    prediction = find(which)
    before = session.is_before(prediction)
    try:
        read, level = read_answer(prediction, answer), read_sure(sure)
    except UnclearAnswerError:
        if before:  # the cell with the misspelt answer is no other cell
            session.note_shown(prediction)
        raise
    print(reply_as_text(commit(prediction, read, level, before=before)))
