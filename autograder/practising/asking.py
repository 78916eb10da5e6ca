"""`practice()`: find the line that makes one of two programs wrong."""

from __future__ import annotations

import functools
import random
import sys
from datetime import date

from autograder import record
from autograder.choices import Code, MultipleChoice, show
from autograder.practising.choosing import OutOfTimeError, pair_for
from autograder.practising.examples import example_of
from autograder.practising.pairs import Pair
from autograder.practising.plain_programs import Lines
from autograder.surroundings import at_desk

MOST_CHOICES = 6
NOTHING = (
    "practice() takes up mistakes in tasks that you have solved, and none is recorded yet that it could take up: work "
    "on a task and check it until it passes, then call this again."
)
OUT_OF_TIME = (
    "practice() found no two programs within ten seconds. Call it again tomorrow: another mistake comes first."
)
_shown: list[tuple[Pair, MultipleChoice]] = []
"""The pair that was shown last, with its question."""


def practice(answer: str | None = None) -> None:
    """Show a wrong program beside a right one, and ask for the line that is wrong.

    The mistake is one that you once made; which it is, the day's date decides.

    Args:
        answer: a letter, to answer without the widget: practice("b").
    """
    if not at_desk("practice"):
        return
    if answer is None:
        try:
            pair = pair_for(date.today())
        except OutOfTimeError:
            print(OUT_OF_TIME)
            return
        if pair is None:
            print(NOTHING)
            return
        question = question_of(pair, random.Random(f"{date.today()} {pair.task.name} {pair.mistake}"))
        _shown[:] = [(pair, question)]
        show(question, 'practice("{}")', functools.partial(_note, pair, question))
        return
    if not _shown:
        print("practice() asks first, and then takes an answer.", file=sys.stderr)
        return
    pair, question = _shown[0]
    try:
        place = question.place(answer)
    except ValueError as error:
        print(error.args[0], file=sys.stderr)
        return
    _note(pair, question, place)
    print(question.reply(place))


def question_of(pair: Pair, source: random.Random) -> MultipleChoice:
    """Return the question about a pair.

    Args:
        pair: the two programs.
        source: decides which of them comes first, and which other lines stand among the choices.
    """
    wrong_first = source.random() < 0.5
    programs = [pair.wrong, pair.right] if wrong_first else [pair.right, pair.wrong]
    place = programs.index(pair.wrong)
    codes = [Code(f"program {k}", _numbered(lines)) for k, lines in enumerate(programs, 1)]
    prompt = "One of these two programs is wrong, and changing one line of it makes it right. Which line?"
    if (example := example_of(pair.task, pair.wrong, pair.right, source)) is not None:
        call, told = example
        codes.append(Code("a call of both", call.text))
        prompt = f"{told} {prompt}"
    right = place, pair.line
    others = [(k, line) for k, lines in enumerate(programs) for line in _statements(lines) if (k, line) != right]
    source.shuffle(others)
    chosen = sorted([right, *_of_both(others, 1 - place)])
    choices = tuple(f"program {k + 1}, line {line + 1}: {_short(programs[k][line])}" for k, line in chosen)
    because = f"Line {pair.line + 1} of program {place + 1} makes this mistake, {pair.mistake}: {pair.sentence}"
    return MultipleChoice(_title(pair), tuple(codes), prompt, choices, chosen.index(right), because)


def _title(pair: Pair) -> str:
    return f"Practice: two programs for `{pair.task.name}`"


def _of_both(others: list[tuple[int, int]], other: int) -> list[tuple[int, int]]:
    """Return wrong choices, of both programs alike."""
    there = [one for one in others if one[0] == other][: MOST_CHOICES // 2]
    here = [one for one in others if one[0] != other][: MOST_CHOICES - 1 - len(there)]
    return there + here


def _statements(lines: Lines) -> list[int]:
    """Return the lines that can be wrong: none that only imports or names something, unless there is hardly another."""
    empty = ("import ", "from ", "class ", "@", "else:", "try:", "finally:")
    told = [place for place, line in enumerate(lines) if not line.strip().startswith(empty)]
    inner = [place for place in told if not lines[place].strip().startswith("def ")]
    return inner if len(inner) > 1 else told


def _numbered(lines: Lines) -> str:
    return "\n".join(f"{number:>2}  {line}" for number, line in enumerate(lines, 1))


def _short(line: str) -> str:
    text = line.strip()
    return text if len(text) <= 60 else text[:57] + "..."


def _note(pair: Pair, question: MultipleChoice, place: int) -> None:
    record.note("practice", task=pair.task.name, mistake=pair.mistake, right=place == question.right)
