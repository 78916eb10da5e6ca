"""From a Function to its mutants: other Functions, of which `backward`, or what `forward` keeps, is changed."""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections.abc import Iterator
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

from autograder.proving.mutants.making import Change, distinct
from benchmarks.explained.kinds import KINDS


@dataclasses.dataclass(frozen=True)
class Changed:
    """A mutant of a Function.

    Attributes:
        of: the right Function.
        kind: of the mutation, a key of `KINDS`.
        change: what it changes.
        made: the wrong Function.
    """

    of: type
    kind: str
    change: Change
    made: Any


def mutants(function: type) -> list[Changed]:
    """Make the distinct mutants of a Function."""
    source = inspect.getsource(function)
    found = []
    for one in distinct(function.__name__, source, _changed(source)):
        if _is_of_the_backward_pass(one.change):
            names = dict(vars(sys.modules[function.__module__]))
            exec(compile(one.source, function.__name__, "exec"), names)
            found.append(Changed(function, one.operator, one.change, names[function.__name__]))
    return found


def _changed(source: str) -> Iterator[tuple[str, str | None]]:
    nodes = list(ast_nodes(get_ast(source)))
    for kind, operators in KINDS.items():
        for operator in operators:
            count = sum(1 for node in nodes for _ in operator().mutation_positions(node))
            for at in range(count):
                yield kind, mutate_code(source, operator(), at)


def _is_of_the_backward_pass(change: Change) -> bool:
    if change.within.endswith(".backward"):
        return True
    return change.within.endswith(".forward") and all("ctx." in line for line in change.was.splitlines())
