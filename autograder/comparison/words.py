"""Descriptions of answers and numbers in a few words, for the sentences that students read."""

from __future__ import annotations

from typing import Any

from autograder.wire.plain import Absent, Foreign, SeenTensor

NUMBER = (int, float)


def as_number(got: Any) -> float | None:
    """Convert a Python number, or a tensor with one real element, to a float; return None for anything else."""
    if type(got) in NUMBER:
        return float(got)
    if isinstance(got, SeenTensor) and got.data.numel() == 1 and got.data.is_floating_point():
        return float(got.data.reshape(()))
    return None


def show(number: complex) -> str:
    """Write a number in at most seven significant digits."""
    return f"{number + 0.0:.7g}"  # adding 0.0 turns -0.0 into 0.0


def show_both(number: complex, right: complex) -> tuple[str, str]:
    """Write two numbers that differ in as many digits as it takes to see the difference, at least seven."""
    for digits in range(7, 18):
        shown = f"{number + 0.0:.{digits}g}", f"{right + 0.0:.{digits}g}"
        if shown[0] != shown[1]:
            return shown
    if number != right:  # ints that have the same float
        return str(number), str(right)
    return f"{number:.17g}", f"{right:.17g}"  # equal as numbers: 0 and -0


def keys(mapping: dict[Any, Any]) -> str:
    """Write the first eight keys of a dict."""
    shown = [repr(key)[:30] for key in list(mapping)[:8]]
    return ", ".join(shown) + (", ..." if len(mapping) > 8 else "")


def describe(got: Any) -> str:
    """Describe an answer in a few words."""
    if got is None:
        return "None"
    if type(got) in NUMBER:
        return show(got)
    if isinstance(got, bool):
        return str(got)
    if isinstance(got, str):
        return f"the text {got[:40]!r}"
    if isinstance(got, SeenTensor):
        return f"a tensor of shape {tuple(got.data.shape)} and dtype {got.data.dtype}"
    if isinstance(got, Foreign):
        return f"an object of type {got.type_name}"
    if isinstance(got, Absent):
        return f"without a value ({got.because if ' ' in got.because else f'it raises {got.because}'})"
    if isinstance(got, dict):
        return f"a dict with the keys {keys(got)}"
    if isinstance(got, list | tuple):
        return f"a {type(got).__name__} of {len(got)}"
    return f"an object of type {type(got).__name__}"
