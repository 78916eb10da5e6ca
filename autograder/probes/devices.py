"""Where questions are asked: which device a name means here, and what it needs to answer as the CPU does.

The grader always computes what is right on the CPU. A question that is asked elsewhere gets its tensors there, and
its random numbers from the CPU's generator: a program that draws weights means the same numbers on every device.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch

from autograder.probes.random_numbers import RandomFromTheCPU

CPU = "cpu"
DEVICES = (CPU, "cuda", "mps", "lazy")
"""What a question can be asked on. `lazy` is torch's own deferred device: it needs no hardware, and serves to test."""
CHOICES = ("cpu", "cuda", "mps", "auto")
"""What a person may ask for on a command line."""
WITHOUT_FLOAT64 = ("mps",)


class DeviceError(ValueError):
    """The device is not here; the message says what to do."""


def resolve(name: str) -> str:
    """The type of the device that a person means.

    Args:
        name: a device as torch names it, or "auto": CUDA where there is one, else MPS, else the CPU.

    Raises:
        DeviceError: where it is not here, or where torch knows none of that name.
    """
    if name == "auto":
        return next(kind for kind in ("cuda", "mps", CPU) if _missing(kind) is None)
    kind = name.partition(":")[0]
    if kind not in DEVICES:
        raise DeviceError(f"no check runs on the device {name!r}: choose one of {', '.join(CHOICES)}")
    if (missing := _missing(kind)) is not None:
        raise DeviceError(f"there is no {kind.upper()} device here ({missing}): leave it out, or choose cpu")
    return kind


def _missing(kind: str) -> str | None:
    """Why there is none of this kind; None where there is one."""
    if kind == "cuda" and not torch.cuda.is_available():
        return f"torch {torch.__version__} sees none" if torch.version.cuda else "this build of torch has no CUDA"
    if kind == "mps" and not torch.backends.mps.is_available():
        return f"torch {torch.__version__} sees none" if torch.backends.mps.is_built() else "this is no Mac with one"
    return None


def begin(kind: str, memory: int) -> None:
    """Make a device ready in this process, for good: what a notebook makes from now on is made there.

    Args:
        kind: as `resolve` gives it.
        memory: bytes of the device's memory that torch may allocate in this process.

    Raises:
        DeviceError: where there is none.
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
    """What must have happened in a process before it makes its first tensor there."""
    if kind == "lazy" and not _lazy_is_ready:
        import torch._lazy.ts_backend

        torch._lazy.ts_backend.init()
        _lazy_is_ready.append(True)


_lazy_is_ready: list[bool] = []  # torch ends the process where it is initialised twice


@contextlib.contextmanager
def numbers_of_the_cpu(kind: str) -> Iterator[None]:
    """Inside the block, a device computes as much like the CPU as it can, and draws the CPU's random numbers."""
    if kind == CPU:
        yield
        return
    make_ready(kind)
    with contextlib.ExitStack() as stack:
        if kind == "cuda":
            # TF32 keeps 10 bits of a float32's 23, and convolutions use it unless they are told otherwise.
            stack.enter_context(torch.backends.cudnn.flags(benchmark=False, deterministic=True, allow_tf32=False))
            matmul = torch.backends.cuda.matmul
            stack.callback(setattr, matmul, "allow_tf32", matmul.allow_tf32)
            matmul.allow_tf32 = False
        stack.enter_context(RandomFromTheCPU(kind))
        yield
