"""Answers and numbers in a few words, for the sentences that students read."""

from __future__ import annotations

from typing import Any

from autograder.wire.plain import Absent, Foreign, SeenTensor

NUMBER = (int, float)


def as_number(got: Any) -> float | None:
    """A Python number, or a tensor with one real element, as a float; None for anything else."""
    if type(got) in NUMBER:
        return float(got)
    if isinstance(got, SeenTensor) and got.data.numel() == 1 and got.data.is_floating_point():
        return float(got.data.reshape(()))
    return None


def show(number: complex) -> str:
    """A number in at most seven digits, the way a person writes it."""
    return f"{number + 0.0:.7g}"  # -0 is 0


def show_both(number: complex, right: complex) -> tuple[str, str]:
    """Two numbers that differ, in as many digits as it takes to see that."""
    for digits in range(7, 18):
        shown = f"{number + 0.0:.{digits}g}", f"{right + 0.0:.{digits}g}"
        if shown[0] != shown[1]:
            return shown
    if number != right:  # whole numbers beyond what a float tells apart
        return str(number), str(right)
    return f"{number:.17g}", f"{right:.17g}"  # equal as numbers: 0 and -0


def keys(mapping: dict) -> str:
    """A dict's keys, the first eight of them."""
    shown = [repr(key)[:30] for key in list(mapping)[:8]]
    return ", ".join(shown) + (", ..." if len(mapping) > 8 else "")


def describe(got: Any) -> str:
    """An answer in a few words."""
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
        return f"not there ({got.because})"
    if isinstance(got, dict):
        return f"a dict with the keys {keys(got)}"
    if isinstance(got, list | tuple):
        return f"a {type(got).__name__} of {len(got)}"
    return f"an object of type {type(got).__name__}"
