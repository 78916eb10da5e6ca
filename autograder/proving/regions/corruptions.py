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
    return value.clamp(-1e4, 1e4)


def rounded(value: torch.Tensor) -> torch.Tensor:
    """Round every entry to a digit that only numbers at the lower end feel."""
    return value.mul(1e5).round().div(1e5)


def shifted(value: torch.Tensor) -> torch.Tensor:
    """Add what people add to a denominator."""
    return value + 1e-8


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


AT_ENDS = (capped, rounded, shifted)
"""Those that only numbers near a million, or near a millionth, feel."""
OF_SIZE = (clipped, *AT_ENDS)
"""Those that leave numbers of other sizes as they are, or change them by what a statement allows."""
OF_FORM = (last_dropped, mean_for_sum, first_sample_only, *OF_SIZE, squeezed)
"""Those that change nothing in some results, because of their shape or their size."""
OF_GRADIENTS: tuple[Corruption, ...] = (*OF_FORM[:-1], sign, doubled, zero, detached)
OF_NUMBERS: tuple[Corruption, ...] = (*OF_SIZE, sign, doubled, zero)
OF_RESULTS: tuple[Corruption, ...] = (*OF_FORM, sign, doubled, zero, detached, other_dtype, python_number)


def spoilt(corruption: Corruption, value: Any, room: tuple[float, float, float] = (1e-3, 0.0, 0.0)) -> Any:
    """Spoil a result; a corruption that only some sizes feel leaves a result of another size as it is.

    Args:
        corruption: the way.
        value: the result.
        room: how far a number may be off without being surely wrong: as a fraction of itself, as one of the result's
            largest number, and in the units of the result.
    """
    other = _spoilt(corruption, value)
    return value if corruption in OF_SIZE and not _far_apart(value, other, room) else other


def _spoilt(corruption: Corruption, value: Any) -> Any:
    """Spoil every tensor and number of a result; of a sequence or a dict, `last_dropped` leaves out the last item."""
    if isinstance(value, torch.Tensor):
        return value if corruption in OF_SIZE and not value.is_floating_point() else corruption(value)
    if isinstance(value, bool | int | float) and corruption not in (python_number, other_dtype):
        wide = torch.float64 if isinstance(value, float) else None
        return type(value)(corruption(torch.tensor(value, dtype=wide)).item())
    drop = -1 if corruption is last_dropped else None
    if isinstance(value, list | tuple):
        return type(value)(value[:drop] if drop else [_spoilt(corruption, one) for one in value])
    if isinstance(value, dict):
        return dict([*value.items()][:drop]) if drop else {key: _spoilt(corruption, value[key]) for key in value}
    return value


def _far_apart(value: Any, other: Any, room: tuple[float, float, float]) -> bool:
    """Tell whether some number is further off than this; of a result that is 0 throughout no size is felt."""
    right, wrong = (torch.cat([torch.zeros(1), *map(_flat, numbers_in(each))]) for each in (value, other))
    relative, of_scale, absolute = room
    size = right.abs().nan_to_num(posinf=0.0).max()
    allowed = relative * right.abs() + of_scale * size + absolute
    return bool(size and ((wrong - right).abs() > allowed).any())


def _flat(number: Any) -> torch.Tensor:
    return torch.as_tensor(number, dtype=torch.float64).detach().flatten()


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
