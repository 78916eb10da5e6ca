"""Snapshots of what a call can reach, compared bit by bit with what is there afterwards.

A snapshot runs no torch operation, so that what counts operations, saved tensors or calls does not see it.
"""

from __future__ import annotations

import ctypes
import functools
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy
import torch
from torch import nn
from torch.nn.modules import module as all_modules
from torch.utils import _device
from torch.utils._python_dispatch import _disable_current_modes

MOST_NUMBERS = 64
"""How many numbers of a changed buffer are reported."""
PLAIN = frozenset((int, float, bool, str, bytes, complex, type(None), torch.Size, torch.dtype, torch.device))


class Change(NamedTuple):
    """One thing that is not as it was.

    Attributes:
        at: where, independent of parameter names: "0.weight" within the first argument, "=x.grad" of a global name.
        what: what changed, a key of `diagnosis.damage.DAMAGE`.
        of: what it belongs to: "tensor", "parameter", "buffer", "module", "container" or "process".
        now: the first numbers of a buffer afterwards.
    """

    at: str
    what: str
    of: str
    now: tuple[float, ...] = ()


class Snapshot:
    """The state of all tensors, modules and containers that can be reached from some roots, and of the process."""

    def __init__(self) -> None:
        self._states: list[tuple[str, Any, str, Callable[[Any], Any], Any]] = []
        self._seen: set[int] = set()
        self._process = process_state()

    def add(self, at: str, thing: Any, handed: bool = True) -> None:
        """Add what can be reached from a root.

        Args:
            at: the root's place.
            thing: the root.
            handed: whether the caller hands it over; if not, a leaf that requires a gradient counts as a parameter.
        """
        kind = type(thing)
        if kind in PLAIN or id(thing) in self._seen:
            return
        self._seen.add(id(thing))
        if isinstance(thing, torch.Tensor):
            own = kind is nn.Parameter or (not handed and thing.requires_grad and thing.is_leaf)
            self._keep(at, thing, "parameter" if own else "tensor", tensor_state)
        elif isinstance(thing, nn.Module):
            self._add_module(at, thing)
        elif kind is list or kind is tuple:
            if kind is list:
                self._keep(at, thing, "container", list)
            for index, item in enumerate(thing):
                self.add(f"{at}[{index}]", item, handed)
        elif kind is dict:
            self._keep(at, thing, "container", dict)
            for key, item in thing.items():
                self.add(f"{at}[{key!r}]", item, handed)
        elif isinstance(thing, torch.optim.Optimizer):
            for index, group in enumerate(thing.param_groups):
                self.add(f"{at}.param_groups[{index}]", group, handed)
        else:
            for name, inner in _held_by(thing):
                self.add(f"{at}.{name}" if name else at, inner, False)

    def _keep(self, at: str, thing: Any, of: str, state: Callable[[Any], Any]) -> None:
        self._states.append((at, thing, of, state, state(thing)))

    def _add_module(self, at: str, module: nn.Module) -> None:
        self._keep(at, module, "module", module_state)
        for of, tensors in (("parameter", module._parameters), ("buffer", module._buffers)):
            for name, tensor in tensors.items():
                if tensor is not None and id(tensor) not in self._seen:
                    self._seen.add(id(tensor))
                    self._keep(f"{at}.{name}", tensor, of, tensor_state)
        for name, child in module._modules.items():
            self.add(f"{at}.{name}", child)

    def changes(self) -> Iterator[Change]:
        """Yield what is not as it was; put back what changed in the process, so that nothing else suffers from it."""
        for at, thing, of, state, before in self._states:
            after = state(thing)
            if state in (list, dict):
                if not _same_items(before, after):
                    yield Change(at, "items", of)
            elif after != before:
                now = _numbers(thing) if of == "buffer" else ()
                for what in before.differences(after):
                    yield Change(at, what, of, now)
        after = process_state()
        if after != self._process:
            for what, one, other in zip(PROCESS, self._process, after, strict=True):
                if one != other:
                    yield Change("", what, "process")
                    PROCESS[what](one)


class TensorState(NamedTuple):
    """What of a tensor is compared."""

    requires_grad: bool
    shape: torch.Size
    dtype: torch.dtype
    bits: bytes | None
    grad: tuple[Any, ...] | None
    hooks: tuple[int, ...]

    def differences(self, after: TensorState) -> Iterator[str]:
        """Yield what distinguishes a later state, as keys of `diagnosis.damage.DAMAGE`."""
        if self.shape != after.shape or self.dtype != after.dtype:
            yield "shape" if self.shape != after.shape else "dtype"
        elif self.bits != after.bits:
            yield "numbers"
        if self.requires_grad != after.requires_grad:
            yield "requires_grad on" if after.requires_grad else "requires_grad off"
        if self.grad != after.grad:
            yield "grad filled" if self.grad is None else "grad cleared" if after.grad is None else "grad changed"
        if self.hooks != after.hooks:
            yield "hook left" if set(after.hooks) - set(self.hooks) else "hook removed"


def tensor_state(tensor: torch.Tensor) -> TensorState:
    """Return what of a tensor is compared."""
    grad = tensor.grad if tensor.is_leaf or tensor.retains_grad else None  # torch warns at other tensors
    hooks, later = tensor._backward_hooks, tensor._post_accumulate_grad_hooks
    return TensorState(
        tensor.requires_grad,
        tensor.shape,
        tensor.dtype,
        bits_of(tensor),
        None if grad is None else (grad.shape, grad.dtype, bits_of(grad)),
        (*(hooks or ()), *(later or ())) if hooks or later else (),
    )


