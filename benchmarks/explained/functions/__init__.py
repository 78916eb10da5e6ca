"""Right Functions, each with typical inputs; their `backward` is plain torch code, so that it can be mutated."""

from __future__ import annotations

from typing import Any

from benchmarks.explained.functions import (
    elementwise,
    indexing,
    losses,
    normalisations,
    piecewise,
    reductions,
    two_arguments,
)

MODULES = (elementwise, piecewise, two_arguments, reductions, normalisations, indexing, losses)
FUNCTIONS: dict[type, tuple[Any, ...]] = {one: given for module in MODULES for one, given in module.INPUTS.items()}

__all__ = ["FUNCTIONS"]
