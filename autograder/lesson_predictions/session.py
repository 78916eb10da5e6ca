"""The kernel's session: whether a prediction was answered before the cell below it ran."""

from __future__ import annotations

import sys
from typing import Any

from autograder.lesson_predictions.lesson_cells import is_asking, place_of
from autograder.lesson_predictions.table import Prediction

_shown: dict[str, int] = {}
"""How many cells had run when each prediction was shown last, with the cell that showed it."""


def shell() -> Any:
    """Return IPython's shell; None outside IPython."""
    ipython = sys.modules.get("IPython")  # a kernel has loaded it
    return ipython.get_ipython() if ipython is not None else None


def has_kernel() -> bool:
    """Tell whether displays reach a notebook, and not a terminal."""
    return getattr(shell(), "kernel", None) is not None


def note_shown(prediction: Prediction) -> None:
    """Remember where in the session a prediction is shown; IPython's counter may be one ahead while a cell runs."""
    if (running := shell()) is not None:
        _shown[prediction.name] = len(_history(running))


def is_before(prediction: Prediction) -> bool:
    """Tell whether the cell below has not run in this session, and since the question only cells above it have."""
    running = shell()
    if running is None:
        return True
    place = place_of(prediction)
    history = _history(running)
    if place.code.strip() in filter(None, history):
        return False
    shown = _shown.get(prediction.name)
    since = [] if shown is None else history[shown:]
    return all(source in place.code_above or is_asking(source) for source in since)


def _history(running: Any) -> list[str]:
    """Return the sources of the cells that ran, the running one last; an empty one stands before the first."""
    return [source.strip() for source in getattr(running.history_manager, "input_hist_raw", [])]
