"""Random numbers of moderate size: single ones, those of the toy graph, and tensors."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from autograder.checks.draws.attempts import passing

LETTERS = "abcdefgh"


def number(source: Random, low: float = 0.5, high: float = 3.0) -> float:
    """Return a number of either sign with a magnitude between `low` and `high`, rounded to two decimals."""
    return round(source.uniform(low, high), 2) * source.choice((-1, 1))


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
    return toy_numbers(source, lambda x, w, b: abs(x * w + b) > 0.5)


def tensor_text(source: Random, shape: tuple[int, ...], *, requires_grad: bool = False, low: float = 0.5) -> str:
    """Return the text of a float64 tensor of such numbers: "torch.tensor([1.2, -0.7], dtype=torch.float64)"."""
    flag = ", requires_grad=True" if requires_grad else ""
    return f"torch.tensor({_nested(source, shape, low)}, dtype=torch.float64{flag})"


def _nested(source: Random, shape: tuple[int, ...], low: float) -> str:
    if not shape:
        return str(number(source, low))
    return "[" + ", ".join(_nested(source, shape[1:], low) for _ in range(shape[0])) + "]"
