"""Students' programs as examples: without comments and docstrings, in Python's own layout, read and never run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Collection, Iterable

from autograder.sanitising.source import readable

MOST_LINES = 40
MOST_READ = 200
"""Programs that are read to find the shortest."""
LEAST_OF_A_NAME = 4
"""Characters from which an id counts as a name; "x1" occurs in many programs."""


def plain_program(source: str) -> str:
    """Return a program without comments and docstrings; empty if it is not Python or too long to be an example."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
            for node in ast.walk(tree):
                body = getattr(node, "body", None)
                if isinstance(body, list):
                    node.body = _without_texts(body)  # type: ignore[attr-defined]
            text = ast.unparse(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return ""
    return readable(text) if 0 < len(text.splitlines()) <= MOST_LINES else ""


def shortest(programs: Iterable[str], names: Collection[str]) -> str:
    """Return the shortest of some programs as an example; empty if none can be one.

    Args:
        programs: sources as they were handed in.
        names: what no example may hold, in lower case.
    """
    best = ""
    for source in sorted({*programs} - {""}, key=lambda one: (len(one), one))[:MOST_READ]:
        text = plain_program(source)
        if text and (not best or len(text) < len(best)) and not holds_name(text, names):
            best = text
    return best


def holds_name(text: str, names: Collection[str]) -> bool:
    """Tell whether a text holds one of these names, which are in lower case."""
    folded = text.casefold()
    return any(name in folded for name in names)


def _without_texts(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return statements without those that are only a text: docstrings, and code that was commented out with quotes."""
    kept = [
        one
        for one in body
        if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str))
    ]
    return kept or [ast.Pass()]
