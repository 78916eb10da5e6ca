"""Programs: a few lines of Python that use what a task asks for, and expressions that are looked at afterwards.

The same text runs beside the student's function in the sandbox, beside a reference in the grader, and in a
notebook where a student tries it again.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
import functools
import math
from collections.abc import Mapping
from types import CodeType
from typing import Any

import torch
from torch import nn

from autograder.probes import counters
from autograder.probes.answering import PROGRAM_FILE, find, probe
from autograder.probes.known_state import seed_torch
from autograder.wire.plain import Absent

IMPORTS = {
    "math": ("import math", math),
    "torch": ("import torch", torch),
    "nn": ("from torch import nn", nn),
    "F": ("import torch.nn.functional as F", nn.functional),
    "counters": ("from autograder import counters", counters),
}
"""The names that every program may use, and how a student gets them."""


@dataclasses.dataclass(frozen=True)
class Program:
    """One program.

    Attributes:
        text: Python; it may use the task's name and those of `IMPORTS`.
        shown: expressions whose values are the observations: "result", "x.grad".
        also: expressions that are looked at to explain a mistake, and not judged: "result.retains_grad".
        given: further names that it may use: tensors and specimens.
    """

    text: str
    shown: tuple[str, ...]
    also: tuple[str, ...] = ()
    given: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def as_inputs(self) -> dict[str, Any]:
        """As the probe takes it."""
        return {"text": self.text, "shown": [*self.shown, *self.also], "given": dict(self.given)}

    @property
    def as_cell(self) -> str:
        """The text as a student can run it, with the imports that it needs, and those of what is then looked at."""
        parts = (self.text, *self.shown)
        used = {node.id for part in parts for node in ast.walk(ast.parse(part)) if isinstance(node, ast.Name)}
        imports = [line for name, (line, _) in IMPORTS.items() if name in used]
        return "\n".join([*imports, self.text.strip()]) + "\n"


def scope(names: Mapping[str, Any]) -> dict[str, Any]:
    """The names that a program starts with."""
    seed_torch(0)
    return {name: module for name, (_, module) in IMPORTS.items()} | dict(names)


@functools.lru_cache(512)
def compiled(text: str, mode: str = "exec") -> CodeType:
    """The code of a program, or of an expression."""
    return compile(text, PROGRAM_FILE, mode)


def look(shown: tuple[str, ...] | list[str], names: dict[str, Any]) -> dict[str, Any]:
    """The value of each expression; `Absent` where it has none, `x.grad` of a None, say."""

    def value(expression: str) -> Any:
        try:
            return eval(compiled(expression, "eval"), names)
        except Exception as error:
            return Absent(type(error).__name__)

    return {expression: value(expression) for expression in shown}


def run(text: str, shown: tuple[str, ...] | list[str], names: Mapping[str, Any]) -> dict[str, Any]:
    """Run a program and look.

    Args:
        text: the program.
        shown: the expressions.
        names: what it may use beside `IMPORTS`.

    Returns:
        The value of each expression.
    """
    return look(shown, executed(text, names))


def executed(text: str, names: Mapping[str, Any]) -> dict[str, Any]:
    """All names after a program has run."""
    given = scope(names)
    exec(compiled(text), given)
    return given


@probe
def run_program(namespace: dict, target: str, text: str, shown: list[str], given: dict, twice: bool = True) -> dict:
    """Run a program with the student's `target`, and once more from the start.

    Returns:
        `result` and `again`: the value of each expression after the first and after the second run.
    """
    names = {target: find(namespace, target)}
    spare = copy.deepcopy(given) if twice else {}
    seen = {"result": run(text, shown, given | names)}
    if twice:
        seen["again"] = run(text, shown, spare | names)
    return seen
