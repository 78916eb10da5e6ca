"""A question as a widget: its choices, a button for each, and a reply that a screen reader announces.

Not radio buttons: JupyterLab takes the arrow keys that choose among them for its own, to go from cell to cell.
"""

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
    buttons = [
        ipywidgets.Button(description=f"Answer {letter}", tooltip=choice, layout=ipywidgets.Layout(width="auto"))
        for _, (letter, choice) in _lettered(question)
    ]
    reply = ipywidgets.HTML('<div role="status"></div>')

    def answer(place: int) -> None:
        if buttons[place].disabled:
            return
        for button in buttons:
            button.disabled = True
        right = place == question.right
        said = mark("right", RIGHT) if right else mark("not this", WRONG)
        reply.value = f'<div role="status" style="{CARD}">{said} {with_code(question.reply(place))}</div>'
        answered(place)

    for place, button in enumerate(buttons):
        button.on_click(lambda _, place=place: answer(place))
    row = ipywidgets.HBox(buttons, layout=ipywidgets.Layout(flex_flow="row wrap"))
    return ipywidgets.VBox([ipywidgets.HTML(_html(question)), row, reply])


def _html(question: MultipleChoice) -> str:
    """Return all that stands above the buttons; every text is escaped, because it may be a student's."""
    codes = "".join(_column(code.title, code.text, code.title) for code in question.codes)
    head = f'<h4 style="margin:0;font-size:1em;font-weight:bold">{with_code(question.title)}</h4>'
    prompt = f"<div><strong>{with_code(question.prompt)}</strong></div>"
    # Keeps MathJax from typesetting dollar signs in a student's text.
    return (
        f'<div class="tex2jax_ignore" style="{CARD}">{head}<div style="{SIDE_BY_SIDE}">{codes}</div>{prompt}'
        f"{_choices(question)}</div>"
    )


def _choices(question: MultipleChoice) -> str:
    if any("\n" in choice for choice in question.choices):
        columns = (_column(letter, choice, f"choice {letter}") for _, (letter, choice) in _lettered(question))
        return f'<div style="{SIDE_BY_SIDE}">{"".join(columns)}</div>'
    rows = (f"<li>{letter}: <code>{escape(choice)}</code></li>" for _, (letter, choice) in _lettered(question))
    # Some screen readers do not announce a list without bullets unless it has the role of one.
    return f'<ul role="list" style="list-style:none;margin:.3em 0;padding:0">{"".join(rows)}</ul>'


def _column(title: str, text: str, name: str) -> str:
    """Return a block of code under a title; a long line scrolls, by keyboard too."""
    return (
        f'<div style="{COLUMN}"><div>{with_code(title)}:</div><pre tabindex="0" role="region" '
        f'aria-label="{escape(name)}" style="{PRE}">{escape(text)}</pre></div>'
    )


def _lettered(question: MultipleChoice) -> list[tuple[int, tuple[str, str]]]:
    return list(enumerate(zip(question.letters, question.choices, strict=True)))
