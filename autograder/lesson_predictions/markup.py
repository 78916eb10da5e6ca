"""Predictions as HTML: for a page without a kernel, such as the book, and for the parts of the panel in JupyterLab.

Everything is escaped.
"""

from __future__ import annotations

from autograder.lesson_predictions.answers import labels, plain, right_answer
from autograder.lesson_predictions.committing import Reply
from autograder.lesson_predictions.plain_text import LEVELS, call
from autograder.lesson_predictions.table import Prediction
from autograder.marked_text import ASKED, RIGHT, WRONG, mark, with_code

BOX = "border-left:4px solid {colour};padding:.2em .8em;margin:.3em 0;max-width:46em;font-size:14px;line-height:1.45"


def question_as_html(prediction: Prediction) -> str:
    """Return the whole prediction for a page without a kernel: question, choices, and the answer folded."""
    answer = f"<p>{with_code(_as_code(prediction))}. {with_code(prediction.why)}</p>"
    fold = f'<details><summary style="cursor:pointer">The answer</summary>{answer}</details>'
    how = f"Where this notebook runs without buttons, answer with `{call(prediction)}`; sure is {LEVELS}."
    parts = [
        f"<div>{_ask(prediction)}</div>",
        _choices(prediction),
        fold,
        f"<div><small>{with_code(how)}</small></div>",
    ]
    return _box(ASKED, "".join(parts))


def ask_as_html(prediction: Prediction) -> str:
    """Return the question alone, to stand above its buttons."""
    return _box(ASKED, _ask(prediction))


def chosen_as_html(choice: str) -> str:
    """Return which choice was made, and can still be changed; a screen reader announces it."""
    return f'<div role="status">You chose: {with_code(choice)}</div>'


def reply_as_html(reply: Reply) -> str:
    """Return what you learn after committing; a screen reader announces it."""
    word, _, rest = reply.head.partition(". ")
    said, colour = (f"✓ {word}", RIGHT) if reply.right else (f"✗ {word}", WRONG)
    notes = "".join(f"<div>{with_code(one)}</div>" for one in reply.notes)
    return f'<div role="alert">{_box(colour, f"<div>{mark(said, colour)} {with_code(rest)}</div>{notes}")}</div>'


def complaint_as_html(sentence: str) -> str:
    """Return why an answer was not taken yet; a screen reader announces it."""
    return f'<div role="alert">{_box(WRONG, with_code(sentence))}</div>'


def _ask(prediction: Prediction) -> str:
    return f"<strong>Your prediction:</strong> {with_code(prediction.ask)}"


def _choices(prediction: Prediction) -> str:
    if not prediction.choices:
        return ""
    lettered = labels(prediction) != tuple(map(plain, prediction.choices))
    listed = "".join(f"<li>{with_code(one)}</li>" for one in prediction.choices)
    return f'<ol type="a">{listed}</ol>' if lettered else f"<ul>{listed}</ul>"


def _as_code(prediction: Prediction) -> str:
    answer = right_answer(prediction)
    return f"`{answer}`" if prediction.number is not None else answer


def _box(colour: str, content: str) -> str:
    # The class keeps MathJax from typesetting dollar signs.
    return f'<div class="tex2jax_ignore" style="{BOX.format(colour=colour)}">{content}</div>'
