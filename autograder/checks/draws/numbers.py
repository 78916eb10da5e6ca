"""Numbers of moderate size and tensors of them."""

from __future__ import annotations

from random import Random

LETTERS = "abcdefgh"


def number(source: Random, low: float = 0.5, high: float = 3.0) -> float:
    """A number of either sign whose size lies between `low` and `high`, in two decimals."""
    return round(source.uniform(low, high), 2) * source.choice((-1, 1))


def tensor_text(source: Random, shape: tuple[int, ...], *, requires_grad: bool = False, low: float = 0.5) -> str:
    """The text of a float64 tensor of such numbers: "torch.tensor([1.2, -0.7], dtype=torch.float64)"."""
    flag = ", requires_grad=True" if requires_grad else ""
    return f"torch.tensor({_nested(source, shape, low)}, dtype=torch.float64{flag})"


def _nested(source: Random, shape: tuple[int, ...], low: float) -> str:
    if not shape:
        return str(number(source, low))
    return "[" + ", ".join(_nested(source, shape[1:], low) for _ in range(shape[0])) + "]"
