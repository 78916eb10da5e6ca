"""Mistakes of Value, each a scalar engine that is wrong in one way."""

from __future__ import annotations

from autograder.diagnosis.engines import OPERATIONS, ORDERS, WRONG_LOCALS, under
from autograder.diagnosis.hypothesis import Mistake


def _flaw(name: str, sentence: str, variant: int = 0) -> Mistake:
    return Mistake(name, sentence, under(name, variant))


LOOK = "Look at how {} passes its gradient on"
REVERSED = r"unsupported operand type\(s\) for \S+ '(int|float)' and '"
VALUE = (
    _flaw(
        "overwritten instead of added",
        "A node that is used twice keeps only one of its two contributions. What should happen to the gradient "
        "that is already there?",
    ),
    _flaw(
        "upstream gradient ignored",
        "Each node passes on its local derivative alone. The gradient that arrives from above is a factor too.",
    ),
    *(
        _flaw(
            "a node visited before all its uses",
            "A node passed its gradient on before all its contributions had arrived. In which order must nodes "
            "be visited?",
            variant,
        )
        for variant in range(len(ORDERS))
    ),
    _flaw(
        "a node visited once per use",
        "A node that is used twice passed its gradient on twice. Each node is visited once a pass.",
    ),
    _flaw(
        "equal numbers taken for one node",
        "Two nodes with equal numbers were treated as one. How does your code tell whether it has met a node?",
    ),
    _flaw(
        "gradients reset by a second backward",
        "After a second backward the leaves hold the gradient of one pass. They should have added it up.",
    ),
    *(
        _flaw(
            "old gradients passed on again",
            "The second pass also passed on what the first had left in the inner nodes.",
            variant,
        )
        for variant in range(2)
    ),
    _flaw(
        "the output's own gradient missing",
        "The output's gradient is 0. How much does the output change per change of itself?",
    ),
    _flaw("2 - x taken as x - 2", "With a number on the left of a minus, the two operands change places."),
    _flaw("2 / x taken as x / 2", "With a number on the left of a division, the two operands change places."),
    _flaw("2 ** x taken as x ** 2", "With a number as the base, the two operands change places."),
    Mistake(
        "no number on the left",
        "Python found no method for a plain number on the left. Which names does it look for then?",
        raises=REVERSED,
    ),
    _flaw("relu's gate forgotten", "`relu` passes the gradient on though its input is below zero."),
    _flaw("relu'(0) taken as 1", "At 0 exactly, this course takes relu's slope as 0, as PyTorch does."),
    _flaw("relu'(0) taken as 1/2", "At 0 exactly the two sides were averaged. This course takes the slope as 0."),
    _flaw(
        "relu: gate of the gradient instead of the input",
        "The gate of relu follows the sign of the gradient that arrives. Which number decides?",
    ),
    _flaw(
        "power: exponent without gradient",
        "The base gets its gradient, but an exponent that is a node gets none.",
    ),
    *(
        _flaw(
            f"{operation}: no gradient for the second operand",
            "The first operand gets its gradient, the second gets nothing.",
        )
        for operation in ("addition", "multiplication", "subtraction", "division")
    ),
    *(
        _flaw(f"{operation}: {what}", f"{LOOK.format(operation)}: {sentence}")
        for what, sentence in (
            ("wrong sign", "its sign is wrong."),
            ("no gradient", "nothing arrives."),
            ("overwritten instead of added", "what was there before is lost."),
            ("upstream gradient ignored", "the gradient that arrives from above is a factor too."),
        )
        for operation in OPERATIONS
    ),
    *(
        _flaw(
            f"{operation}: wrong local derivative",
            f"{LOOK.format(operation)}: its local derivative is not the one that calculus gives.",
            variant,
        )
        for operation, variants in WRONG_LOCALS.items()
        for variant in range(len(variants))
    ),
)
