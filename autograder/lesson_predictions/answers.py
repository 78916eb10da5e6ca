"""Read what was answered to a prediction: a letter, the text of a choice, or a number."""

from __future__ import annotations

import contextlib
import math
import string

from autograder.lesson_predictions.table import Prediction

SURE = {1: "guessing", 2: "fairly sure", 3: "certain"}
"""How sure somebody is, by the number that is recorded."""
CLOSE = 1e-6
"""Relative difference at which a number is still the right one: 0.333333 for a third."""
SHOWN = 40
"""Characters of an answer that cannot be read in the message about it."""


class UnclearAnswerError(ValueError):
    """An answer cannot be read; the message says in a sentence what to write."""


def labels(prediction: Prediction) -> tuple[str, ...]:
    """Return the letters of the choices; their texts, if a letter is itself one of them and could mean either."""
    texts = tuple(plain(choice) for choice in prediction.choices)
    letters = tuple(string.ascii_lowercase[: len(texts)])
    return texts if set(letters) & {text.lower() for text in texts} else letters


def read_answer(prediction: Prediction, given: object) -> str | float:
    """Return the choice or the number that is meant.

    Raises:
        UnclearAnswerError: if it is neither.
    """
    if prediction.number is not None:
        return read_number(given)
    texts = [plain(choice) for choice in prediction.choices]
    said = plain(str(given))
    if said in texts:
        return prediction.choices[texts.index(said)]
    with contextlib.suppress(UnclearAnswerError):
        for choice, text in zip(prediction.choices, texts, strict=True):
            with contextlib.suppress(ValueError):
                if float(text) == read_number(given):
                    return choice
    known = labels(prediction)
    if said.lower() in known:
        return prediction.choices[known.index(said.lower())]
    raise UnclearAnswerError(f"{_short(given)} is not one of the choices: write {one_of(known)}, in quotes.")


def read_number(given: object) -> float:
    """Return a finite number that was given as such, or as text: "0.5", "1/3".

    Raises:
        UnclearAnswerError: if it is not one.
    """
    above, slash, below = given.partition("/") if isinstance(given, str) else (given, "", "")
    try:
        number = float(above) / float(below) if slash else float(above)  # type: ignore[arg-type]
    except (ValueError, TypeError, ArithmeticError):
        number = math.nan
    if not math.isfinite(number):  # JSON, the record's form, has no infinity
        raise UnclearAnswerError(f"{_short(given)} is not a number: write one such as 0.5 or 1/3.")
    return number


def read_sure(given: object) -> int | None:
    """Return how sure somebody is, None if that was left open.

    Raises:
        UnclearAnswerError: if it is none of the three numbers.
    """
    if given is None or (isinstance(given, int) and not isinstance(given, bool) and given in SURE):
        return given
    listed = ", ".join(f"{number} for {word}" for number, word in SURE.items())
    raise UnclearAnswerError(f"{_short(given)} does not say how sure you are: write {listed}.")


def is_right(prediction: Prediction, answer: str | float) -> bool:
    """Tell whether an answer, as `read_answer` returns it, is right."""
    if prediction.number is None:
        return answer == prediction.answer
    return isinstance(answer, float) and math.isclose(
        answer, prediction.number, rel_tol=CLOSE, abs_tol=max(prediction.within, CLOSE**2)
    )


def right_answer(prediction: Prediction) -> str:
    """Return the right answer as it is shown."""
    return prediction.answer if prediction.number is None else shown(prediction.number)


def shown(answer: str | float) -> str:
    """Return an answer as it is shown: a choice as it is written, a number without a needless .0."""
    return answer if isinstance(answer, str) else f"{answer:.10g}"


def plain(choice: str) -> str:
    """Return a choice's text without the backticks around its code."""
    return choice.replace("`", "").strip()


def one_of(words: tuple[str, ...]) -> str:
    """Join words as 'a, b or c'."""
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _short(given: object) -> str:
    text = repr(given)
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."
