"""Commit to a prediction: judge the answer, note it in the student's record, and say what is known about it now."""

from __future__ import annotations

import dataclasses
from datetime import date

from autograder import record
from autograder.lesson_predictions import standing
from autograder.lesson_predictions.answers import SURE, is_right, right_answer, shown
from autograder.lesson_predictions.standing import Answered
from autograder.lesson_predictions.table import Prediction

RIGHT, WRONG = "Right", "Not right"


@dataclasses.dataclass(frozen=True)
class Reply:
    """What somebody learns after committing.

    Attributes:
        right: whether the answer is right.
        head: whether it is right, what was answered and how sure.
        notes: further sentences: the answer, why, what counts. What stands in backticks is code.
    """

    right: bool
    head: str
    notes: tuple[str, ...]


def commit(
    prediction: Prediction, answer: str | float, sure: int | None, *, before: bool = True, review: bool = False
) -> Reply:
    """Note an answer and return what to say about it.

    Args:
        prediction: what was asked.
        answer: as `read_answer` returns it.
        sure: as `read_sure` returns it.
        before: whether the cell below has not run yet.
        review: whether it was asked again, after a miss.
    """
    right = is_right(prediction, answer)
    earlier = None if review else standing.first_answers(standing.answered()).get(prediction.name)
    record.note(
        standing.KIND, which=prediction.name, answer=answer, right=right, sure=sure, before=before, review=review
    )
    word = RIGHT if right else WRONG
    how = f", {SURE[sure]}" if sure is not None else ""
    head = f"{word}. You answered {_code(prediction, shown(answer))}{how}."
    notes = [] if right else [f"The answer is {_code(prediction, right_answer(prediction))}."]
    notes.append(prediction.why)
    if review:
        notes.append(_next_time(prediction))
    elif earlier is not None:
        counts = (
            "The first answer counts." if earlier.before else "That was after a cell below had run; neither counts."
        )
        notes.append(f"{_said_before(prediction, earlier)} {counts}")
    elif not before:
        notes.append("You answered after a cell below had run, so this does not count in your figures.")
    return Reply(right, head, tuple(filter(None, notes)))


def _said_before(prediction: Prediction, earlier: Answered) -> str:
    sure = f", {SURE[earlier.sure]}" if earlier.sure in SURE else ""
    word = "right" if earlier.right else "not right"
    return f"On {on(earlier.day)} you answered {_code(prediction, shown(earlier.answer))}{sure}: {word}."


def _next_time(prediction: Prediction) -> str:
    if record.path() is None:
        return ""
    day = standing.comes_back(standing.answered()).get(prediction.name)
    return "It will not be asked again: you know it now." if day is None else f"It will be asked again on {on(day)}."


def on(day: date) -> str:
    """Return a day as '3 November'."""
    return f"{day.day} {day:%B}"


def _code(prediction: Prediction, answer: str) -> str:
    """Quote a number as code; a choice brings its own backticks, and needs quotation marks without them."""
    if prediction.number is not None or "`" in answer:
        return f"`{answer}`" if prediction.number is not None else answer
    return f"“{answer}”"
