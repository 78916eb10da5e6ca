"""The known state of the process that each question starts from, restored after the question."""

from __future__ import annotations

import contextlib
import io
import random
import sys
import warnings
from collections.abc import Iterator

import numpy
import torch

from autograder.probes.devices import CPU, cpu_numerics
from autograder.probes.generators import numpy_state, restore_numpy
from autograder.probes.process_state import contexts, leave_contexts

MOST_PRINTED = 10_000


class BoundedText(io.TextIOBase):
    """A text stream that keeps the first characters written to it and counts the rest."""

    def __init__(self, most: int = MOST_PRINTED) -> None:
        self._parts: list[str] = []
        self._left = most
        self.dropped = 0

    def write(self, text: str) -> int:
        """Accept any text; keep the part that still fits."""
        text = str(text)
        kept = text[: self._left]
        if kept:
            self._parts.append(kept)
            self._left -= len(kept)
        self.dropped += len(text) - len(kept)
        return len(text)

    def writable(self) -> bool:
        """Return True."""
        return True

    @property
    def text(self) -> str:
        """The characters that were kept, with a note on how many were dropped."""
        note = f"\n... and {self.dropped} more characters" if self.dropped else ""
        return "".join(self._parts) + note


def seed_torch(seed: int) -> None:
    """Seed torch like `torch.manual_seed`, but only the devices in use.

    For every other device `torch.manual_seed` queues a call with a stack trace, which takes longer than most
    questions.
    """
    torch.default_generator.manual_seed(seed)
    if torch.cuda.is_initialized():
        torch.cuda.manual_seed_all(seed)


@contextlib.contextmanager
def known_state(device: str = CPU) -> Iterator[BoundedText]:
    """Fix the process's state within the block and restore it afterwards.

    Grad mode is on, float32 the default dtype, anomaly mode off, every random generator seeded, output captured.

    Args:
        device: the default device within the block.

    Yields:
        The text that the block prints on stdout and stderr.
    """
    printed = BoundedText()
    stdout, stderr = sys.stdout, sys.stderr
    grad_mode, dtype = torch.is_grad_enabled(), torch.get_default_dtype()
    outer = torch.get_default_device()
    anomaly = torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()
    states = torch.get_rng_state(), numpy_state(), random.getstate()
    recursion, threads, entered = sys.getrecursionlimit(), torch.get_num_threads(), contexts()
    with warnings.catch_warnings(), cpu_numerics(device):
        warnings.simplefilter("ignore")
        try:
            sys.stdout = sys.stderr = printed
            torch.set_grad_enabled(True)
            torch.set_default_dtype(torch.float32)
            torch.set_default_device(_mode(device))
            torch.autograd.set_detect_anomaly(False)
            seed_torch(0)
            numpy.random.seed(0)
            random.seed(0)
            yield printed
        finally:
            sys.stdout, sys.stderr = stdout, stderr
            leave_contexts(entered)
            torch.set_grad_enabled(grad_mode)
            torch.set_default_dtype(dtype)
            torch.set_default_device(_mode(str(outer)))
            torch.autograd.set_detect_anomaly(*anomaly)
            torch.set_rng_state(states[0])
            restore_numpy(states[1])
            random.setstate(states[2])
            sys.setrecursionlimit(recursion)
            if torch.get_num_threads() != threads:
                torch.set_num_threads(threads)


def _mode(device: str) -> str | None:
    """Return the argument for `torch.set_default_device`; None for the CPU, as "cpu" intercepts every operation."""
    return None if device == CPU else device
