"""Bounds that a statement names with numbers: each is a region, since answers fail at the ends of a range first."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from autograder.checks.task import Task
from autograder.proving.problems import Problem
from autograder.proving.regions.declared import Declared, plain

NUMBER = r"(-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?)"
RANGES = re.compile(rf"\b(?:between|from) {NUMBER} (?:and|to) {NUMBER}|\bas (?:small|large) as {NUMBER}")
KNOWN_EVERYWHERE = {0.0, 1.0}
"""Of these the vocabulary has regions."""


def unasked_bounds(task: Task, declared: Declared) -> Iterator[Problem]:
    """Report bounds in a task's statement that no region of its own names.

    Args:
        task: the task.
        declared: its `regions.toml`, which may quote the words with an empty list where no argument has such a bound.
    """
    promised, *_ = (task.folder / "statement.md").read_text(encoding="utf-8").split("**Example")
    named = {abs(number) for text in declared.own.values() for number in _numbers_in(text)}
    for found in RANGES.finditer(plain(promised)):
        bounds = {abs(float(one.replace(",", ""))) for one in found.groups() if one}
        if any(found[0] in words for words in declared.quoted):
            continue
        for missing in sorted(bounds - named - KNOWN_EVERYWHERE):
            yield Problem(
                f"{declared.file}: the statement says {found[0]!r}, and no region of [own] names {missing:g}",
                "bounds that no region names",
            )


def _numbers_in(text: str) -> Iterator[float]:
    for node in ast.walk(ast.parse(text, mode="eval")):
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            yield float(node.value)
