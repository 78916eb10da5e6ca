"""The panel of a review: the predictions that come back, one after the other, each with its place in the lesson."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ipywidgets
from IPython.display import Markdown

from autograder.lesson_predictions.committing import commit
from autograder.lesson_predictions.lesson_cells import Place, place_of
from autograder.lesson_predictions.panel import Panel
from autograder.lesson_predictions.plain_text import where
from autograder.lesson_predictions.table import Prediction


class ReviewPanel:
    """A review's widgets.

    Attributes:
        box: what is shown: the place in the lesson, the panel of the question, and a button for the next.
        panel: of the question that is asked now.
        following: the button for the next question; hidden until this one is answered.
    """

    def __init__(self, asked: Sequence[Prediction]) -> None:
        self._asked, self._number = asked, 0
        self._place = ipywidgets.Output()
        self.following = ipywidgets.Button(description="Next")
        self.following.on_click(lambda _: self._show(self._number + 1))
        self.box = ipywidgets.VBox(layout={"width": "100%"})
        self.panel: Panel
        self._show(0)

    def _show(self, number: int) -> None:
        self._number = number
        prediction = self._asked[number]
        text = _as_markdown(prediction, place_of(prediction), f"{number + 1} of {len(self._asked)}")
        self._place.outputs = ()
        self._place.append_display_data(Markdown(text))

        def commit_again(answer: str | float, sure: int) -> Any:
            return commit(prediction, answer, sure, review=True)

        self.panel = Panel(prediction, commit_again, self._answered)
        self.box.children = (self._place, self.panel.box)

    def _answered(self) -> None:
        if self._number + 1 < len(self._asked):
            self.box.children = (*self.box.children, self.following)


def _as_markdown(prediction: Prediction, place: Place, count: str) -> str:
    """Return the place as Markdown: the cell's own text, then the code, in a fence longer than any that it holds."""
    parts = [f"*{count}. {where(prediction, place)}*", place.text]
    if place.code_to_read:
        fence = "`" * 3
        while fence in place.code_to_read:
            fence += "`"
        parts += ["The code below it:", f"{fence}python\n{place.code_to_read}\n{fence}"]
    return "\n\n".join(filter(None, parts))
