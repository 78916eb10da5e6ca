"""Which of Cosmic Ray's operators are used."""

from __future__ import annotations

from cosmic_ray.operators import (
    binary_operator_replacement,
    boolean_replacer,
    break_continue,
    comparison_operator_replacement,
    number_replacer,
    remove_decorator,
    unary_operator_replacement,
    zero_iteration_for_loop,
)
from cosmic_ray.operators.operator import Operator

# On floats and tensors of floats the bitwise ones raise at once, which would only flatter the score.
BITWISE = ("RShift", "LShift", "BitOr", "BitAnd", "BitXor", "Invert")


def operators() -> tuple[type[Operator], ...]:
    """Arithmetic, comparisons, signs, constants, booleans, jumps, decorators, loops that do not run."""
    replacing = (
        *binary_operator_replacement.operators(),
        *comparison_operator_replacement.operators(),
        *unary_operator_replacement.operators(),
    )
    return (
        *(one for one in replacing if not any(name in one.__name__ for name in BITWISE)),
        boolean_replacer.AddNot,
        boolean_replacer.ReplaceTrueWithFalse,
        boolean_replacer.ReplaceFalseWithTrue,
        boolean_replacer.ReplaceAndWithOr,
        boolean_replacer.ReplaceOrWithAnd,
        break_continue.ReplaceBreakWithContinue,
        break_continue.ReplaceContinueWithBreak,
        number_replacer.NumberReplacer,
        remove_decorator.RemoveDecorator,
        zero_iteration_for_loop.ZeroIterationForLoop,
    )
