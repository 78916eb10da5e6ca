"""Random numbers of moderate size: single ones, those of the toy graph, and tensors."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from autograder.checks.draws.attempts import passing
from autograder.checks.draws.ends import of_size, span, unit

LETTERS = "abcdefgh"


def number(source: Random, low: float = 0.5, high: float = 3.0) -> float:
    """Return a number of either sign with a magnitude between `low` and `high`, rounded to two decimals.

    Within a draw at an end it is of the size that is drawn there.
    """
    if end := span():
        return float(f"{source.uniform(*end):.3g}") * source.choice((-1, 1))
    return round(source.uniform(low, high), 2) * source.choice((-1, 1))


def positive(source: Random, low: float, high: float, digits: int = 2, most: float = 1e6) -> float:
    """Return a number between `low` and `high`, rounded; at an end whose numbers are at most `most`, one of there."""
    if (end := span()) and end[1] <= most:
        return float(f"{source.uniform(*end):.3g}")
    return round(source.uniform(low, high), digits)


def moderate(source: Random, low: float = 0.5, high: float = 3.0) -> float:
    """Return such a number, and the same within a draw at an end: a factor of which the student sees the product."""
    with of_size(None):
        return number(source, low, high)


def toy_numbers(source: Random, wanted: Callable[[float, float, float], bool]) -> tuple[float, float, float]:
    """Return x, w, b of the toy graph relu(x * w + b) with distinct magnitudes, so that its partials differ.

    Args:
        wanted: whether x, w, b will do.
    """

    def telling(drawn: tuple[float, float, float]) -> bool:
        x, w, b = drawn
        return wanted(x, w, b) and len({abs(x), abs(w), abs(b), 1.0, abs(x * w)}) == 5

    return passing(lambda: (number(source), number(source), number(source)), telling)


def gate_either(source: Random) -> tuple[float, float, float]:
    """Return x, w, b away from the kink of relu, active or inactive."""
    return toy_numbers(source, lambda x, w, b: abs(x * w + b) > 0.5 * unit())


def tensor_text(
    source: Random, shape: tuple[int, ...], *, requires_grad: bool = False, low: float = 0.5, most: float = 1e6
) -> str:
    """Return the text of a float64 tensor of such numbers: "torch.tensor([1.2, -0.7], dtype=torch.float64)".

    At an end whose numbers are not at most `most`, they are of moderate size.
    """
    end = span()
    if end and end[1] > most:
        return coefficients(source, shape)
    flag = ", requires_grad=True" if requires_grad else ""
    return f"torch.tensor({_nested(source, shape, low)}, dtype=torch.float64{flag})"


def coefficients(source: Random, shape: tuple[int, ...]) -> str:
    """Return the text of such a tensor of moderate numbers, also within a draw at an end: of what a function has."""
    with of_size(None):
        return tensor_text(source, shape)


def _nested(source: Random, shape: tuple[int, ...], low: float) -> str:
    if not shape:
        return str(number(source, low))
    return "[" + ", ".join(_nested(source, shape[1:], low) for _ in range(shape[0])) + "]"
