"""Shared draws and mistakes of exercise 05."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from autograder.checks.draws.attempts import passing
from autograder.checks.draws.numbers import number, tensor_text
from autograder.diagnosis import Mistake
from autograder.probes.programs import Program

Draw = Callable[[Random], tuple[Program]]
F64 = "dtype=torch.float64"


def numbers(source: Random, size: int, wanted: Callable[[list[float]], bool]) -> list[float]:
    """Draw numbers until they are as wanted."""
    return passing(lambda: [number(source) for _ in range(size)], wanted)


def fill(name: str, source: Random, size: int, filled: bool) -> str:
    """Write the line that fills a tensor's `.grad`, or nothing."""
    return f"{name}.grad = {tensor_text(source, (size,))}\n" if filled else ""


OUT_OF_BOUNDS = Mistake(
    "index out of bounds",
    "An index is out of range for its tensor. Elements are counted from 0, or from the end with -1 as the last, so "
    "use `i` as it is.",
    raises=r"IndexError: index -?\d+ is out of bounds",
)
