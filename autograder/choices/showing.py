"""Show questions: as a widget where a kernel has a front end, as text where it has none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from autograder.choices.multiple_choice import MultipleChoice

WIDGET = "application/vnd.jupyter.widget-view+json"
Answered = Callable[[int], None]
"""Called once, with the index of the choice that was made."""


def show(question: MultipleChoice, how: str, answered: Answered) -> None:
    """Show a question.

    Args:
        question: the question.
        how: the call that answers it as text, with {} for the letter.
        answered: called with what is chosen in the widget; a text answer does not come this way.
    """
    text = question.as_text(how)
    if not _has_front_end():
        print(text)
        return
    from IPython.display import publish_display_data

    from autograder.choices.widget import widget

    view = {"version_major": 2, "version_minor": 0, "model_id": widget(question, answered).model_id}
    publish_display_data({WIDGET: view, "text/plain": text})


def _has_front_end() -> bool:
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None
