"""Operations on plain numbers with their derivatives, and the names by which engines call them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

CLOSE = 1e-6
"""Relative; an engine may compute in float32."""


@dataclass(frozen=True)
class Operation:
    """A function of one or two numbers.

    Attributes:
        name: "mul".
        form: how it is written, with `{}` for each operand.
        forward: the function.
        slopes: its derivative with respect to each operand.
    """

    name: str
    form: str
    forward: Callable[..., float]
    slopes: tuple[Callable[..., float], ...]


def _sigmoid(a: float) -> float:
    return 1 / (1 + math.exp(-a)) if a >= 0 else math.exp(a) / (1 + math.exp(a))


def _sech(a: float) -> float:
    return 2 * math.exp(-abs(a)) / (1 + math.exp(-2 * abs(a)))


def _by_exponent(a: float, b: float) -> float:
    return math.log(a) * math.pow(a, b)


def _by_base(a: float, b: float) -> float:
    return b * math.pow(a, b - 1) if b else 0.0


def _kink(*numbers: float) -> float:
    raise ArithmeticError("no derivative here")


def _chosen(a: float, b: float) -> float:
    return 1.0 if a > b else 0.0 if a < b else _kink()


_ALL = [
    Operation("add", "{} + {}", lambda a, b: a + b, (lambda a, b: 1.0, lambda a, b: 1.0)),
    Operation("sub", "{} - {}", lambda a, b: a - b, (lambda a, b: 1.0, lambda a, b: -1.0)),
    Operation("mul", "{} * {}", lambda a, b: a * b, (lambda a, b: b, lambda a, b: a)),
    Operation("div", "{} / {}", lambda a, b: a / b, (lambda a, b: 1 / b, lambda a, b: -a / b**2)),
    Operation("pow", "{} ** {}", lambda a, b: a**b, (_by_base, _by_exponent)),
    Operation("max", "max({}, {})", lambda a, b: max(a, b), (_chosen, lambda a, b: _chosen(b, a))),
    Operation("min", "min({}, {})", lambda a, b: min(a, b), (lambda a, b: _chosen(b, a), _chosen)),
    Operation("neg", "-{}", lambda a: -a, (lambda a: -1.0,)),
    Operation("exp", "exp({})", math.exp, (math.exp,)),
    Operation("log", "log({})", math.log, (lambda a: 1 / a,)),
    Operation("tanh", "tanh({})", math.tanh, (lambda a: _sech(a) ** 2,)),
    # At 0 the slope is 0 by convention, in PyTorch as in the course.
    Operation("relu", "relu({})", lambda a: max(a, 0.0), (lambda a: 1.0 if a > 0 else 0.0,)),
    Operation("sigmoid", "sigmoid({})", _sigmoid, (lambda a: _sigmoid(a) * _sigmoid(-a),)),
    Operation("softplus", "softplus({})", lambda a: max(a, 0.0) + math.log1p(math.exp(-abs(a))), (_sigmoid,)),
    Operation("sin", "sin({})", math.sin, (math.cos,)),
    Operation("cos", "cos({})", math.cos, (lambda a: -math.sin(a),)),
    Operation("tan", "tan({})", math.tan, (lambda a: 1 + math.tan(a) ** 2,)),
    Operation("sinh", "sinh({})", math.sinh, (math.cosh,)),
    Operation("cosh", "cosh({})", math.cosh, (math.sinh,)),
    Operation("atan", "atan({})", math.atan, (lambda a: 1 / (1 + a * a),)),
    Operation("sqrt", "sqrt({})", math.sqrt, (lambda a: 0.5 / math.sqrt(a),)),
    Operation("square", "{} ** 2", lambda a: a * a, (lambda a: 2 * a,)),
    Operation("reciprocal", "1 / {}", lambda a: 1 / a, (lambda a: -1 / a**2,)),
    Operation("abs", "abs({})", abs, (lambda a: math.copysign(1.0, a) if a else _kink(),)),
]
OPERATIONS = {one.name: one for one in _ALL}
_SYMBOLS = {"+": "add", "-": "sub", "*": "mul", "×": "mul", "·": "mul", "/": "div", "÷": "div", "**": "pow", "^": "pow"}
_WORDS = {
    "add": "plus sum addition added radd iadd",
    "sub": "minus subtract subtraction difference rsub isub",
    "mul": "times multiply multiplication product rmul imul",
    "div": "divide division divided quotient truediv rtruediv",
    "pow": "power rpow",
    "neg": "negate negation negative negated",
    "exp": "exponential",
    "log": "ln logarithm",
    "sin": "sine",
    "cos": "cosine",
    "sigmoid": "logistic",
    "square": "squared",
    "reciprocal": "inverse inv",
    "max": "maximum",
    "min": "minimum",
    "abs": "absolute",
    "sqrt": "root",
}
_NAMED = {word: name for name, words in _WORDS.items() for word in words.split()} | {name: name for name in OPERATIONS}
_SYMBOL = re.compile(r"\s*(\*\*|[-+*/^×·÷])\s*+([-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?)?\s*+", re.IGNORECASE)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def named(text: str) -> tuple[list[Operation], float | None]:
    """Return the operations that a label or a function's name stands for, and a constant that the label holds.

    Args:
        text: "*", "**3", "ReLU", "Value.__mul__.<locals>.push"; of dotted names the last part with a word decides.
    """
    if symbol := _SYMBOL.fullmatch(text):
        names = [_SYMBOLS[symbol[1]]] + (["neg"] if symbol[1] == "-" else [])
        return [OPERATIONS[name] for name in names], float(symbol[2]) if symbol[2] else None
    for part in reversed(text.split(".")):
        words = {part.strip("_").lower(), *(word.lower() for word in _PART.findall(part))}
        found = {_NAMED[word] for word in words if word in _NAMED}
        if len(found) == 1:
            return [OPERATIONS[found.pop()]], None
    return [], None


def close(one: float, other: float, tolerance: float = CLOSE, scale: float = 0.0) -> bool:
    """Return whether two numbers are equal but for rounding; `scale` is the size of what they were added up from."""
    return one == other or abs(one - other) <= tolerance * max(abs(one), abs(other), scale)


def evaluated(operation: Operation, operands: Sequence[float]) -> float | None:
    """Return the operation's number; None if it has none."""
    try:
        found = operation.forward(*operands)
    except (ArithmeticError, ValueError):
        return None
    return float(found) if isinstance(found, (int, float)) and math.isfinite(found) else None


def slopes(operation: Operation, operands: Sequence[float]) -> list[float | None]:
    """Return the operation's derivative with respect to each operand; None where there is none."""
    return list(_slopes(operation, operands))


def _slopes(operation: Operation, operands: Sequence[float]) -> Iterator[float | None]:
    for slope in operation.slopes:
        try:
            found = slope(*operands)
        except (ArithmeticError, ValueError):
            found = math.nan
        yield float(found) if isinstance(found, (int, float)) and math.isfinite(found) else None
