"""What several tasks of exercise 03 use."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from autograder.probes.programs import Program

Draw = Callable[[Random], tuple[Program]]
