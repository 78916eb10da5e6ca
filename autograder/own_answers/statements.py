"""Statements of parsed code by line, and code objects by name."""

from __future__ import annotations

import ast
from types import CodeType

Statement = ast.stmt


def statements_of(tree: ast.AST) -> dict[int, Statement]:
    """Return the innermost statement on each line, for code that has been parsed."""
    found: dict[int, Statement] = {}
    for node in ast.walk(tree):  # outer statements come before inner ones
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else (node.end_lineno or node.lineno)
            first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
            for line in range(first, max(last, node.lineno) + 1):
                found[line] = node
    return found


LOOPS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.Await, ast.Yield, ast.YieldFrom)
"""Expressions that make it unclear how often a line runs."""
SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return, ast.Raise, ast.Delete, ast.Assert)


def alone(tree: ast.AST) -> set[int]:
    """Return the lines that hold exactly one simple statement, which runs once whenever the line does."""
    taken: dict[int, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            for line in {node.lineno, node.end_lineno or node.lineno}:
                taken[line] = taken.get(line, 0) + 1
    return {
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, SIMPLE)
        and node.lineno == node.end_lineno
        and taken[node.lineno] == 1
        and not any(isinstance(inner, LOOPS) for inner in ast.walk(node))
    }


def codes_by_name(code: CodeType) -> dict[str, CodeType | None]:
    """Return all code objects inside one by their qualified names; None for a name that several have."""
    found: dict[str, CodeType | None] = {}
    waiting = [code]
    while waiting:
        for inner in waiting.pop().co_consts:
            if isinstance(inner, CodeType):
                found[inner.co_qualname] = None if inner.co_qualname in found else inner
                waiting.append(inner)
    return found
