"""What is said of a check's wrong answers: what is wrong with one, and what is special about it if it has no name."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import NamedTuple

from autograder.checks import questions
from autograder.checks.contrasting import Contrasts
from autograder.checks.looked_at import what_differs
from autograder.checks.task import Case, Task
from autograder.comparison import Difference
from autograder.contrasts.lacking import is_regularity
from autograder.diagnosis.explaining import Judged
from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.structures import numbers_of

MANY = 3
"""Right answers of a check beside which a single wrong one is an exception."""


class Wrong(NamedTuple):
    """A wrong answer.

    Attributes:
        case: the question.
        judged: the answer beside the right one.
        difference: the first place where they differ.
        shows: the mistake that other observations show by themselves, or None.
        nan_began: the backward node behind which nan was first seen, as the sandbox tells it.
    """

    case: Case
    judged: Judged
    difference: Difference
    shows: Mistake | None
    nan_began: object


class WrongAnswers:
    """Says what is wrong with the answers of a check."""

    def __init__(
        self, task: Task, judged: list[Judged], contrasts: Contrasts, others: Callable[[], list[Judged]]
    ) -> None:
        """
        Args:
            task: the check's task.
            judged: all answers of the check.
            contrasts: what separates its wrong answers from its right ones.
            others: returns the answered questions of the task's other checks.
        """
        self._task, self._judged, self._contrasts, self._others = task, judged, contrasts, others

    def sentence(self, one: Wrong) -> str:
        """Say what is wrong with an answer, as it is shown: after a program, of a call, or of a secret question."""
        case, difference = one.case, one.difference
        if case.secret:
            sentence = (
                "All public questions of this check are answered correctly; some, drawn for this submission, are not."
            )
        elif (program := questions.program_of(case)) is not None:
            what = what_differs(difference, program.shown, one.judged.expected, one.judged.got, self._task.says)
            sentence = f"After the program below, {what}."
        else:
            sentence = f"{questions.shown(self._task.target, case)[:-1]}{difference.place}` {difference.problem}."
        began = one.nan_began
        if isinstance(began, str) and re.fullmatch(r"\w{1,60}", began) and not _is_nan_before(one.judged):
            sentence += f" nan is first seen in what {began} passes on."
        return sentence

    def located(self, one: Wrong) -> str:
        """Say what is special about a question whose wrong answer has no name, and how many are answered rightly."""
        right, asked = sum(one.is_right for one in self._judged), len(self._judged)
        contrasts, counted = self._contrasts, self.counted()
        found = contrasts.related(one.judged)
        if not found or is_regularity(found):  # says nothing of the number itself
            found += contrasts.near(one.judged)
        if (not found or is_regularity(found)) and (separated := contrasts.separated()):
            return found + separated
        if found:
            return found + counted
        # What the only wrong question of many is about may be what its answer lacks.
        about = one.case.about
        if about and right == asked - 1 and (right >= MANY or all(one.is_right for one in self._others())):
            others = f"other {right} questions of this check are" if right > 1 else "other question of this check is"
            return f" The {others} answered correctly; this one is about: {about}."
        return counted

    def counted(self) -> str:
        """Say how many questions of the check are answered rightly; empty if none is."""
        right = sum(one.is_right for one in self._judged)
        answered = f"{'is' if right == 1 else 'are'} answered correctly"
        return f" {right} of the {len(self._judged)} questions of this check {answered}." if right else ""


def _is_nan_before(one: Judged) -> bool:
    """Return whether values that no backward pass made are nan, where a program shows `.grad` beside them."""
    seen = one.got if isinstance(one.got, dict) else {}
    values = [value for key, value in seen.items() if not str(key).endswith(".grad")]
    return len(values) < len(seen) and any(map(math.isnan, numbers_of(values)))
