"""Devices that questions are asked on: which one a name means here, and how to make it compute like the CPU.

The grader always computes the right answer on the CPU. A question on another device has its tensors there but draws
its random numbers from the CPU's generator, so that a program that draws weights gets the same ones on every device.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch

from autograder.probes.random_numbers import CPURandomNumbers

CPU = "cpu"
DEVICES = (CPU, "cuda", "mps", "lazy")
"""The devices that a question can be asked on. `lazy`, torch's deferred device, needs no hardware: it is for tests."""
CHOICES = ("cpu", "cuda", "mps", "auto")
"""The devices that a command line accepts."""
WITHOUT_FLOAT64 = ("mps",)
LOST = "CUDA error"
"""The beginning of what torch says when a GPU fails, as at an index out of range, and from then on in that process."""


class DeviceError(ValueError):
    """The machine lacks the device; the message says what to do."""


def resolve(name: str | torch.device) -> str:
    """Return the type of device that a name means on this machine.

    Args:
        name: a device, also as torch names it, or "auto": CUDA if available, else MPS, else the CPU.

    Raises:
        DeviceError: if no check runs on such a device or this machine has none.
    """
    name = str(name)
    if name == "auto":
        return next(kind for kind in ("cuda", "mps", CPU) if _missing(kind) is None)
    kind = name.partition(":")[0]
    if kind not in DEVICES:
        raise DeviceError(f"no check runs on the device {name!r}: choose one of {', '.join(CHOICES)}")
    if (missing := _missing(kind)) is not None:
        raise DeviceError(f"there is no {kind.upper()} device here ({missing}): leave it out, or choose cpu")
    return kind


def _missing(kind: str) -> str | None:
    """Return why this machine has no device of this type; None if it has one."""
    if kind == "cuda" and not torch.cuda.is_available():
        return f"torch {torch.__version__} sees none" if torch.version.cuda else "this build of torch has no CUDA"
    if kind == "mps" and not torch.backends.mps.is_available():
        return f"torch {torch.__version__} sees none" if torch.backends.mps.is_built() else "this is no Mac with one"
    return None


def begin(kind: str, memory: int) -> None:
    """Make a device this process's default for good and limit its memory.

    Args:
        kind: a type of device, as `resolve` returns it.
        memory: bytes of the device's memory that torch may allocate in this process.

    Raises:
        DeviceError: if this machine has no such device.
    """
    if kind == CPU:
        return
    resolve(kind)
    if kind == "cuda":
        total = torch.cuda.get_device_properties(0).total_memory
        torch.cuda.set_per_process_memory_fraction(min(1.0, memory / total), 0)
    elif kind == "mps":
        recommended = torch.mps.recommended_max_memory()
        torch.mps.set_per_process_memory_fraction(min(1.0, memory / recommended))
    make_ready(kind)
    torch.set_default_device(kind)


def make_ready(kind: str) -> None:
    """Initialise a device, once per process, before the first tensor is made on it."""
    if kind == "lazy" and not _lazy_is_ready:
        import torch._lazy.ts_backend

        torch._lazy.ts_backend.init()
        _lazy_is_ready.append(True)


_lazy_is_ready: list[bool] = []  # torch ends the process if it is initialised twice


@contextlib.contextmanager
def cpu_numerics(kind: str) -> Iterator[None]:
    """Make a device compute as much like the CPU as it can within the block, with the CPU's random numbers."""
    if kind == CPU:
        yield
        return
    make_ready(kind)
    with contextlib.ExitStack() as stack:
        if kind == "cuda":
            # TF32 keeps 10 of a float32's 23 bits of mantissa, and convolutions use it by default.
            stack.enter_context(torch.backends.cudnn.flags(benchmark=False, deterministic=True, allow_tf32=False))
            matmul = torch.backends.cuda.matmul
            stack.callback(setattr, matmul, "allow_tf32", matmul.allow_tf32)
            matmul.allow_tf32 = False
        stack.enter_context(CPURandomNumbers(kind))
        yield
