"""The state of the process that a call may change, and how it is put back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.autograd import forward_ad
from torch.nn.modules import module as all_modules
from torch.utils import _device

_GLOBAL_HOOKS = [
    hooks
    for name, hooks in vars(all_modules).items()
    if name.startswith("_global_") and isinstance(hooks, dict) and "hooks" in name
]


def _drop_global_hooks(keys: tuple[int, ...]) -> None:
    for hooks in _GLOBAL_HOOKS:
        for key in set(hooks) - set(keys):
            del hooks[key]


def _saving_hooks() -> Any:
    """Return the innermost pair of hooks for all saved tensors; None if there is none."""
    return torch._C._autograd._top_saved_tensors_default_hooks(True)


def _leave_levels(before: int) -> None:
    while forward_ad._current_level > before:
        forward_ad.exit_dual_level()


def _leave_saving_hooks(before: Any) -> None:
    while (now := _saving_hooks()) is not None and now != before:
        torch._C._autograd._pop_saved_tensors_default_hooks()


def contexts() -> tuple[int, Any]:
    """Return which contexts the process is in that are entered and left by calls, not by a setting."""
    return forward_ad._current_level, _saving_hooks()


def leave_contexts(before: tuple[int, Any]) -> None:
    """Leave those that were entered since `contexts` returned `before`."""
    level, hooks = before
    _leave_levels(level)
    _leave_saving_hooks(hooks)


PROCESS: dict[str, Callable[[Any], object]] = {
    "grad mode": torch.set_grad_enabled,
    "inference mode": lambda before: None,
    "default dtype": torch.set_default_dtype,
    "default device": torch.set_default_device,
    "anomaly mode": torch.autograd.set_detect_anomaly,
    "deterministic algorithms": torch.set_deterministic_debug_mode,
    "threads": torch.set_num_threads,
    "forward-mode level": _leave_levels,
    "hooks of saved tensors": _leave_saving_hooks,
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
        torch.get_deterministic_debug_mode(),
        torch.get_num_threads(),
        *contexts(),
        tuple(key for hooks in _GLOBAL_HOOKS for key in hooks),
    )
