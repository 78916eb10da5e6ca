"""The ways in which a region mutant spoils an answer. This text is part of each mutant, so it imports torch alone."""

from collections.abc import Callable
from typing import Any

import torch

Corruption = Callable[[torch.Tensor], Any]


def sign(value: torch.Tensor) -> torch.Tensor:
    """Turn the sign; of truth values, each into the other."""
    return ~value if value.dtype == torch.bool else -value


def doubled(value: torch.Tensor) -> torch.Tensor:
    """Count everything twice."""
    return 2 * value


def zero(value: torch.Tensor) -> torch.Tensor:
    """Leave nothing."""
    return 0 * value


def last_dropped(value: torch.Tensor) -> torch.Tensor:
    """Forget the last of several entries."""
    kept = torch.ones(value.numel(), dtype=value.dtype)
    kept[max(1, value.numel() - 1) :] = 0
    return value * kept.reshape(value.shape)


def mean_for_sum(value: torch.Tensor) -> torch.Tensor:
    """Divide by the length of the first axis."""
    return value / len(value) if value.dim() else value


def first_sample_only(value: torch.Tensor) -> torch.Tensor:
    """Leave only the first entry of the first axis."""
    kept = torch.zeros(value.shape, dtype=value.dtype)
    kept[:1] = 1
    return value * kept


def clipped(value: torch.Tensor) -> torch.Tensor:
    """Cut every entry to [-1, 1]."""
    return value.clamp(-1, 1)


def capped(value: torch.Tensor) -> torch.Tensor:
    """Cut every entry to a range that only numbers at the upper end leave."""
    return _if_felt(value, value.clamp(-1e4, 1e4))


def rounded(value: torch.Tensor) -> torch.Tensor:
    """Round every entry to a digit that only numbers at the lower end feel."""
    return _if_felt(value, value.mul(1e4).round().div(1e4))


def shifted(value: torch.Tensor) -> torch.Tensor:
    """Add what people add to a denominator."""
    return _if_felt(value, value + 1e-8)


def _if_felt(value: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
    """Return the other if it is off by more than any tolerance allows, else the value: it is not wrong then."""
    off, size = (other - value).detach().abs(), value.detach().abs()
    is_felt = value.is_floating_point() and value.numel() and off.max() > 1e-3 * size.max()
    return other if is_felt else value


def squeezed(value: torch.Tensor) -> torch.Tensor:
    """Lose the axes of length 1."""
    return value.squeeze()


def detached(value: torch.Tensor) -> torch.Tensor:
    """Cut the graph."""
    return value.detach()


def other_dtype(value: torch.Tensor) -> torch.Tensor:
    """Exchange single and double precision."""
    others = {torch.float32: torch.float64, torch.float64: torch.float32, torch.int64: torch.int32}
    return value.to(others.get(value.dtype, value.dtype))


def python_number(value: torch.Tensor) -> Any:
    """Return a number or a list instead of a tensor."""
    return value.tolist()


OF_FORM = (last_dropped, mean_for_sum, first_sample_only, clipped, capped, rounded, shifted, squeezed)
"""Those that change nothing in some results, because of their shape or their size."""
OF_GRADIENTS: tuple[Corruption, ...] = (*OF_FORM[:-1], sign, doubled, zero, detached)
OF_NUMBERS: tuple[Corruption, ...] = (clipped, capped, rounded, shifted, sign, doubled, zero)
OF_RESULTS: tuple[Corruption, ...] = (*OF_FORM, sign, doubled, zero, detached, other_dtype, python_number)


def spoilt(corruption: Corruption, value: Any) -> Any:
    """Spoil every tensor and number of a result; of a sequence or a dict, `last_dropped` leaves out the last item."""
    if isinstance(value, torch.Tensor):
        return corruption(value)
    if isinstance(value, bool | int | float) and corruption not in (python_number, other_dtype):
        wide = torch.float64 if isinstance(value, float) else None
        return type(value)(corruption(torch.tensor(value, dtype=wide)).item())
    drop = -1 if corruption is last_dropped else None
    if isinstance(value, list | tuple):
        return type(value)(value[:drop] if drop else [spoilt(corruption, one) for one in value])
    if isinstance(value, dict):
        return dict([*value.items()][:drop]) if drop else {key: spoilt(corruption, value[key]) for key in value}
    return value


def differs(one: Any, other: Any) -> bool:
    """Tell whether two results differ at all: in type, dtype, shape, graph or any number."""
    if type(one) is not type(other):
        return True
    if isinstance(one, torch.Tensor):
        form = [(each.dtype, each.shape, each.requires_grad) for each in (one, other)]
        return form[0] != form[1] or not torch.equal(one.nan_to_num(), other.nan_to_num())
    if isinstance(one, list | tuple):
        return len(one) != len(other) or any(map(differs, one, other))
    if isinstance(one, dict):
        return one.keys() != other.keys() or any(differs(one[key], other[key]) for key in one)
    return bool(one != other and not (one != one and other != other))


def numbers_in(value: Any) -> list[Any]:
    """List the tensors and numbers of a result or of arguments, however nested."""
    if isinstance(value, torch.Tensor | int | float):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [number for item in items for number in numbers_in(item)]
