"""All operators that are applied to every solution: Cosmic Ray's and ours."""

from cosmic_ray.operators.operator import Operator

from tests.mutants.operators import arithmetic, calls, conditions, library, names, statements
from tests.mutants.operators.rewriting import rewrites_of

OPERATORS: tuple[type[Operator], ...] = (
    *library.operators(),
    *(one for module in (arithmetic, calls, conditions, names, statements) for one in rewrites_of(module)),
)

__all__ = ["OPERATORS"]
