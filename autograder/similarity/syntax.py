"""Code as sequences of labelled syntax nodes, normalised so that superficial changes to copied code do not show.

Parsing removes formatting and comments; docstrings and annotations are dropped; every name that a cell binds gets the
same label, and so does every number and every string. A name that the cell does not bind (torch, `backward`,
`requires_grad`) keeps it, whatever alias it was imported under. Each function and method is a sequence of its own, so
their order does not matter.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

Labelled = tuple[str, int]
"""A syntax node's label and its line, from 1."""
MAGIC = re.compile(r"^([^\S\n]*+)[%!?].*$|^([^\S\n]*+).*\?$", re.MULTILINE)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DROPPED = {"annotation", "returns", "ctx", "type_comment", "type_ignores", "type_params"}


class NotPythonError(ValueError):
    """The source of a cell does not parse; the message says why, on one line."""


def parse(source: str) -> ast.Module:
    """Parse a cell's source, with IPython's magic lines ignored. Nothing is compiled or run.

    Raises:
        NotPythonError: it is not Python, or is nested too deep for the parser.
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
    """Yield the labelled nodes of each function and method in source order, then of the code between them."""
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
    """Labels the syntax nodes of a cell, with the names that it binds made anonymous."""

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
        """Return these nodes and all below them, labelled, in source order; without recursion, so any depth is safe."""
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
