"""The panel that asks a prediction in a notebook: radio buttons or a field, how sure you are, and a button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets

from autograder.lesson_predictions.answers import SURE, UnclearAnswerError, plain, read_answer
from autograder.lesson_predictions.committing import Reply
from autograder.lesson_predictions.markup import ask_as_html, complaint_as_html, reply_as_html
from autograder.lesson_predictions.table import Prediction

CLASS = "autograder-prediction"
STYLE = f"""<style>
.{CLASS} .widget-radio-box label {{ height: auto; line-height: 1.5; white-space: normal; margin: 0 1.2em 0 0; }}
.{CLASS} .widget-radio-box input {{ height: 1.5em; }}
.{CLASS} .widget-radio-box-horizontal {{ flex-wrap: wrap; }}
.{CLASS} .widget-radio-box input:focus-visible, .{CLASS} button:focus-visible {{
  outline: 2px solid var(--jp-brand-color1, currentColor); outline-offset: 2px; }}
.{CLASS} .widget-html-content {{ line-height: 1.45; }}
</style>"""
"""ipywidgets gives every choice one line of a fixed height, over which a long one would run at 390 pixels."""
WIDE = {"width": "auto", "max_width": "46em"}


class Panel:
    """A prediction's widgets.

    Attributes:
        box: what is shown.
        choice: the radio buttons or the field of the answer.
        sure: the radio buttons of how sure one is.
        button: commits to the answer, once.
        result: what is said after pressing it.
        reply: what was said; None until then.
    """

    def __init__(
        self,
        prediction: Prediction,
        commit: Callable[[str | float, int], Reply],
        done: Callable[[], None] | None = None,
    ) -> None:
        self._prediction, self._commit, self._done = prediction, commit, done
        self.reply: Reply | None = None
        self.choice = _choice(prediction)
        # Each says all of it, since ipywidgets gives a group of radio buttons no name that a screen reader would say.
        levels = [(f"I am {word}", number) for number, word in SURE.items()]
        self.sure = ipywidgets.RadioButtons(options=levels, value=None, orientation="horizontal", layout=WIDE)
        self.button = ipywidgets.Button(description="Commit", tooltip="Commit to this answer")
        self.result = ipywidgets.HTML(layout=WIDE)
        self.button.on_click(self._press)
        parts = [
            ipywidgets.HTML(STYLE + ask_as_html(prediction), layout=WIDE),
            *(self.choice, ipywidgets.HTML("How sure are you?", layout=WIDE), self.sure, self.button, self.result),
        ]
        self.box = ipywidgets.VBox(parts, layout={"width": "100%"})
        self.box.add_class(CLASS)

    def _press(self, _: Any) -> None:
        """Take the answer, once; the button stays enabled afterwards, so that the keyboard's focus is not lost."""
        if self.reply is not None:
            return
        try:
            answer = self._answer()
        except UnclearAnswerError as error:
            self.result.value = complaint_as_html(error.args[0])
            return
        self.reply = self._commit(answer, self.sure.value)
        self.choice.disabled = self.sure.disabled = True
        self.button.description, self.button.tooltip = "Committed", "Run the cell again to answer again"
        self.result.value = reply_as_html(self.reply)
        if self._done is not None:
            self._done()

    def _answer(self) -> str | float:
        if self.choice.value in (None, ""):
            raise UnclearAnswerError(
                "Choose an answer, then commit." if self._prediction.choices else "Write a number."
            )
        answer = read_answer(self._prediction, self.choice.value)
        if self.sure.value is None:
            raise UnclearAnswerError("Say how sure you are, then commit.")
        return answer


def _choice(prediction: Prediction) -> Any:
    if prediction.number is None:
        options = [(plain(choice), choice) for choice in prediction.choices]
        return ipywidgets.RadioButtons(options=options, value=None, layout=WIDE)
    return ipywidgets.Text(description="A number:", placeholder="0.5 or 1/3", layout={"width": "18em"})
