"""The kernel's session: whether a prediction was answered before the cell below it ran."""

from __future__ import annotations

import sys
from typing import Any

from autograder.lesson_predictions.lesson_cells import place_of
from autograder.lesson_predictions.table import Prediction

_shown: dict[str, int] = {}
"""In which execution each prediction was shown last."""


def shell() -> Any:
    """Return IPython's shell; None outside IPython."""
    ipython = sys.modules.get("IPython")  # a kernel has loaded it
    return ipython.get_ipython() if ipython is not None else None


def has_kernel() -> bool:
    """Tell whether displays reach a notebook, and not a terminal."""
    return getattr(shell(), "kernel", None) is not None


def note_shown(prediction: Prediction) -> None:
    """Remember the execution in which a prediction is shown."""
    if (running := shell()) is not None:
        _shown[prediction.name] = running.execution_count


def is_before(prediction: Prediction) -> bool:
    """Tell whether no other cell has run since the prediction was shown, and the cell below not in this session."""
    running = shell()
    if running is None:
        return True
    shown = _shown.get(prediction.name)
    # The count goes up by one when the cell that shows it ends; a cell that then answers in code has this number.
    if shown is not None and running.execution_count > shown + 1:
        return False
    code = place_of(prediction).code.strip()
    history = getattr(running.history_manager, "input_hist_raw", [])
    return not code or all(code != source.strip() for source in history)
