"""Select Cosmic Ray's operators that make sense for numerical code."""

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

# Bitwise operators raise at once on floats and float tensors: easy kills would only inflate the score.
BITWISE = ("RShift", "LShift", "BitOr", "BitAnd", "BitXor", "Invert")


def operators() -> tuple[type[Operator], ...]:
    """Return the operators for arithmetic, comparisons, signs, constants, booleans, jumps, decorators and loops."""
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
