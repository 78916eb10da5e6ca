"""Define a mutation operator by a function from a node of the syntax tree to the code that may replace it.

@rewriting(("f(a, b)", "f(b, a)"))
def swapped_arguments(node):
    ...
    yield "b, a"

The decorator turns it into a Cosmic Ray operator with the given examples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import parso
from cosmic_ray.operators.operator import Example, Operator

Rewrites = Callable[[Any], Iterator[str]]


class Rewriting(Operator):  # type: ignore[misc]  # Cosmic Ray has no types
    """A Cosmic Ray operator defined by a function; see `rewriting`."""

    rewrites: Rewrites
    pairs: tuple[tuple[str, ...], ...]

    def mutation_positions(self, node: Any) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Yield the node's start and end, once for each of its rewritings."""
        for _ in type(self).rewrites(node):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        """Return the rewriting of that index, with the whitespace and comments that precede the node."""
        return parso.parse(node.get_first_leaf().prefix + list(type(self).rewrites(node))[index])

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        """Return each example as code before and after, with the index of the occurrence."""
        afters = [(before, after, index) for before, *rest in cls.pairs for index, after in enumerate(rest)]
        return tuple(Example(*one) for one in afters)


def rewriting(*examples: tuple[str, ...]) -> Callable[[Rewrites], type[Operator]]:
    """Turn the decorated function into an operator.

    Args:
        examples: each is code, followed by the results of its occurrences in turn.
    """

    def make(function: Rewrites) -> type[Operator]:
        members = {"rewrites": staticmethod(function), "pairs": examples, "__doc__": function.__doc__}
        return type(function.__name__, (Rewriting,), members)

    return make


def rewrites_of(module: ModuleType) -> list[type[Operator]]:
    """Return the operators that a module defines, in source order."""
    return [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, Rewriting)]


def code(node: Any) -> str:
    """Return a node's text without the whitespace and comments that precede it."""
    return str(node.get_code(include_prefix=False))


def items(node: Any) -> list[str]:
    """Return the texts of a node's comma-separated children."""
    return [code(child) for child in node.children if not is_leaf(child, ",")]


def is_leaf(node: Any, *values: str) -> bool:
    """Return whether a node is one of these operators or keywords."""
    return node is not None and node.type in ("operator", "keyword") and node.value in values


def is_trailer(node: Any, opening: str) -> bool:
    """Return whether a node is the trailer of a call "(", an index "[" or an attribute "."."""
    return node.type == "trailer" and is_leaf(node.children[0], opening)
