"""General mistakes that rearrange right numbers: axes, order, shape, dtype, accumulation.

Each function returns what the answer would be under its mistake, or None if the mistake does not apply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from autograder.comparison import agree
from autograder.diagnosis.hypothesis import CONFIRMED
from autograder.diagnosis.structures import change_where_matching, tensor_of

TensorChange = Callable[[torch.Tensor, torch.Tensor], torch.Tensor | None]
"""From the expected tensor and the one that was seen to what a mistake makes of it, or None."""


def _of_tensors(change: TensorChange) -> Callable[[Any, Any], Any]:
    """Apply a change of single tensors wherever both structures hold one."""

    def part(expected: Any, got: Any) -> Any:
        right, seen = tensor_of(expected), tensor_of(got)
        return None if right is None or seen is None else change(right, seen)

    return lambda expected, got: change_where_matching(expected, got, part)


def _first(candidates: Iterator[torch.Tensor], seen: torch.Tensor) -> torch.Tensor | None:
    return next((one for one in candidates if one.shape == seen.shape and agree(seen, one)), None)


def _transposed(right: torch.Tensor, seen: torch.Tensor) -> torch.Tensor | None:
    return right.mT.contiguous() if right.dim() >= 2 else None


def _reduced(reduce: Callable[..., torch.Tensor]) -> TensorChange:
    def change(right: torch.Tensor, seen: torch.Tensor) -> torch.Tensor | None:
        if not right.is_floating_point() or right.numel() < 2:
            return None
        ways = ((axis, kept) for axis in range(right.dim()) for kept in (False, True) if right.shape[axis] > 1)
        return _first((reduce(right, dim=axis, keepdim=kept) for axis, kept in ways), seen)

    return change


def _another_shape(right: torch.Tensor, seen: torch.Tensor) -> torch.Tensor | None:
    same = right.numel() == seen.numel() and right.shape != seen.shape
    return right.reshape(seen.shape) if same else None


def _another_dtype(right: torch.Tensor, seen: torch.Tensor) -> torch.Tensor | None:
    return right.to(seen.dtype) if right.dtype != seen.dtype and not seen.dtype.is_complex else None


transposed = _of_tensors(_transposed)
summed = _of_tensors(_reduced(torch.sum))
averaged = _of_tensors(_reduced(torch.mean))
another_shape = _of_tensors(_another_shape)
another_dtype = _of_tensors(_another_dtype)


def left_in_a_tuple(expected: Any, got: Any) -> Any:
    """Wrap the right value in a tuple of one wherever a sequence of one was seen."""
    return change_where_matching(expected, got, lambda right, seen: (right,) if _is_single(seen) else None)


def _is_single(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 1


def accumulated(expected: Any, got: Any) -> Any:
    """Replace entries, or rows of a tensor, by their running sums."""
    return change_where_matching(expected, got, lambda right, seen: _over_entries(right, _running_sums))


def last_repeated(expected: Any, got: Any) -> Any:
    """Replace every entry, or every row of a tensor, by the last."""

    def alike(rows: list[Any]) -> list[Any] | None:
        # Of two numbers that are alike, either may be the wrong one, for any reason.
        return [rows[-1]] * len(rows) if len(rows) > 2 or isinstance(rows[0], torch.Tensor) else None

    def repeated(right: Any, seen: Any) -> Any:
        return _over_entries(right, alike)

    return change_where_matching(expected, got, repeated)


def _over_entries(right: Any, change: Callable[[list[Any]], list[Any] | None]) -> Any:
    """Apply `change` to the entries of a sequence of one type and shape, or to the rows of a tensor."""
    if isinstance(right, torch.Tensor) and right.dim() >= 2 and len(right) > 1:
        return torch.stack(change(list(right.detach())))
    if isinstance(right, list | tuple) and len(right) > 1:
        shapes = {tuple(one.shape) if isinstance(one, torch.Tensor) else type(one) for one in right}
        if len(shapes) == 1 and (isinstance(right[0], torch.Tensor | float)):
            return change([one.detach() if isinstance(one, torch.Tensor) else one for one in right])
    return None


def _running_sums(rows: list[Any]) -> list[Any]:
    sums = [rows[0]]
    for row in rows[1:]:
        sums.append(sums[-1] + row)
    return sums


def in_another_place(expected: Any, got: Any) -> Any:
    """Return CONFIRMED if the wrong entries of a dict or a sequence are the right ones, permuted."""
    return CONFIRMED if _any_permuted(expected, got) else None


def _any_permuted(expected: Any, got: Any) -> bool:
    if isinstance(expected, dict) and isinstance(got, dict):
        pairs = [(value, got.get(key)) for key, value in expected.items()]
    elif isinstance(expected, list | tuple) and isinstance(got, list | tuple) and len(expected) == len(got):
        pairs = list(zip(expected, got, strict=True))
    else:
        return False
    wrong = [(right, seen) for right, seen in pairs if not agree(seen, right)]
    if len(wrong) >= 2 and not isinstance(wrong[0][0], dict):
        left = [right for right, _ in wrong]
        for _, seen in wrong:
            match = next((i for i, right in enumerate(left) if agree(seen, right)), None)
            if match is None:
                break
            left.pop(match)
        if not left:
            return True
    return any(_any_permuted(right, seen) for right, seen in wrong)
