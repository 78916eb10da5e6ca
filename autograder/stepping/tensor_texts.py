"""Tensors as short texts, and two that differ as texts that show where."""

from __future__ import annotations

import torch

from autograder.pictures.text import number
from autograder.stepping.figures import both

MOST = 4
"""Entries of a vector that is written out."""


def text_of(tensor: torch.Tensor) -> str:
    """Write a number, a short vector, or a shape."""
    if not _has_numbers(tensor):
        return f"shape {tuple(tensor.shape)}"
    if tensor.numel() == 1:
        return number(tensor.item())
    if tensor.dim() == 1 and 0 < tensor.numel() <= MOST:
        return f"[{', '.join(map(number, tensor.tolist()))}]"
    return f"shape {tuple(tensor.shape)}"


def one_and_other(one: torch.Tensor | None, other: torch.Tensor | None) -> tuple[str, str]:
    """Write two tensors that differ: numbers and short vectors whole, else their most different entry and its place."""
    if one is None or other is None or one.shape != other.shape or not _has_numbers(one):
        return tuple("nothing" if each is None else text_of(each) for each in (one, other))  # type: ignore[return-value]
    if one.numel() == 1:
        return both(one.item(), other.item())
    texts = text_of(one), text_of(other)
    if not texts[0].startswith("shape") and texts[0] != texts[1]:
        return texts
    away = (one - other).abs().nan_to_num(torch.inf)
    place = tuple(int(index) for index in torch.unravel_index(away.argmax(), away.shape))
    at = ", ".join(map(str, place))
    got, expected = both(one[place].item(), other[place].item())
    return f"{got} at [{at}]", f"{expected} at [{at}]"


def _has_numbers(tensor: torch.Tensor) -> bool:
    return not tensor.is_complex() and tensor.device.type != "meta" and tensor.numel() > 0
