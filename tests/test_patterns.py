"""No pattern of ours can be made to backtrack for long by what a student writes."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from re import _parser

import pytest

import autograder
from tests.backtracking import beside, nested

OURS_ALONE = {"proving", "probes", "pictures", "authoring", "__main__", "pytest_plugin"}
"""Modules that read the course's own texts, or run where students' code runs, under its limits."""


def patterns() -> dict[str, str]:
    """All patterns of our modules, by where they are bound or written."""
    found: dict[str, str] = {}
    for module in pkgutil.walk_packages(autograder.__path__, "autograder."):
        parts = module.name.split(".")[1:]
        if {*parts} & OURS_ALONE or parts[0].startswith("lesson_"):
            continue
        try:
            loaded = importlib.import_module(module.name)
        except ImportError:  # the name of a function, which says that it is no module
            continue
        compiled = {name: one.pattern for name, one in vars(loaded).items() if isinstance(one, re.Pattern)}
        for name, pattern in (compiled | dict(_written(inspect.getsource(loaded)))).items():
            text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
            if text not in found.values():
                found[f"{module.name}.{name}"] = text
    return found


def _written(source: str) -> Iterator[tuple[str, str | bytes]]:
    """The patterns written in calls of `re`, as in `re.sub(r"\\s+", " ", text)`, by their lines."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name("re")), args=[ast.Constant(pattern), *_]):
                yield f"line {node.lineno}", pattern


PATTERNS = patterns()


@pytest.mark.parametrize("where", PATTERNS)
def test_no_text_makes_a_pattern_backtrack(where: str) -> None:
    parsed = _parser.parse(PATTERNS[where])
    assert not any(nested(parsed))
    assert not list(beside(parsed))


def test_the_two_shapes_are_found() -> None:
    assert any(nested(_parser.parse(r"(?:(?:\d+\.?\d*|\.\d+)(?:px)?[\s,]*)+")))
    assert not any(nested(_parser.parse(r"(?:(?:\d++(?:\.\d*+)?|\.\d++)(?:px)?[\s,]*+)++")))
    assert list(beside(_parser.parse(r"\s*#{0,6}\s*appeal"))) == ["\t"]
    assert list(beside(_parser.parse(r"(\s*).*\?$")))
    assert not list(beside(_parser.parse(r"\s*+#{0,6}+\s*+appeal\s*:?\d*")))
