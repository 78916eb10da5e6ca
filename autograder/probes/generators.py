"""The states of the random generators of the process: whether a call has drawn from one, and what to restore.

NumPy copies its global generator's state number by number, which takes longer than many questions. Its bits are
compared and restored where they lie instead, and the state is read again only when they have changed.
"""

from __future__ import annotations

import ctypes
import random
from typing import Any

import numpy
import torch

from autograder.probes.states import bits_of

DRAWN = "random numbers"
"""What a call is reported to have changed if it drew from one of them."""
BYTES = 624 * 4 + 4
"""Bytes of a Mersenne Twister's state: its numbers and the position among them."""

_read: tuple[bytes, Any] | None = None


def generator_states() -> tuple[object, ...]:
    """Return the states of torch's generator on the CPU, Python's and NumPy's, in a form that can be compared."""
    return bits_of(torch.default_generator.get_state()), random.getstate(), _numpy_bits()


def numpy_state() -> Any:
    """Return what `numpy.random.get_state` returns."""
    global _read
    bits = _numpy_bits()
    if _read is None or _read[0] != bits:
        state: Any = numpy.random.get_state()
        if state[3]:  # it holds a number in reserve, which may be taken without a change of its bits
            return state
        _read = bits, state
    return _read[1]


def restore_numpy(state: Any) -> None:
    """Do what `numpy.random.set_state` does.

    Args:
        state: as `numpy_state` returned it.
    """
    generator = numpy.random.get_bit_generator()  # type: ignore[attr-defined]  # of NumPy's own documentation
    if _read is None or _read[1] is not state or not isinstance(generator, numpy.random.MT19937):
        numpy.random.set_state(state)
    else:
        numpy.random.seed(0)  # drops a number in reserve
        ctypes.memmove(generator.ctypes.state_address, _read[0], BYTES)


def _numpy_bits() -> bytes:
    generator = numpy.random.get_bit_generator()  # type: ignore[attr-defined]  # of NumPy's own documentation
    if isinstance(generator, numpy.random.MT19937):
        return ctypes.string_at(generator.ctypes.state_address, BYTES)
    return repr(generator.state).encode()
