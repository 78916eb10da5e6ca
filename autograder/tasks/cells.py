"""Solution cells as text: take one from a function's body, edit it, find the cells that it needs."""

from __future__ import annotations

import ast
import functools
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any


def source_of(function: Callable[..., Any]) -> str:
    """Return the body of a function at module level, dedented, with its comments."""
    code = function.__code__
    lines, bodies = _bodies(code.co_filename)
    first, last = bodies[code.co_name]
    return textwrap.dedent("\n".join(lines[first:last])).strip() + "\n"


@functools.lru_cache(4)
def _bodies(file: str) -> tuple[list[str], dict[str, tuple[int, int]]]:
    """Return a file's lines, and the range of lines of each function's body; parsed once for all functions."""
    text = Path(file).read_text(encoding="utf-8")
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return text.splitlines(), {node.name: (node.lineno, node.end_lineno or 0) for node in functions}


def replaced_in(source: str, method: str, was: str, wrote: str) -> str:
    """Replace text in one method of a cell's last class, or everywhere in the cell.

    Args:
        source: the cell.
        method: the method's name; empty for the whole cell.
        was: the text to replace, at each of its occurrences.
        wrote: the replacement.

    Raises:
        LookupError: if `was` does not occur.
    """
    part = _methods(source)[method] if method else source
    if was not in part:
        raise LookupError(f"{was!r} does not occur")
    return source.replace(part, part.replace(was, wrote))


def with_methods(source: str, changes: str) -> str:
    """Add the functions in `changes` to the last class of a cell as methods; equal names replace its own."""
    lines = changes.splitlines()
    for node in ast.parse(changes).body:
        assert isinstance(node, ast.FunctionDef), f"only methods can be changed, not {ast.unparse(node)}"
        method = textwrap.indent("\n".join(lines[node.lineno - 1 : node.end_lineno]), "    ")
        own = _methods(source)
        if node.name in own:
            source = source.replace(own[node.name], method)
        else:
            last = list(own.values())[-1]
            source = source.replace(last, f"{last}\n\n{method}")
    return source


def _methods(source: str) -> dict[str, str]:
    """Return the source of each method of the last class, by name."""
    lines = source.splitlines()
    owner = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)][-1]
    return {
        node.name: "\n".join(lines[node.lineno - 1 : node.end_lineno])
        for node in owner.body
        if isinstance(node, ast.FunctionDef)
    }


def needed(task: str, cells: Mapping[str, str], source: str | None = None) -> list[str]:
    """Return, in order, the cells before a task's that its cell builds on, directly or through other such cells.

    A cell builds on those that define its functions and classes, and on those that add something to these.

    Args:
        task: the task's name.
        cells: the cells of the notebook by task, in order.
        source: what stands in the task's cell; by default, the cell of that name.
    """
    source = cells[task] if source is None else source
    chosen: list[str] = []
    missing = _used(source) - {*defined(source)}
    for cell in reversed(list(cells.values())[: list(cells).index(task)]):
        if missing & {*defined(cell), *_extended(cell)}:
            chosen.insert(0, cell)
            missing |= _used(cell) - {*defined(cell)}
    return chosen


def bases(task: str, cells: Mapping[str, str]) -> list[list[str]]:
    """Return what a task's cell builds on: for each name or added attribute that it uses, the tasks that give it.

    One task of each list is enough: `Value.backward` may come from the task that adds it or from one that replaces it.

    Args:
        task: the task's name.
        cells: the cells of the notebook by task, in order.
    """
    earlier = list(cells)[: list(cells).index(task)]
    used, attributes = _used(cells[task]) - {*defined(cells[task])}, _read_attributes(cells[task])
    givers = dict[str, list[str]]()
    for other in earlier:
        given = [name for name in defined(cells[other]) if name in used]
        added = [f".{name}" for owner, name in _added(cells[other]) if owner in used and name in attributes]
        for name in dict.fromkeys(given + added):
            givers.setdefault(name, []).append(other)
    return list(givers.values())


def defined(source: str) -> list[str]:
    """Return the functions and classes that a cell defines; not its imports, which each cell makes for itself."""
    return [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]


def _used(source: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}


def _extended(source: str) -> set[str]:
    return {owner for owner, _ in _added(source)}


def _added(source: str) -> Iterator[tuple[str, str]]:
    """Yield what a cell assigns outside its functions and classes: Value and exp for `Value.exp = exp`."""
    for statement in ast.parse(source).body:
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef):
            for node in ast.walk(statement):
                if (
                    isinstance(node, ast.Attribute)
                    and isinstance(node.ctx, ast.Store)
                    and isinstance(node.value, ast.Name)
                ):
                    yield node.value.id, node.attr


def _read_attributes(source: str) -> set[str]:
    tree = ast.parse(source)
    return {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)}
