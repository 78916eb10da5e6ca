"""Each question starts from one known state and leaves the process as it found it."""

from __future__ import annotations

import contextlib
import io
import random
import sys
import warnings
from collections.abc import Iterator

import numpy
import torch

from autograder.probes.devices import CPU, numbers_of_the_cpu

MOST_PRINTED = 10_000


class BoundedText(io.TextIOBase):
    """Keeps the first characters that are written to it and counts the rest."""

    def __init__(self, most: int = MOST_PRINTED) -> None:
        self._parts: list[str] = []
        self._left = most
        self.dropped = 0

    def write(self, text: str) -> int:
        """Accept any text; keep what still fits."""
        text = str(text)
        kept = text[: self._left]
        if kept:
            self._parts.append(kept)
            self._left -= len(kept)
        self.dropped += len(text) - len(kept)
        return len(text)

    def writable(self) -> bool:
        """Always."""
        return True

    @property
    def text(self) -> str:
        """What was kept, with a note on what was not."""
        note = f"\n... and {self.dropped} more characters" if self.dropped else ""
        return "".join(self._parts) + note


def seed_torch(seed: int) -> None:
    """What torch.manual_seed does, for the devices in use.

    For those that are not, torch.manual_seed queues a call with a stack trace each, which takes longer than
    most questions do.
    """
    torch.default_generator.manual_seed(seed)
    if torch.cuda.is_initialized():
        torch.cuda.manual_seed_all(seed)


@contextlib.contextmanager
def known_state(device: str = CPU) -> Iterator[BoundedText]:
    """Grad mode on, float32 as default, anomaly mode off, random state fixed, output captured.

    Args:
        device: the default device meanwhile.

    Yields:
        What the student's code prints on stdout and stderr; it costs nothing.
    """
    printed = BoundedText()
    stdout, stderr = sys.stdout, sys.stderr
    grad_mode, dtype = torch.is_grad_enabled(), torch.get_default_dtype()
    outer = torch.get_default_device()
    anomaly = torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()
    states = torch.get_rng_state(), numpy.random.get_state(), random.getstate()
    recursion, threads = sys.getrecursionlimit(), torch.get_num_threads()
    with warnings.catch_warnings(), numbers_of_the_cpu(device):
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
            torch.set_grad_enabled(grad_mode)
            torch.set_default_dtype(dtype)
            torch.set_default_device(_mode(str(outer)))
            torch.autograd.set_detect_anomaly(*anomaly)
            torch.set_rng_state(states[0])
            numpy.random.set_state(states[1])
            random.setstate(states[2])
            sys.setrecursionlimit(recursion)
            if torch.get_num_threads() != threads:
                torch.set_num_threads(threads)


def _mode(device: str) -> str | None:
    """What torch.set_default_device takes; for the CPU nothing, since "cpu" is a mode around every operation."""
    return None if device == CPU else device
