"""Traits of arguments: what is true of a number, a tensor, a list or a module that a question hands over.

They are the conditions among which `separating` searches for one that tells wrong answers from right ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import torch
from torch import nn

Trait = tuple[str, bool | float]
MOST_NUMBERS = 10_000
"""In larger tensors no entry is looked at."""
PLAIN = (nn.Sequential, nn.ModuleList, nn.ModuleDict)
"""Modules that only hold others."""


def plain_traits(arguments: Mapping[str, Any]) -> dict[str, bool | float]:
    """Return those of `traits` that are the plainest: of numbers, truth values, texts and shapes.

    Args:
        arguments: by name.
    """
    found: dict[str, bool | float] = {}
    for kinds in (_of_plain, _of_shape):
        for name, value in arguments.items():
            found |= {words: holds for words, holds in kinds(f"`{name}`", value) if isinstance(holds, bool)}
    return found


def traits(arguments: Mapping[str, Any]) -> dict[str, bool | float]:
    """Return what is true of the arguments of a question, by the words for it, the plainest first.

    Args:
        arguments: by name.
    """
    found: dict[str, bool | float] = {}
    for kinds in (_of_plain, _of_sequence, _of_shape, _of_state, _of_module, _of_numbers):
        for name, value in arguments.items():
            found |= dict(kinds(f"`{name}`", value))
    return found | dict(_of_several(arguments))


def _of_plain(name: str, value: Any) -> Iterator[Trait]:
    yield f"{name} is None", value is None
    if type(value) is bool:
        yield f"{name} is True", value
        yield f"{name} is False", not value
    elif type(value) in (int, float):
        yield f"{name} is above 1", value > 1
        yield f"{name} is 0", value == 0
        yield f"{name} is not 0", value != 0
        yield f"{name} is negative", value < 0
        yield f"{name} is positive", value > 0
        if type(value) is int:
            yield f"{name} is 1", value == 1
            yield f"{name} is odd", value % 2 == 1
            yield f"{name} is even", value % 2 == 0
        yield name, float(value)
    elif type(value) is str:
        yield f"{name} is {value!r}", True


def _of_sequence(name: str, value: Any) -> Iterator[Trait]:
    if isinstance(value, Iterable) and not isinstance(value, torch.Tensor | str | nn.Module):
        yield f"{name} can be gone through only once, as a generator can", isinstance(value, Iterator)
    if type(value) in (list, tuple) and not isinstance(value, torch.Size):
        yield f"{name} has more than one entry", len(value) > 1
        yield f"{name} has one entry", len(value) == 1
        yield f"{name} is empty", not value
        if all(type(one) in (int, float) for one in value):
            yield f"{name} holds a 1", 1 in value
            yield f"the entries of {name} differ", len({*value}) > 1
            yield f"{name} holds a negative number", any(one < 0 for one in value)
        if all(isinstance(one, torch.Tensor) for one in value):
            yield f"the shapes in {name} differ", len({tuple(one.shape) for one in value}) > 1
            yield f"{name} holds the same tensor more than once", len({id(one) for one in value}) < len(value)


def _of_shape(name: str, value: Any) -> Iterator[Trait]:
    if not isinstance(value, torch.Tensor):
        return
    shape = tuple(value.shape)
    if len(shape) > 1:
        yield f"the last two axes of {name} differ in length", shape[-1] != shape[-2]
    for axis, length in enumerate(shape):
        of = f"axis {axis} of {name}"
        yield f"{of} is longer than 1", length > 1
        yield f"{of} has length 1", length == 1
        yield f"{of} has an odd length", length % 2 == 1
        yield f"{of} has an even length", length % 2 == 0
    yield f"{name} has no entries", not value.numel()
    for axes in range(5):
        yield f"{name} has {axes} {'axis' if axes == 1 else 'axes'}", len(shape) == axes
    if len(shape) > 1:
        yield f"{name} is higher than wide", shape[-2] > shape[-1]
        yield f"{name} is wider than high", shape[-2] < shape[-1]
    if all(shape):
        yield f"the number of axes of {name}", float(len(shape))


def _of_state(name: str, value: Any) -> Iterator[Trait]:
    if isinstance(value, torch.Tensor):
        yield f"{name} requires a gradient", value.requires_grad
        yield f"{name} requires no gradient", not value.requires_grad
        yield f"{name} is not a leaf", not value.is_leaf
        yield f"something lies in the `.grad` of {name} already", value.is_leaf and value.grad is not None
        yield f"the dtype of {name} is {str(value.dtype).removeprefix('torch.')}", True
        yield f"{name} is not contiguous", not value.is_contiguous()


def _of_module(name: str, value: Any) -> Iterator[Trait]:
    if isinstance(value, nn.Module):
        parts = [one for one in value.modules() if not isinstance(one, PLAIN)]
        yield f"{name} has more than one layer", len(parts) > 1
        yield f"{name} holds something else than Linear layers", any(not isinstance(one, nn.Linear) for one in parts)
        for kind in {type(one).__name__ for one in parts}:
            yield f"{name} holds a {kind}", True
        yield f"{name} is in training mode", value.training
        own = [*value.parameters()]
        yield f"parameters of {name} are frozen", any(not one.requires_grad for one in own)
        yield f"something lies in the `.grad` of parameters of {name} already", any(one.grad is not None for one in own)
    elif isinstance(value, torch.optim.Optimizer):
        yield f"{name} is a {type(value).__name__}", True
        for key, option in value.defaults.items():
            if type(option) in (int, float, bool) and key != "lr":
                yield f"{name} has `{key}`", bool(option)


def _of_numbers(name: str, value: Any) -> Iterator[Trait]:
    if not isinstance(value, torch.Tensor) or value.is_complex() or not 0 < value.numel() <= MOST_NUMBERS:
        return
    if value.dtype == torch.bool:
        return
    numbers = value.detach().double().cpu().reshape(-1)
    single = len(numbers) == 1
    yield f"{name} is negative" if single else f"{name} has a negative entry", bool((numbers < 0).any())
    yield f"{name} is 0" if single else f"{name} has an entry that is 0", bool((numbers == 0).any())
    if not single:
        yield f"{name} has a positive entry", bool((numbers > 0).any())
        yield f"some entries of {name} are equal", len(numbers.unique()) < len(numbers)
        yield f"{name} has an entry beyond 1 on either side", bool((numbers.abs() > 1).any())
    yield f"the largest entry of {name}", float(numbers.max())
    yield f"the smallest entry of {name}", float(numbers.min())


def _of_several(arguments: Mapping[str, Any]) -> Iterator[Trait]:
    """Yield what is true of two arguments together."""
    tensors = {name: one for name, one in arguments.items() if isinstance(one, torch.Tensor) and one.dim()}
    dtypes = {one.dtype for one in tensors.values() if one.is_floating_point()}
    yield "the tensors differ in dtype", len(dtypes) > 1
    for name, count in arguments.items():
        if type(count) is int and count > 0:
            for other, tensor in tensors.items():
                yield f"the length of `{other}` is not a multiple of `{name}`", len(tensor) % count != 0
                if tensor.dim() > 1:
                    rest = any(length % count for length in tensor.shape[-2:])
                    yield f"one of the last two axes of `{other}` is not a multiple of `{name}`", rest
