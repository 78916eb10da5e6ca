"""Sum up a lesson's predictions: how many you made, how many were right, and whether you knew which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from autograder.lesson_predictions.answers import SURE
from autograder.lesson_predictions.standing import Answered, Tally, counted
from autograder.lesson_predictions.table import Prediction

ENOUGH = 3
"""Answers of one kind from which something follows."""
SHARE = 0.75
"""Fraction of right answers below which certainty is too much, and from which guessing is too little."""


def summary(lesson: str, asked: Mapping[str, Prediction], titles: Mapping[str, str], answers: list[Answered]) -> str:
    """Return a lesson's figures as text.

    Args:
        lesson: its name.
        asked: its predictions.
        titles: of the course's concepts, in order.
        answers: all that were ever given.
    """
    made = counted(answers, asked)
    tally = Tally.of(made)
    if not made:
        return (
            f"Lesson {lesson}: no prediction made yet, of {len(asked)}. Commit to an answer before you run the cell "
            "below it."
        )
    lines = [
        f"Lesson {lesson}: you made {tally.made} of {len(asked)} predictions before their cells ran, and "
        f"{tally.right} {'was' if tally.right == 1 else 'were'} right."
    ]
    if said := certainty(made):
        lines.append(said)
    by_concept = tallies(made, asked)
    named = {titles.get(name, name): by_concept[name] for name in (*titles, *by_concept) if name in by_concept}
    widest = max(map(len, named))
    lines += [f"  {title:{widest}}  {one.right} of {one.made} right" for title, one in named.items()]
    if said := advice(made):
        lines.append(said)
    return "\n".join(lines)


def tallies(made: Iterable[Answered], asked: Mapping[str, Prediction]) -> dict[str, Tally]:
    """Count answers by concept."""
    sorted_out: dict[str, list[Answered]] = {}
    for one in made:
        sorted_out.setdefault(asked[one.which].concept, []).append(one)
    return {concept: Tally.of(answers) for concept, answers in sorted_out.items()}


def certainty(made: list[Answered]) -> str:
    """Say how often which certainty was right: 'When you were certain you were right in 6 of 8; ...'."""
    parts: list[str] = []
    for level in sorted(SURE, reverse=True):
        one = _at(made, level)
        if one.made:
            begin = f"when you were {SURE[level]} you were right" if not parts else f"when {SURE[level]}"
            parts.append(f"{begin}{' in' if not parts else ', in'} {one.right} of {one.made}")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def advice(made: list[Answered]) -> str:
    """Return one sentence where certainty and rightness disagree; empty where they agree or little is known."""
    certain, guessed = _at(made, max(SURE)), _at(made, min(SURE))
    if certain.made >= ENOUGH and certain.right < SHARE * certain.made:
        return (
            "You were certain more often than right: before you commit, say to yourself the rule that gives your "
            "answer, and look for a case that breaks it."
        )
    if guessed.made >= ENOUGH and guessed.right >= SHARE * guessed.made:
        return "What you call guessing is mostly right: you know more of this than you think."
    return ""


def _at(made: list[Answered], level: int) -> Tally:
    return Tally.of(one for one in made if one.sure == level)
