"""The source of what a task's cell defines, as the kernel ran it, and its statements by line."""

from __future__ import annotations

import ast
import dataclasses
import functools
import linecache
from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

from autograder.own_answers.statements import Statement, alone, statements_of

TIMED = "<timed exec>"
"""The file that IPython names for a cell under `%%time`, whose text it does not keep."""
MARKERS = ("### BEGIN SOLUTION", "### END SOLUTION")
"""Comments of the published solution, which say nothing about the program."""


class NoSourceError(LookupError):
    """The program of a task is not there; the message is a sentence for the student."""


@dataclasses.dataclass(frozen=True)
class OwnSource:
    """A student's cell.

    Attributes:
        file: the file name that its code objects carry.
        text: the cell as it ran.
        functions: the cell's functions and methods that exist now, nested ones excluded.
        caches: the caches that wrap such functions.
    """

    file: str
    text: str
    functions: tuple[FunctionType, ...]
    caches: tuple[Any, ...]

    @functools.cached_property
    def lines(self) -> list[str]:
        """The cell's lines."""
        return self.text.splitlines()

    @functools.cached_property
    def tree(self) -> ast.Module:
        """The parsed cell."""
        return ast.parse(self.text)

    @functools.cached_property
    def statements(self) -> dict[int, Statement]:
        """The innermost statement on each line of a function's body; of a compound one, only its header's lines."""
        return statements_of(self.tree)

    @functools.cached_property
    def inside(self) -> frozenset[int]:
        """The lines inside functions."""
        functions = (node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef))
        return frozenset(line for node in functions for line in range(node.lineno + 1, (node.end_lineno or 0) + 1))

    @functools.cached_property
    def alone(self) -> set[int]:
        """First lines of simple statements of one line, with no other on that line and no loop of their own inside."""
        return alone(self.tree)

    def shown(self, line: int | None = None, arrow: str = "-->") -> str:
        """Return the outermost definition around a line, numbered as in the cell, with an arrow at the line.

        Args:
            line: the line; None for the whole cell.
            arrow: what marks it.
        """
        numbers = [number for number in self.visible(line) if self.lines[number - 1].strip() not in MARKERS]
        width = len(str(numbers[-1])) if numbers else 1
        rows, before = [], (numbers[0] - 1 if numbers else 0)
        for number in numbers:
            if number > before + 1 and any(
                self.lines[k - 1].strip() not in ("", *MARKERS) for k in range(before + 1, number)
            ):
                rows.append(" " * (len(arrow) + bool(arrow) + width + 2) + "...")
            mark = arrow if number == line else " " * len(arrow)
            rows.append(f"{mark}{' ' if arrow else ''}{number:>{width}}  {self.lines[number - 1]}".rstrip())
            before = number
        return "\n".join(rows)

    def visible(self, line: int | None) -> list[int]:
        """Return the lines to show: of a long cell the function around the line, without its docstring."""
        if line not in self._visible:
            self._visible[line] = self._found_visible(line)
        return self._visible[line]

    @functools.cached_property
    def _visible(self) -> dict[int | None, list[int]]:
        return {}

    def _found_visible(self, line: int | None) -> list[int]:
        hidden: set[int] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef) and _docstring(node):
                hidden |= {*range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)}
        kept = set(range(1, len(self.lines) + 1))
        if line is not None:
            around = [node for node in self.tree.body if node.lineno <= line <= (node.end_lineno or 0)]
            kept = set()
            for node in around:
                kept |= _lines(node)
                if isinstance(node, ast.ClassDef):
                    kept -= {
                        k for one in node.body if not one.lineno <= line <= (one.end_lineno or 0) for k in _lines(one)
                    }
        return sorted(k for k in kept - hidden if self.lines[k - 1].strip())


def own_source(names: Sequence[str], target: str, namespace: Mapping[str, Any]) -> OwnSource:
    """Return the cell that defines these names.

    Args:
        names: what the task's cell defines.
        target: what the task's questions use; if it is a class of another name, the names are its methods.
        namespace: the notebook's global names.

    Raises:
        NoSourceError: if the notebook does not define them, or their source is not known.
    """
    owner = namespace.get(target)
    added = vars(owner) if isinstance(owner, type) and target not in names else {}
    known = [{**namespace, **added}[name] for name in names if name in added or name in namespace]
    if not known:
        raise NoSourceError(f"The notebook defines no `{names[0]}`: run the cell that defines it first.")
    first = next((function for value in known for function in functions_of(value)), None)
    if first is None:
        raise NoSourceError(
            f"`{names[0]}` is not a function or class of this notebook, so there is nothing to ask about."
        )
    file = first.__code__.co_filename
    text = "".join(linecache.getlines(file))
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        text = ""
    if not text and file == TIMED:
        raise NoSourceError(
            f"The source of `{names[0]}` is not known, because its cell begins with `%%time`: take that line out, run "
            "the cell, and then this one again."
        )
    if not text:
        raise NoSourceError(f"The source of `{names[0]}` is not known here: run its cell again, and then this one.")
    found: dict[int, FunctionType] = {}
    caches = []
    for value in list(namespace.values()):
        for one in functions_of(value):
            if one.__code__.co_filename == file:
                found[id(one)] = one
                if hasattr(value, "cache_clear"):
                    caches.append(value)
    return OwnSource(file, text, tuple(found.values()), tuple(caches))


def functions_of(value: Any) -> Iterator[FunctionType]:
    """Yield the function behind a value, or the methods of a class; nothing for other values."""
    if isinstance(value, type):
        for one in list(vars(value).values()):
            if not isinstance(one, type):
                yield from functions_of(one)
        return
    if isinstance(value, property):
        for part in (value.fget, value.fset):
            yield from functions_of(part)
        return
    value = getattr(value, "__func__", value)
    value = value.func if isinstance(value, functools.partial) else value
    if isinstance(value, FunctionType):
        inner = vars(value).get("__wrapped__")  # a decorated function
        yield value if inner is None else next(functions_of(inner), value)
    elif callable(inner := getattr(type(value), "__name__", "") == "_lru_cache_wrapper" and value.__wrapped__):
        yield from functions_of(inner)


def _docstring(node: ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef) -> bool:
    first = node.body[0]
    text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    return text and len(node.body) > 1


def _lines(node: ast.stmt) -> set[int]:
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
    return set(range(first, (node.end_lineno or node.lineno) + 1))
