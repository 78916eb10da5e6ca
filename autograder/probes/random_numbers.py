"""The same random numbers on every device: drawn by the CPU's generator, then moved.

A GPU's generator gives other numbers than the CPU's for the same seed. A program that draws a layer's weights would
then be another program there, with another right answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional, init
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_map_only

FACTORIES = (torch.rand, torch.randn, torch.randint, torch.randperm)
OF_TENSORS = (
    *(torch.rand_like, torch.randn_like, torch.randint_like, torch.normal, torch.bernoulli, torch.multinomial),
    *(torch.poisson, torch.binomial, torch.Tensor.bernoulli, torch.Tensor.multinomial),
)
IN_PLACE = (
    *(torch.Tensor.uniform_, torch.Tensor.normal_, torch.Tensor.random_, torch.Tensor.bernoulli_),
    *(torch.Tensor.exponential_, torch.Tensor.cauchy_, torch.Tensor.log_normal_, torch.Tensor.geometric_),
    *(init.uniform_, init.normal_, init.trunc_normal_, init.xavier_uniform_, init.xavier_normal_),
    *(init.kaiming_uniform_, init.kaiming_normal_, init.orthogonal_, init.sparse_),
)
DROPOUT = (functional.dropout, torch.dropout)


class RandomFromTheCPU(TorchFunctionMode):
    """Inside the block, random numbers for tensors elsewhere are those that the CPU would have drawn."""

    def __init__(self, default: str) -> None:
        """
        Args:
            default: the type of device where tensors are made that name no device.
        """
        super().__init__()
        self._default = default

    def __torch_function__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        kwargs = kwargs or {}
        if func in FACTORIES:
            return _made(func, args, kwargs, torch.device(kwargs.get("device") or self._default))
        if func in OF_TENSORS:
            return _made(func, args, kwargs, torch.device(kwargs.get("device") or _first(args, kwargs).device))
        if func in IN_PLACE and (there := _first(args, kwargs)).device.type != "cpu":
            return _filled(func, args, kwargs, there)
        if func in DROPOUT and _first(args, kwargs).device.type != "cpu":
            return _dropped(func, *args, **kwargs)
        return func(*args, **kwargs)


def _first(args: tuple, kwargs: dict) -> torch.Tensor:
    return next(one for one in (*args, *kwargs.values()) if isinstance(one, torch.Tensor))


def _here(values: Any) -> Any:
    return tree_map_only(torch.Tensor, lambda tensor: tensor.detach().to("cpu"), values)


def _made(func: Callable, args: tuple, kwargs: dict, there: torch.device) -> torch.Tensor:
    if there.type in ("cpu", "meta"):
        return func(*args, **kwargs)
    wanted = {key: value for key, value in kwargs.items() if key not in ("device", "requires_grad", "pin_memory")}
    device = {"device": "cpu"} if func in FACTORIES else {}
    made = func(*_here(args), **_here(wanted), **device).to(there)
    return made.requires_grad_() if kwargs.get("requires_grad") else made


def _filled(func: Callable, args: tuple, kwargs: dict, there: torch.Tensor) -> torch.Tensor:
    drawn = func(*_here(args), **_here(kwargs))
    if getattr(func, "__module__", None) != init.__name__:
        return there.copy_(drawn)  # autograd sees that it was written into, as it does on the CPU
    with torch.no_grad():
        return there.copy_(drawn)


def _dropped(func: Callable, input: torch.Tensor, p: float = 0.5, *flags: bool, **named: bool) -> torch.Tensor:
    training = flags[0] if flags else named.get("training", named.get("train", True))
    if not training or not 0 < p < 1:
        return func(input, p, *flags, **named)
    kept = torch.empty(input.shape, dtype=input.dtype, device="cpu").bernoulli_(1 - p).div_(1 - p).to(input.device)
    in_place = flags[1] if len(flags) > 1 else named.get("inplace", False)
    return input.mul_(kept) if in_place else input * kept