def bits_of(tensor: torch.Tensor) -> bytes | None:
    """Return a tensor's elements as bytes; None if they cannot be read, as inside a transform of `torch.func`."""
    try:
        if not tensor.is_cpu:
            with _disable_current_modes(), torch.no_grad():
                tensor = tensor.detach().to("cpu")
                return bits_of(tensor) if tensor.is_cpu else None
        if not tensor.numel():
            return b""
        if tensor.is_contiguous():
            return ctypes.string_at(tensor.data_ptr(), tensor.nbytes)
        size, strides = tensor.itemsize, tensor.stride()
        span = 1 + sum((length - 1) * stride for length, stride in zip(tensor.shape, strides, strict=True))
        within = ctypes.string_at(tensor.data_ptr(), span * size)
        return numpy.ndarray(tuple(tensor.shape), f"V{size}", within, 0, [size * one for one in strides]).tobytes()
    except (RuntimeError, NotImplementedError):
        return None


def _numbers(tensor: torch.Tensor) -> tuple[float, ...]:
    with _disable_current_modes(), torch.no_grad():
        return tuple(map(float, tensor.detach().reshape(-1)[:MOST_NUMBERS].tolist()))


class ModuleState(NamedTuple):
    """What of a module itself is compared."""

    training: bool
    forward: Any
    tensors: tuple[int, ...]
    children: tuple[int, ...]
    hooks: tuple[int, ...]

    def differences(self, after: ModuleState) -> Iterator[str]:
        """Yield what distinguishes a later state, as keys of `diagnosis.damage.DAMAGE`."""
        if self.training != after.training:
            yield "mode"
        if self.forward is not after.forward:
            yield "forward"
        if self.tensors != after.tensors:
            yield "parameters replaced"
        if self.children != after.children:
            yield "children replaced"
        if self.hooks != after.hooks:
            yield "hook left" if set(after.hooks) - set(self.hooks) else "hook removed"


def module_state(module: nn.Module) -> ModuleState:
    """Return what of a module itself is compared."""
    own = module.__dict__
    return ModuleState(
        module.training,
        own.get("forward"),
        (*map(id, own["_parameters"].values()), *map(id, own["_buffers"].values())),
        (*map(id, own["_modules"].values()),),
        (*own["_forward_hooks"], *own["_forward_pre_hooks"], *own["_backward_hooks"], *own["_backward_pre_hooks"]),
    )


def _same_items(before: Any, after: Any) -> bool:
    if len(before) != len(after):
        return False
    if isinstance(before, dict):
        return list(before) == list(after) and _same_items(list(before.values()), list(after.values()))
    return all(
        a is b or (type(a) is type(b) and type(a) in PLAIN and a == b) for a, b in zip(before, after, strict=True)
    )


def _held_by(thing: Any) -> Iterator[tuple[str, Any]]:
    """Yield the tensors, modules and functions that a function holds: closed over, bound, or named globals."""
    if isinstance(thing, types.FunctionType):
        for name, cell in zip(thing.__code__.co_freevars, thing.__closure__ or (), strict=True):
            try:
                inner = cell.cell_contents
            except ValueError:  # not yet filled
                continue
            if _is_state(inner):
                yield name, inner
        for name in thing.__code__.co_names:
            if _is_state(inner := thing.__globals__.get(name)):
                yield name, inner
    elif isinstance(thing, types.MethodType):
        yield "", thing.__self__
    elif isinstance(thing, functools.partial):
        yield from (("", inner) for inner in (thing.func, *thing.args, *thing.keywords.values()) if _is_state(inner))


def _is_state(thing: Any) -> bool:
    """Return whether a thing belongs to whoever closes over it: no list, in which a function may note its calls."""
    return isinstance(thing, torch.Tensor | nn.Module | types.FunctionType | types.MethodType | functools.partial)


def named_state(names: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the tensors and modules among a program's global names."""
    for name, value in names.items():
        if isinstance(value, torch.Tensor | nn.Module):
            yield f"={name}", value


_GLOBAL_HOOKS = [
    hooks
    for name, hooks in vars(all_modules).items()
    if name.startswith("_global_") and isinstance(hooks, dict) and "hooks" in name
]


def _drop_global_hooks(keys: tuple[int, ...]) -> None:
    for hooks in _GLOBAL_HOOKS:
        for key in set(hooks) - set(keys):
            del hooks[key]


PROCESS: dict[str, Callable[[Any], object]] = {
    "grad mode": torch.set_grad_enabled,
    "inference mode": lambda before: None,
    "default dtype": torch.set_default_dtype,
    "default device": torch.set_default_device,
    "anomaly mode": torch.autograd.set_detect_anomaly,
    "threads": torch.set_num_threads,
    "hooks of all modules": _drop_global_hooks,
}
"""The state of the process that is compared, each with what puts it back."""


def process_state() -> tuple[Any, ...]:
    """Return the state of the process, in the order of `PROCESS`."""
    return (
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch.get_default_dtype(),
        _device.CURRENT_DEVICE,
        torch.is_anomaly_enabled(),
        torch.get_num_threads(),
        tuple(key for hooks in _GLOBAL_HOOKS for key in hooks),
    )
