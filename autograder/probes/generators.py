"""The states of the random generators of the process, compared to tell whether a call has drawn from one."""

from __future__ import annotations

import random

import numpy
import torch

from autograder.probes.states import bits_of

DRAWN = "random numbers"
"""What a call is reported to have changed if it drew from one of them."""


def generator_states() -> tuple[object, ...]:
    """Return the states of torch's generator on the CPU, Python's and NumPy's, in a form that can be compared."""
    state = numpy.random.get_state(legacy=False)["state"]
    return bits_of(torch.default_generator.get_state()), random.getstate(), state["key"].tobytes(), state["pos"]
