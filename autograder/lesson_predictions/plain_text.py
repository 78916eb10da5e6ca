"""Predictions as plain text, for terminals and editors without buttons."""

from __future__ import annotations

import textwrap

from autograder.lesson_predictions import WIDTH
from autograder.lesson_predictions.answers import SURE, labels, plain
from autograder.lesson_predictions.committing import Reply
from autograder.lesson_predictions.lesson_cells import Place
from autograder.lesson_predictions.table import Prediction

LEVELS = ", ".join(f"{number} {word}" for number, word in SURE.items())


def question_as_text(prediction: Prediction, verb: str = "predict") -> str:
    """Return the question with its choices, and how to answer it in a cell.

    Args:
        prediction: what is asked.
        verb: the function that takes the answer.
    """
    lines = [textwrap.fill(f"Your prediction: {prediction.ask}", WIDTH)]
    for label, choice in zip(labels(prediction), prediction.choices, strict=True):
        marked = choice if label == plain(choice) else f"{label}) {choice}"
        lines.append(textwrap.fill(marked, WIDTH, initial_indent="  ", subsequent_indent="     "))
    lines += [f"Answer with {call(prediction, verb)}", f"sure: {LEVELS}"]
    return "\n".join(lines)


def call(prediction: Prediction, verb: str = "predict") -> str:
    """Return a call that answers a prediction, to copy and change."""
    example = "NUMBER" if prediction.number is not None else f'"{labels(prediction)[0]}"'
    return f'{verb}("{prediction.name}", {example}, sure=2)'


def reply_as_text(reply: Reply) -> str:
    """Return what somebody learns after committing."""
    return "\n".join(textwrap.fill(one, WIDTH) for one in (reply.head, *reply.notes))


def place_as_text(prediction: Prediction, place: Place) -> str:
    """Return what stands around a prediction in its lesson: the text that asks it, and the code below."""
    parts = [where(prediction, place), place.text]
    if place.code_to_read:
        parts += ["The code below it:", textwrap.indent(place.code_to_read, "    ")]
    return "\n\n".join(filter(None, parts))


def where(prediction: Prediction, place: Place) -> str:
    """Return the lesson that a prediction comes from, with the section's heading."""
    section = f", “{place.heading}”" if place.heading else ""
    return f"From lesson {prediction.lesson}{section}"
