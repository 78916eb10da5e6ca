"""The mutation operators that are applied to every solution: Cosmic Ray's and ours."""

from cosmic_ray.operators.operator import Operator

from autograder.proving.mutants.operators import (
    arithmetic,
    call_expressions,
    conditions,
    identifiers,
    library,
    statements,
)
from autograder.proving.mutants.operators.rewriting import rewrites_of

MODULES = (arithmetic, call_expressions, conditions, identifiers, statements)
OPERATORS: tuple[type[Operator], ...] = (
    *library.operators(),
    *(one for module in MODULES for one in rewrites_of(module)),
)

__all__ = ["OPERATORS"]
