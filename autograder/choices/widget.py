"""A question as a widget: native radio buttons, a button, and a reply that a screen reader announces."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import ipywidgets

from autograder.choices.multiple_choice import MultipleChoice
from autograder.marked_text import RIGHT, WRONG, mark, with_code

CARD = "max-width:46em;font-size:14px;line-height:1.45;color:inherit"
PRE = (
    "color:inherit;background:rgba(128,128,128,.12);border-radius:4px;padding:.4em .6em;margin:.2em 0 .6em;"
    "overflow-x:auto;white-space:pre"
)
SIDE_BY_SIDE = "display:flex;flex-wrap:wrap;gap:0 1em"
"""Two programs beside each other, below each other where there is no room."""
COLUMN = "flex:1 1 20em;min-width:0"


def widget(question: MultipleChoice, answered: Callable[[int], None]) -> Any:
    """Make the widget of a question; `answered` is called once, with the index of what was chosen."""
    picked = ipywidgets.RadioButtons(
        options=[(_option(letter, choice), place) for place, (letter, choice) in _lettered(question)],
        index=None,
        layout=ipywidgets.Layout(width="auto"),
    )
    button = ipywidgets.Button(description="Answer", disabled=True)
    reply = ipywidgets.HTML('<div role="status"></div>')

    def ready(_: Any) -> None:
        button.disabled = picked.index is None

    def answer(_: Any) -> None:
        if picked.disabled or picked.index is None:
            return
        picked.disabled = button.disabled = True
        right = picked.index == question.right
        said = mark("right", RIGHT) if right else mark("not this", WRONG)
        said += f" {with_code(question.reply(picked.index))}"
        reply.value = f'<div role="status" style="{CARD}">{said}</div>'
        answered(picked.index)

    picked.observe(ready, "index")
    button.on_click(answer)
    return ipywidgets.VBox([ipywidgets.HTML(_html(question)), picked, button, reply])


def _html(question: MultipleChoice) -> str:
    """Return all that stands above the choices; every text is escaped, because it may be a student's."""
    codes = "".join(
        f'<div style="{COLUMN}"><div>{with_code(code.title)}:</div>'
        f'<pre tabindex="0" aria-label="{escape(code.title)}" style="{PRE}">{escape(code.text)}</pre></div>'
        for code in question.codes
    )
    long = "".join(
        f'<div style="{COLUMN}"><div>{letter}</div><pre tabindex="0" aria-label="choice {letter}" style="{PRE}">'
        f"{escape(choice)}</pre></div>"
        for _, (letter, choice) in _lettered(question)
        if "\n" in choice
    )
    head = f'<h4 style="margin:0;font-size:1em;font-weight:bold">{with_code(question.title)}</h4>'
    columns = f'<div style="{SIDE_BY_SIDE}">{{}}</div>'
    prompt = f"<div><strong>{with_code(question.prompt)}</strong></div>"
    below = columns.format(long) if long else ""
    # Keeps MathJax from typesetting dollar signs in a student's text.
    return f'<div class="tex2jax_ignore" style="{CARD}">{head}{columns.format(codes)}{prompt}{below}</div>'


def _lettered(question: MultipleChoice) -> list[tuple[int, tuple[str, str]]]:
    return list(enumerate(zip(question.letters, question.choices, strict=True)))


def _option(letter: str, choice: str) -> str:
    """Return a radio button's label; a choice of several lines stands above, under its letter."""
    return letter if "\n" in choice else f"{letter}: {choice}"
