"""The panel that asks a prediction in a notebook: buttons or a field, then how sure you are, which commits to it.

Not radio buttons: JupyterLab takes the arrow keys that choose among them for its own, to go from cell to cell.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets

from autograder.lesson_predictions.answers import SURE, UnclearAnswerError, plain, read_answer
from autograder.lesson_predictions.committing import Reply
from autograder.lesson_predictions.markup import ask_as_html, chosen_as_html, complaint_as_html, reply_as_html
from autograder.lesson_predictions.table import Prediction

CLASS = "autograder-prediction"
STYLE = f"""<style>
.{CLASS} button {{ width: auto; max-width: 46em; height: auto; min-height: 28px; padding: .2em .8em; line-height: 1.5;
  white-space: normal; text-align: left; overflow: visible; }}
.{CLASS} button:focus-visible {{ outline: 2px solid var(--jp-brand-color1, currentColor); outline-offset: 2px; }}
.{CLASS} button:disabled {{ opacity: 1; }}
.{CLASS} .widget-html-content {{ line-height: 1.45; }}
</style>"""
"""ipywidgets gives every button one line of a fixed height, over which a long choice would run at 390 pixels."""
WIDE = {"width": "auto", "max_width": "46em"}
MARKS = ("○", "●")
"""Before a choice, and before the choice that was made."""


class Panel:
    """A prediction's widgets.

    Attributes:
        box: what is shown.
        choices: a button for each choice; empty where the answer is a number.
        field: takes the number; None where there are choices.
        levels: a button for each degree of certainty; pressing one commits to the answer, once.
        result: what was chosen, and what is said after committing.
        reply: what was said; None until then.
    """

    def __init__(
        self,
        prediction: Prediction,
        commit: Callable[[str | float, int], Reply],
        done: Callable[[], None] | None = None,
    ) -> None:
        self._prediction, self._commit, self._done = prediction, commit, done
        self._chosen: str | None = None
        self.reply: Reply | None = None
        self.choices = [ipywidgets.Button() for _ in prediction.choices] if prediction.number is None else []
        self.field = None if self.choices else _field()
        self.levels = [ipywidgets.Button(description=f"I am {word}") for word in SURE.values()]
        self.result = ipywidgets.HTML(layout=WIDE)
        for choice, button in zip(prediction.choices, self.choices, strict=False):
            button.on_click(lambda _, choice=choice: self._choose(choice))
        for sure, button in zip(SURE, self.levels, strict=True):
            button.on_click(lambda _, sure=sure: self._press(sure))
        self._mark()
        answers = [self.field] if self.field is not None else self.choices
        parts = [
            ipywidgets.HTML(STYLE + ask_as_html(prediction), layout=WIDE),
            *answers,
            ipywidgets.HTML("How sure are you? Your answer counts as soon as you say so.", layout=WIDE),
            ipywidgets.HBox(self.levels, layout={"flex_flow": "row wrap"}),
            self.result,
        ]
        self.box = ipywidgets.VBox(parts, layout={"width": "100%"})
        self.box.add_class(CLASS)

    def _choose(self, choice: str) -> None:
        if self.reply is None:
            self._chosen = choice
            self._mark()
            self.result.value = chosen_as_html(choice)

    def _mark(self) -> None:
        for choice, button in zip(self._prediction.choices, self.choices, strict=False):
            button.description = f"{MARKS[choice == self._chosen]} {plain(choice)}"

    def _press(self, sure: int) -> None:
        """Take the answer, once; no button is disabled afterwards, so that the keyboard's focus is not lost."""
        if self.reply is not None:
            return
        try:
            answer = self._answer()
        except UnclearAnswerError as error:
            self.result.value = complaint_as_html(error.args[0])
            return
        self.reply = self._commit(answer, sure)
        if self.field is not None:
            self.field.disabled = True
        for level, button in zip(SURE, self.levels, strict=True):
            button.description = f"{MARKS[level == sure]} I am {SURE[level]}"
        self.result.value = reply_as_html(self.reply)
        if self._done is not None:
            self._done()

    def _answer(self) -> str | float:
        given = self._chosen if self.field is None else self.field.value
        if given in (None, ""):
            raise UnclearAnswerError(
                "Choose an answer, then say how sure you are." if self.field is None else "Write a number."
            )
        return read_answer(self._prediction, given)


def _field() -> Any:
    return ipywidgets.Text(description="A number:", placeholder="0.5 or 1/3", layout={"width": "18em"})
