"""The same random numbers on every device: drawn by the CPU's generator, then moved.

For the same seed a GPU's generator gives other numbers than the CPU's, so a program that draws a layer's weights
would have another right answer on a GPU.
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
Arguments = tuple[Any, ...]
Keywords = dict[str, Any]


class CPURandomNumbers(TorchFunctionMode):  # type: ignore[misc]  # torch is Any
    """A mode in which tensors on any device get the random numbers that the CPU would have drawn."""

    def __init__(self, default: str) -> None:
        """
        Args:
            default: the type of device for tensors that are made without naming one.
        """
        super().__init__()
        self._default = default

    def __torch_function__(self, func: Any, types: Any, args: Arguments = (), kwargs: Keywords | None = None) -> Any:
        kwargs = kwargs or {}
        if func in FACTORIES:
            return _made(func, args, kwargs, torch.device(kwargs.get("device") or self._default))
        if func in OF_TENSORS:
            return _made(func, args, kwargs, torch.device(kwargs.get("device") or _first(args, kwargs).device))
        if func in IN_PLACE and (target := _first(args, kwargs)).device.type != "cpu":
            return _filled(func, args, kwargs, target)
        if func in DROPOUT and _first(args, kwargs).device.type != "cpu":
            return _dropped(func, *args, **kwargs)
        return func(*args, **kwargs)


def _first(args: Arguments, kwargs: Keywords) -> torch.Tensor:
    return next(value for value in (*args, *kwargs.values()) if isinstance(value, torch.Tensor))


def _on_cpu(values: Any) -> Any:
    return tree_map_only(torch.Tensor, lambda tensor: tensor.detach().to("cpu"), values)


def _made(func: Callable[..., Any], args: Arguments, kwargs: Keywords, target: torch.device) -> torch.Tensor:
    if target.type in ("cpu", "meta"):
        return func(*args, **kwargs)
    wanted = {key: value for key, value in kwargs.items() if key not in ("device", "requires_grad", "pin_memory")}
    device = {"device": "cpu"} if func in FACTORIES else {}
    made = func(*_on_cpu(args), **_on_cpu(wanted), **device).to(target)
    return made.requires_grad_() if kwargs.get("requires_grad") else made


def _filled(func: Callable[..., Any], args: Arguments, kwargs: Keywords, target: torch.Tensor) -> torch.Tensor:
    drawn = func(*_on_cpu(args), **_on_cpu(kwargs))
    if getattr(func, "__module__", None) != init.__name__:
        return target.copy_(drawn)  # autograd records the in-place write, as it does on the CPU
    with torch.no_grad():
        return target.copy_(drawn)


def _dropped(
    func: Callable[..., Any], input: torch.Tensor, p: float = 0.5, *flags: bool, **named: bool
) -> torch.Tensor:
    training = flags[0] if flags else named.get("training", named.get("train", True))
    if not training or not 0 < p < 1:
        return func(input, p, *flags, **named)
    kept = torch.empty(input.shape, dtype=input.dtype, device="cpu").bernoulli_(1 - p).div_(1 - p).to(input.device)
    in_place = flags[1] if len(flags) > 1 else named.get("inplace", False)
    return input.mul_(kept) if in_place else input * kept
