"""Code as sequences of syntax nodes, without what a copyist changes first.

Formatting and comments are gone with the parsing; docstrings and annotations are dropped; every name that a cell
binds is the same label, and so is every number and every string. What a cell does not bind (torch, `backward`,
`requires_grad`) keeps its name, under whichever alias it was imported. Functions and methods are sequences of their
own, so their order does not matter.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

Labelled = tuple[str, int]
"""A node's label and its line."""
MAGIC = re.compile(r"^(\s*)[%!?].*$|^(\s*).*\?$", re.MULTILINE)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DROPPED = {"annotation", "returns", "ctx", "type_comment", "type_ignores", "type_params"}


class NotPythonError(ValueError):
    """The source of a cell does not parse; the message says why, on one line."""


def parse(source: str) -> ast.Module:
    """Parse a cell; IPython's own lines are passed over. Nothing is compiled or run.

    Raises:
        NotPythonError: where it is no Python, or nested too deep to be read.
    """
    try:
        return _parse(source)
    except NotPythonError:
        return _parse(MAGIC.sub(lambda match: f"{match[1] or match[2] or ''}pass", source))


def _parse(source: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except SyntaxError as error:
        raise NotPythonError(f"{error.msg}, line {error.lineno}") from None
    except (RecursionError, MemoryError, OverflowError):
        raise NotPythonError("it is nested too deep to be read") from None
    except ValueError as error:
        raise NotPythonError(str(error)) from None


def sequences(tree: ast.Module) -> Iterator[list[Labelled]]:
    """The functions and methods of a cell, and what stands between them, each as its nodes in order."""
    labels = _Labels(tree)
    waiting: list[tuple[ast.AST, list[ast.AST]]] = [(tree, list(tree.body))]
    while waiting:
        _, body = waiting.pop()
        between: list[ast.AST] = []
        for statement in body:
            if isinstance(statement, FUNCTIONS):
                yield labels.sequence([statement])
            elif isinstance(statement, ast.ClassDef):
                between += [*statement.bases, *statement.decorator_list]
                waiting.append((statement, list(statement.body)))
            else:
                between.append(statement)
        yield labels.sequence(between)


class _Labels:
    """How the nodes of a cell are called once its own names are taken away."""

    def __init__(self, tree: ast.Module) -> None:
        self.own: set[str] = set()
        self.imported: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                self.own.add(node.id)
            elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                self.own.add(f".{node.attr}")
            elif isinstance(node, ast.arg):
                self.own.add(node.arg)
            elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                self.own |= {node.name, f".{node.name}"}
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                where = f"{node.module or ''}." if isinstance(node, ast.ImportFrom) else ""
                self.imported |= {alias.asname or alias.name: where + alias.name for alias in node.names}

    def sequence(self, nodes: list[ast.AST]) -> list[Labelled]:
        """These nodes and all below them, in the order of the source; without recursion, however deep they are."""
        found, waiting = [], list(reversed(nodes))
        line = 0
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue  # a docstring, or a string that serves as a comment
            line = getattr(node, "lineno", line)
            found.append((self._label(node), line))
            waiting += reversed(list(_children(node)))
        return found

    def _label(self, node: ast.AST) -> str:
        kind = type(node).__name__
        if isinstance(node, ast.Name):
            return f"Name {self.imported.get(node.id, '' if node.id in self.own else node.id)}"
        if isinstance(node, ast.Attribute):
            return f"Attribute {'' if f'.{node.attr}' in self.own else node.attr}"
        if isinstance(node, ast.keyword):
            return f"keyword {'' if node.arg in self.own else node.arg}"
        if isinstance(node, ast.Constant):
            return f"Constant {_constant(node.value)}"
        return kind


def _constant(value: object) -> str:
    if value is None or isinstance(value, bool) or value is Ellipsis:
        return repr(value)
    return "number" if isinstance(value, (int, float, complex)) else "text"


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for name, value in ast.iter_fields(node):
        if name in DROPPED:
            continue
        if isinstance(value, ast.AST):
            yield value
        elif isinstance(value, list):
            yield from (item for item in value if isinstance(item, ast.AST))
