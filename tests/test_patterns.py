"""No pattern of ours can be made to backtrack for long by what a student writes."""

from __future__ import annotations

import importlib
import pkgutil
import re
from re import _parser

import pytest

import autograder
from tests.backtracking import beside, nested

OURS_ALONE = {"proving", "probes", "pictures", "authoring", "__main__", "pytest_plugin"}
"""Modules that read the course's own texts, or run where students' code runs, under its limits."""


def patterns() -> dict[str, str]:
    """All compiled patterns of our modules, by where they are bound."""
    found: dict[str, str] = {}
    for module in pkgutil.walk_packages(autograder.__path__, "autograder."):
        parts = module.name.split(".")[1:]
        if {*parts} & OURS_ALONE or parts[0].startswith("lesson_"):
            continue
        try:
            members = vars(importlib.import_module(module.name))
        except ImportError:  # the name of a function, which says that it is no module
            continue
        for name, value in members.items():
            if isinstance(value, re.Pattern) and value.pattern not in found.values():
                text = value.pattern
                found[f"{module.name}.{name}"] = text.decode("latin-1") if isinstance(text, bytes) else text
    return found


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
