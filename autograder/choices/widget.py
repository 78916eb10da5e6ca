"""A question as a widget: native radio buttons, a button, and a reply that a screen reader announces."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import ipywidgets

from autograder.choices.multiple_choice import MultipleChoice

CARD = "max-width:46em;font-size:14px;line-height:1.45;color:inherit"
PRE = (
    "color:inherit;background:rgba(128,128,128,.12);border-radius:4px;padding:.4em .6em;margin:.2em 0 .6em;"
    "overflow-x:auto;white-space:pre"
)
SIDE_BY_SIDE = "display:flex;flex-wrap:wrap;gap:0 1em"
"""Two programs beside each other, below each other where there is no room."""
COLUMN = "flex:1 1 20em;min-width:0"
MARK = "background:{};color:#ffffff;border-radius:3px;padding:0 .4em"
RIGHT, WRONG = "#2e7d6b", "#ba4c44"


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
        mark = f'<span style="{MARK.format(RIGHT if right else WRONG)}">{"right" if right else "not this"}</span>'
        said = escape(question.reply(picked.index))
        reply.value = f'<div role="status" style="{CARD}">{mark} {_code(said)}</div>'
        answered(picked.index)

    picked.observe(ready, "index")
    button.on_click(answer)
    return ipywidgets.VBox([ipywidgets.HTML(_html(question)), picked, button, reply])


def _html(question: MultipleChoice) -> str:
    """Return all that stands above the choices; every text is escaped, because it may be a student's."""
    codes = "".join(
        f'<div style="{COLUMN}"><div>{_code(escape(code.title))}:</div>'
        f'<pre tabindex="0" aria-label="{escape(code.title)}" style="{PRE}">{escape(code.text)}</pre></div>'
        for code in question.codes
    )
    long = "".join(
        f'<div style="{COLUMN}"><div>{letter}</div><pre tabindex="0" aria-label="choice {letter}" style="{PRE}">'
        f"{escape(choice)}</pre></div>"
        for _, (letter, choice) in _lettered(question)
        if "\n" in choice
    )
    head = f'<h4 style="margin:0;font-size:1em;font-weight:bold">{_code(escape(question.title))}</h4>'
    columns = f'<div style="{SIDE_BY_SIDE}">{{}}</div>'
    prompt = f"<div><strong>{_code(escape(question.prompt))}</strong></div>"
    below = columns.format(long) if long else ""
    # Keeps MathJax from typesetting dollar signs in a student's text.
    return f'<div class="tex2jax_ignore" style="{CARD}">{head}{columns.format(codes)}{prompt}{below}</div>'


def _lettered(question: MultipleChoice) -> list[tuple[int, tuple[str, str]]]:
    return list(enumerate(zip(question.letters, question.choices, strict=True)))


def _option(letter: str, choice: str) -> str:
    """Return a radio button's label; a choice of several lines stands above, under its letter."""
    return letter if "\n" in choice else f"{letter}: {choice}"


def _code(text: str) -> str:
    """Set what stands between backticks in an escaped text as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return text
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))
