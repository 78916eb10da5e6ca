"""Named mistakes in scalar engines, which several tasks know; `wrong_engines` predicts them."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.diagnosis import Mistake

from .wrong_engines import ORDERS, WRONG_LOCALS, flawed


def flaw(name: str, sentence: str, variants: int = 1) -> Iterator[Mistake]:
    """The mistake once for each variant of the engine that makes it."""
    return (Mistake(name, sentence, flawed(name, variant)) for variant in range(variants))


def overwritten() -> Iterator[Mistake]:
    return flaw(
        "overwritten instead of added",
        "A node that is used twice keeps only one of its two contributions. What should happen to the gradient "
        "that is already there?",
    )


def upstream_ignored() -> Iterator[Mistake]:
    return flaw(
        "upstream gradient ignored",
        "Each node passes on its local derivative alone. The upstream gradient that arrives is a factor too.",
    )


def local_ignored() -> Iterator[Mistake]:
    return flaw(
        "local derivative ignored",
        "Each node passes on what arrived, unchanged. The local derivative is a factor too.",
    )


def too_early() -> Iterator[Mistake]:
    return flaw(
        "not in topological order",
        "A node passed its gradient on before all its contributions had arrived. In which order must you visit the "
        "nodes?",
        len(ORDERS),
    )


def once_per_use() -> Iterator[Mistake]:
    return flaw(
        "node visited once per use",
        "A node that is used twice passed its gradient on twice. Visit each node once a pass.",
    )


def equal_numbers() -> Iterator[Mistake]:
    return flaw(
        "nodes compared by value",
        "Two nodes with equal numbers were treated as one. How does your code tell whether it has met a node before?",
    )


def second_pass() -> Iterator[Mistake]:
    """What a second backward pass can do wrongly."""
    yield from flaw(
        "gradients reset by a second backward",
        "After a second backward the leaves hold the gradient of one pass. They should hold the sum over all passes.",
    )
    yield from flaw(
        "old gradients passed on again",
        "The second pass also passed on what the first had left in the inner nodes.",
        variants=2,
    )


def no_second_operand(*operations: str) -> Iterator[Mistake]:
    for operation in operations:
        yield from flaw(
            f"{operation}: no gradient for the second operand",
            "The first operand gets its gradient, the second gets nothing.",
            variants=2,
        )


def of_operations(*operations: str) -> Iterator[Mistake]:
    """What any operation can do wrongly when it passes its gradient on."""
    for what, sentence in (
        ("wrong sign", "the sign is wrong."),
        ("no gradient", "nothing arrives."),
        ("overwritten instead of added", "what was there before is lost."),
        ("upstream gradient ignored", "the upstream gradient that arrives is a factor too."),
    ):
        for operation in operations:
            yield from flaw(f"{operation}: {what}", f"Look at how {operation} passes its gradient on: {sentence}")
    for operation in operations:
        yield from flaw(
            f"{operation}: wrong local derivative",
            f"Look at how {operation} passes its gradient on: its local derivative is not the one that calculus gives.",
            len(WRONG_LOCALS[operation]),
        )


def not_a_method(*names: str) -> Mistake:
    return Mistake(
        "not a method of Value",
        "`Value` has no such method. Run this task's cell to its last line, which makes your functions methods, and "
        "run it again whenever you have run the cell of the class.",
        raises=rf"AttributeError: '\w+' object has no attribute '({'|'.join(names)})'",
    )
