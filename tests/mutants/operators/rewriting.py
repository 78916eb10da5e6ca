"""Write an operator as a function: from a node of the syntax tree to the code that may stand in its place.

@rewriting(("f(a, b)", "f(b, a)"))
def swapped_arguments(node):
    ...
    yield "b, a"

The result is an operator as Cosmic Ray defines them, with the given pairs as its examples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import parso
from cosmic_ray.operators.operator import Example, Operator

Rewrites = Callable[[Any], Iterator[str]]


class Rewriting(Operator):
    """An operator made of a function; see `rewriting`."""

    rewrites: Rewrites
    pairs: tuple[tuple[str, ...], ...]

    def mutation_positions(self, node: Any) -> Iterator[tuple]:
        """One position for each rewriting of the node."""
        for _ in type(self).rewrites(node):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        """The rewriting of that index, with the space and the comments that stood before the node."""
        return parso.parse(node.get_first_leaf().prefix + list(type(self).rewrites(node))[index])

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        """Code before and after, for the occurrence of that index."""
        afters = [(before, after, index) for before, *rest in cls.pairs for index, after in enumerate(rest)]
        return tuple(Example(*one) for one in afters)


def rewriting(*examples: tuple[str, ...]) -> Callable[[Rewrites], type[Operator]]:
    """Make an operator of the decorated function.

    Args:
        examples: each is code, followed by what each occurrence in turn makes of it.
    """

    def make(function: Rewrites) -> type[Operator]:
        members = {"rewrites": staticmethod(function), "pairs": examples, "__doc__": function.__doc__}
        return type(function.__name__, (Rewriting,), members)

    return make


def rewrites_of(module: ModuleType) -> list[type[Operator]]:
    """The operators that a module defines, in its order."""
    return [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, Rewriting)]


def code(node: Any) -> str:
    """A node's text without what stands before it."""
    return node.get_code(include_prefix=False)


def items(node: Any) -> list[str]:
    """The texts of what the commas in a node separate."""
    return [code(child) for child in node.children if not is_leaf(child, ",")]


def is_leaf(node: Any, *values: str) -> bool:
    """Whether the node is one of these operators or keywords."""
    return node is not None and node.type in ("operator", "keyword") and node.value in values


def is_trailer(node: Any, opening: str) -> bool:
    """Whether the node is a call "(", an index "[" or an attribute "." of what stands before it."""
    return node.type == "trailer" and is_leaf(node.children[0], opening)
