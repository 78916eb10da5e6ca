"""What of a tensor and of a module is compared: read without a torch operation, so that what counts them sees none."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy
import torch
from torch import nn
from torch.utils._python_dispatch import _disable_current_modes

MOST_NUMBERS = 64
"""How many numbers of a changed buffer are reported."""


class TensorState(NamedTuple):
    """What of a tensor is compared."""

    requires_grad: bool
    shape: torch.Size
    dtype: torch.dtype
    bits: bytes | None
    grad: tuple[Any, ...] | None
    hooks: tuple[int, ...]
    is_leaf: bool
    retains_grad: bool

    def differences(self, after: TensorState) -> Iterator[str]:
        """Yield what distinguishes a later state, as keys of `diagnosis.damage.DAMAGE`."""
        if self.shape != after.shape or self.dtype != after.dtype:
            yield "shape" if self.shape != after.shape else "dtype"
        elif self.bits != after.bits:
            yield "numbers"
        if self.requires_grad != after.requires_grad:
            yield "requires_grad on" if after.requires_grad else "requires_grad off"
        if self.is_leaf and not after.is_leaf:
            yield "leaf lost"  # and with it the way to `.grad`, which may be as it was
        elif self.grad != after.grad:
            zeros = after.grad is not None and after.grad[2] is not None and not any(after.grad[2])
            filled = ("grad zeros" if zeros else "grad filled") if self.is_leaf else "grad retained"
            yield filled if self.grad is None else "grad cleared" if after.grad is None else "grad changed"
        elif after.retains_grad and not self.retains_grad:
            yield "grad to be retained"
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
        tensor.is_leaf,
        tensor.retains_grad,
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


def first_numbers(tensor: torch.Tensor) -> tuple[float, ...]:
    """Return a tensor's first numbers, in the order of its elements."""
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
