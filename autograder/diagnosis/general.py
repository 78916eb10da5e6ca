"""General mistakes, which can occur in every task.

Each is a change to the right answer, applied to the observations that are wrong: a sign, a factor, a transpose.
A task's own mistakes are tried first.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from autograder.comparison import agree
from autograder.diagnosis import absences, arrangements, number_changes
from autograder.diagnosis.hypothesis import CONFIRMED
from autograder.diagnosis.structures import is_shown


@dataclasses.dataclass(frozen=True)
class GeneralMistake:
    """A mistake as a change to the right answer.

    Attributes:
        name: a few words.
        sentence: for the student.
        change: from (expected, got) to what the answer would be, CONFIRMED if got itself shows the mistake, or None
            if the mistake does not apply.
        of_programs: whether it applies only to what a program showed.
        least: how many right numbers that differ in size must have been answered wrongly for it not to be chance.
    """

    name: str
    sentence: str
    change: Callable[[Any, Any], Any]
    of_programs: bool = False
    least: int = 0

    def predict(self, inputs: tuple[Any, ...], expected: Any, got: Any) -> Any:
        """Return the answer under this mistake: `change` applied where the answer is wrong, right elsewhere."""
        if not is_shown(inputs, expected, got):
            return None if self.of_programs else self.change(expected, got)
        wrong = {key: value for key, value in expected.items() if not agree(got.get(key), value)}
        changed = self.change(wrong, {key: value for key, value in got.items() if key in wrong or key not in expected})
        return changed if changed is None or changed is CONFIRMED else expected | changed


GENERAL = (
    GeneralMistake(
        "not a number",
        "The answer contains nan. It comes from 0 / 0, 0 times infinity, infinity / infinity, infinity - infinity, or "
        "the root or logarithm of a negative number. Print the values on the way, those of the backward pass too, to "
        "see where nan begins.",
        number_changes.not_a_number,
    ),
    GeneralMistake(
        "retained too late",
        "The tensor keeps gradients that arrive after `retain_grad()`, and none has arrived. Was it called before the "
        "backward pass, and does the pass go through this tensor? {read too late}",
        absences.retained_too_late,
        of_programs=True,
    ),
    GeneralMistake(
        "never retained",
        "An inner tensor's `.grad` is None unless `retain_grad()`, or a hook that stores it, was there before the "
        "backward pass. {read retaining}",
        absences.never_retained,
        of_programs=True,
    ),
    GeneralMistake(
        "attached where data was wanted",
        "The numbers are right, and the result still carries its graph. The task asks for it detached.",
        absences.attached,
        of_programs=True,
    ),
    GeneralMistake(
        "detached",
        "The numbers are right, and nothing leads back from them: somewhere the result was cut off its graph.",
        absences.detached,
        of_programs=True,
    ),
    GeneralMistake(
        "None instead of a gradient",
        "There is None where a gradient should be: it was not asked for or not stored, was cleared again, or no path "
        "leads there.",
        absences.none_instead,
    ),
    GeneralMistake(
        "left in a tuple",
        "The right tensor sits inside a tuple of one. `torch.autograd.grad` returns a tuple, for one input too.",
        arrangements.left_in_a_tuple,
    ),
    GeneralMistake(
        "sign",
        "Every wrong number has the right size and the wrong sign. Look for a minus that is missing or one too many.",
        number_changes.sign,
    ),
    GeneralMistake(
        "under another name",
        "The numbers are right, but in each other's places. Check which answer belongs where.",
        arrangements.in_another_place,
    ),
    GeneralMistake(
        "always zero",
        "Every wrong number of this check is 0. Which line of yours should have computed these numbers? Print what it "
        "makes of the program's inputs.",
        number_changes.zero,
    ),
    GeneralMistake(
        "one result repeated",
        "All entries are the same, and equal to the last. Did each keep its own numbers, or do all name one tensor?",
        arrangements.last_repeated,
    ),
    GeneralMistake(
        "added up from entry to entry",
        "The first entry is right, and each later one holds the sum of all before it as well. What was carried over "
        "from one to the next: a gradient that was still stored, or a sum of outputs? {read accumulation}",
        arrangements.accumulated,
    ),
    GeneralMistake(
        "transposed",
        "Rows and columns have changed places. Which axis counts outputs, and which inputs?",
        arrangements.transposed,
    ),
    GeneralMistake(
        "summed over an axis",
        "An axis was summed away that should be there. A vector-Jacobian product with ones adds up the rows.",
        arrangements.summed,
    ),
    GeneralMistake(
        "averaged over an axis",
        "An axis was averaged away that should be there.",
        arrangements.averaged,
    ),
    GeneralMistake(
        "another shape",
        "The numbers are right and in order, but the tensor has the wrong shape.",
        arrangements.another_shape,
    ),
    GeneralMistake(
        "another dtype",
        "The numbers are right, but in the wrong dtype. Which tensor's dtype should the result have?",
        arrangements.another_dtype,
    ),
    GeneralMistake(
        "a constant factor",
        "Every wrong number is the right one times a whole number. What is counted so many times, or "
        "multiplied in once too often?",
        number_changes.multiplied,
        least=2,
    ),
    GeneralMistake(
        "a constant factor",
        "Every wrong number is the right one divided by a whole number. What was averaged, counted too "
        "seldom, or not multiplied in?",
        number_changes.divided,
        least=2,
    ),
    GeneralMistake(
        "absolute value",
        "The sizes are right, the signs are lost. Where was the absolute value taken?",
        number_changes.absolute,
    ),
)
