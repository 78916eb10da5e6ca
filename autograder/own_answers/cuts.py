"""What can be taken out of a student's program: a statement, a keyword argument, a call such as `.clone()`."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
from collections import Counter
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from autograder.own_answers.source import OwnSource
from autograder.own_answers.statements import codes_by_name

CUT_FILE = "<your program, with a line taken out>"
KEPT = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Pass, ast.Raise)
"""Statements without which there is no program to speak of."""


@dataclasses.dataclass(frozen=True)
class Cut:
    """A change of a program that takes something out.

    Attributes:
        line: where.
        what: what goes, as the object of a sentence: "line 7" or "`retain_graph=True` in line 7".
        text: the changed cell.
    """

    line: int
    what: str
    text: str


def cuts_of(source: OwnSource) -> list[Cut]:
    """Return all cuts of the cell's functions, in the order of their lines; each still is valid Python."""
    inside = [node for node in ast.walk(source.tree) if isinstance(node, ast.FunctionDef)]
    last = {id(function.body[-1]) for function in inside if isinstance(function.body[-1], ast.Return)}
    first: dict[tuple[int, int], Cut] = {}
    for function in inside:
        for node in (part for statement in function.body for part in ast.walk(statement)):
            if id(node) in last:  # without it there is no result, which says nothing about the program
                continue
            for cut, key in _cuts(source, node):
                if _is_valid(cut.text):
                    first.setdefault(key, cut)
    named = Counter(cut.what for cut in first.values())
    return [first[key] for key in sorted(first) if named[first[key].what] == 1]  # two alike in a line have one name


def _cuts(source: OwnSource, node: ast.AST) -> Iterator[tuple[Cut, tuple[int, int]]]:
    if isinstance(node, ast.stmt) and not isinstance(node, KEPT) and not _is_text(node):
        several = (node.end_lineno or 0) > node.lineno
        what = f"lines {node.lineno} to {node.end_lineno}" if several else f"line {node.lineno}"
        yield _cut(source, node, "pass", what)
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            if keyword.arg is not None and len(node.args) + len(node.keywords) > 0:
                yield _without_keyword(source, node, keyword)
        called = node.func
        if isinstance(called, ast.Attribute) and not node.args and not node.keywords:
            kept = ast.get_source_segment(source.text, called.value)
            if kept is not None and not _is_module(called.value):
                yield _cut(source, node, kept, f"`.{called.attr}()` in line {called.end_lineno}", called.end_lineno)


def _without_keyword(source: OwnSource, call: ast.Call, gone: ast.keyword) -> tuple[Cut, tuple[int, int]]:
    parts = [ast.get_source_segment(source.text, part) for part in (*call.args, *call.keywords) if part is not gone]
    called = ast.get_source_segment(source.text, call.func)
    new = f"{called}({', '.join(part for part in parts if part is not None)})"
    shown = ast.get_source_segment(source.text, gone) or str(gone.arg)
    return _cut(source, call, new, f"`{' '.join(shown.split())}` in line {gone.lineno}", gone.lineno)


def _cut(source: OwnSource, node: Any, new: str, what: str, line: int | None = None) -> tuple[Cut, tuple[int, int]]:
    lines = source.text.splitlines(keepends=True)
    start = sum(len(one.encode()) for one in lines[: node.lineno - 1]) + node.col_offset
    end = sum(len(one.encode()) for one in lines[: node.end_lineno - 1]) + node.end_col_offset
    raw = source.text.encode()  # the offsets of `ast` count bytes
    gone = raw[start:end]
    # Lines below keep their numbers.
    kept = new + ("\\\n" * (gone.count(b"\n") - new.encode().count(b"\n")) if new != "pass" else "")
    text = (raw[:start] + kept.encode() + raw[end:]).decode()
    return Cut(line or node.lineno, what, text), (line or node.lineno, start)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_module(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("torch", "math", "nn", "F", "super")


def _is_valid(text: str) -> bool:
    try:
        compile(text, CUT_FILE, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


class NotSwappedError(Exception):
    """A changed program's functions do not fit in the place of the student's."""


@contextlib.contextmanager
def cut_in_place(source: OwnSource, cut: Cut) -> Iterator[None]:
    """Give the student's functions the code of a changed cell within the block, without running the cell.

    The functions stay the same objects, so that classes, hooks and helpers that hold them run the changed code too, and
    nothing of the notebook's is bound anew.

    Raises:
        NotSwappedError: if a function has no counterpart that closes over the same names.
    """
    changed = codes_by_name(compile(cut.text, CUT_FILE, "exec", dont_inherit=True))
    new: list[tuple[FunctionType, Any]] = []
    for function in source.functions:
        code = changed.get(function.__code__.co_qualname)
        if code is None or code.co_freevars != function.__code__.co_freevars:
            raise NotSwappedError
        new.append((function, code))
    before = [(function, function.__code__) for function in source.functions]
    try:
        for function, code in new:
            function.__code__ = code
        _forget(source)
        yield
    finally:
        for function, code in before:
            function.__code__ = code
        _forget(source)


def _forget(source: OwnSource) -> None:
    """Empty the caches of decorated functions, which fill themselves again."""
    for cache in source.caches:
        cache.cache_clear()
