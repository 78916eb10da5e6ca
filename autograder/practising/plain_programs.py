"""Programs without comments, docstrings and annotations, line by line, and one told in the names of another."""

from __future__ import annotations

import ast
import copy
import difflib
from collections import Counter

Lines = list[str]


def plain_lines(source: str) -> Lines:
    """Return a cell's lines as Python writes them, one statement each, without what would tell programs apart."""
    tree = _Plain().visit(ast.parse(source))
    tree.body = [one for one in tree.body if not _is_text(one)]  # a note of the author's
    lines = ast.unparse(ast.fix_missing_locations(tree)).splitlines()
    return [line for line in lines if line.strip()]


def renamed(lines: Lines, like: Lines) -> Lines:
    """Return a program in which local names are those that another program uses in the same places.

    Args:
        lines: the program.
        like: the program whose names it gets.
    """
    tree, other = ast.parse("\n".join(lines)), ast.parse("\n".join(like))
    own, theirs = _locals(tree), _locals(other)
    votes: Counter[tuple[str, str]] = Counter()
    here, there = _skeletons(lines, own), _skeletons(like, theirs)
    for kind, a, b, c, d in difflib.SequenceMatcher(None, here, there, autojunk=False).get_opcodes():
        if kind in ("equal", "replace") and b - a == d - c:
            for one, two in zip(lines[a:b], like[c:d], strict=True):
                names, counterparts = _names_in(one, own), _names_in(two, theirs)
                if len(names) == len(counterparts):
                    votes.update(zip(names, counterparts, strict=True))
    names_for: dict[str, str] = {}
    for (old, new), _ in votes.most_common():
        if old not in names_for and new not in names_for.values():
            names_for[old] = new
    for name in own - names_for.keys():  # a name of its own that the other program uses for something else
        if name in names_for.values() or name in theirs:
            names_for[name] = f"{name}_"
    return ast.unparse(_Renamed(names_for).visit(copy.deepcopy(tree))).splitlines() if names_for else lines


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


class _Plain(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        given = node.args
        for one in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg):
            if one is not None:
                one.annotation = None
        return self._without_docstring(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._without_docstring(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        return node if node.value is None else ast.Assign([node.target], node.value)

    def _without_docstring(self, node: ast.FunctionDef | ast.ClassDef) -> ast.AST:
        first = node.body[0]
        if len(node.body) > 1 and isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            node.body = node.body[1:]
        self.generic_visit(node)
        return node


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self._names.get(node.arg, node.arg)
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        node.names = [self._names.get(name, name) for name in node.names]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._names.get(node.name, node.name)
        self.generic_visit(node)
        return node


def _locals(tree: ast.Module) -> set[str]:
    """Return the names of parameters, of variables in functions, and of inner functions."""
    found: set[str] = set()
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)):
        for node in ast.walk(function):
            if isinstance(node, ast.arg):
                found.add(node.arg)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, ast.FunctionDef) and node is not function:
                found.add(node.name)
    return found - {"self", "ctx"}


def _skeletons(lines: Lines, names: set[str]) -> Lines:
    return ["".join("_" if word in names else word for word in _words(line)) for line in lines]


def _names_in(line: str, names: set[str]) -> list[str]:
    return [word for word in _words(line) if word in names]


def _words(line: str) -> list[str]:
    words, word = [], ""
    for character in line:
        if character.isalnum() or character == "_":
            word += character
            continue
        words += [word, character] if word else [character]
        word = ""
    return [*words, word] if word else words
