"""Make the mutants of a published solution; no two have the same normalised source."""

from __future__ import annotations

import ast
import dataclasses
import difflib
import functools
from collections.abc import Iterable, Iterator

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator

from autograder.proving.mutants.operators import OPERATORS

Place = tuple[type[Operator], int]
"""A mutation operator and the index of its occurrence in a source."""


@dataclasses.dataclass(frozen=True)
class Change:
    """What a mutant changes; identifies the mutant from one run to the next.

    Attributes:
        within: the qualified name of the function; empty at the top level of the cell.
        was: the lines from the first changed to the last, as `ast.unparse` writes them, without indentation.
        wrote: what the mutant has instead.
    """

    within: str
    was: str
    wrote: str


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A published solution with one change.

    Attributes:
        task: the task's name.
        operator: name of the operator that made the change.
        source: the whole cell.
        original: the published cell.
    """

    task: str
    operator: str
    source: str
    original: str

    @property
    def change(self) -> Change:
        """Return the difference from the published solution."""
        return change_between(self.original, self.source)

    @property
    def diff(self) -> str:
        """Return a unified diff against the published solution."""
        lines = self.original.splitlines(), self.source.splitlines()
        return "\n".join(list(difflib.unified_diff(*lines, self.task, self.operator, lineterm="", n=1)))


def places(source: str) -> list[Place]:
    """List all occurrences of all operators in a source."""
    nodes = list(ast_nodes(get_ast(source)))
    found = []
    for operator in OPERATORS:
        count = sum(1 for node in nodes for _ in operator().mutation_positions(node))
        found += [(operator, index) for index in range(count)]
    return found


def mutants(task: str, source: str, at: Iterable[Place] | None = None) -> Iterator[Mutant]:
    """Yield the distinct mutants of a solution; see `distinct`.

    Args:
        task: the task's name.
        source: the published solution's cell.
        at: the places to change; all of them by default.
    """
    made = ((o.__name__, mutate_code(source, o(), i)) for o, i in (places(source) if at is None else at))
    return distinct(task, source, made)


def distinct(task: str, source: str, changed: Iterable[tuple[str, str | None]]) -> Iterator[Mutant]:
    """Yield mutants of (operator, changed source) pairs; drop those that do not compile, and duplicates."""
    seen = {normal(source)}
    for operator, text in changed:
        try:
            key = normal(text or "")
            compile(text or "", task, "exec")
        except (SyntaxError, ValueError):
            continue
        if text and key not in seen:
            seen.add(key)
            yield Mutant(task, operator, text, source)


@functools.lru_cache(maxsize=10_000)
def normal(source: str) -> str:
    """Strip a source of what no answer depends on: comments, layout, docstrings, annotations, dead code."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body = node.body[: _ending(node.body) + 1]
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
    return ast.unparse(tree)


def _ending(body: list[ast.stmt]) -> int:
    """Return the index of the first `return` or `raise` in a body, or its length; the statements after it are dead."""
    ends = (i for i, one in enumerate(body) if isinstance(one, ast.Return | ast.Raise))
    return next(ends, len(body))


def change_between(original: str, changed: str) -> Change:
    """Return the lines that differ, and the function that contains them."""
    before, after = normal(original).splitlines(), normal(changed).splitlines()
    start = _shared(before, after)
    same = _shared(before[start:][::-1], after[start:][::-1])
    was, wrote = ("\n".join(line.strip() for line in lines[start : len(lines) - same]) for lines in (before, after))
    return Change(_function_at("\n".join(before), start + 1), was, wrote)


def _shared(one: list[str], other: list[str]) -> int:
    """Count the lines that two texts have in common before the first difference."""
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _function_at(source: str, line: int) -> str:
    def names(node: ast.AST) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.ClassDef) and child.lineno <= line <= (child.end_lineno or 0):
                yield child.name
                yield from names(child)

    return ".".join(names(ast.parse(source)))
