"""Programs: a few lines of Python that use the student's definition, and expressions that are evaluated afterwards.

The same text runs with the student's function in the sandbox, with a reference in the grader, and in a notebook where
the student repeats it.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import dataclasses
import functools
import math
from collections.abc import Iterator, Mapping
from types import CodeType
from typing import Any

import torch
from torch import nn

from autograder.probes import counters
from autograder.probes.known_state import seed_torch
from autograder.probes.nones import what_was_none
from autograder.probes.places import places
from autograder.probes.question import Question
from autograder.probes.registry import PROGRAM_FILE, find, probe
from autograder.wire.plain import Absent

IMPORTS = {
    "math": ("import math", math),
    "torch": ("import torch", torch),
    "nn": ("from torch import nn", nn),
    "F": ("import torch.nn.functional as F", nn.functional),
    "counters": ("from autograder import counters", counters),
}
"""The names that every program may use: how a student imports each, and the module itself."""
NODE = "result.grad_fn.name()"
"""An expression for the name of a result's backward node, which shows whether the student's Function made it."""


@dataclasses.dataclass(frozen=True)
class Program:
    """A question's program.

    Attributes:
        text: Python source; it may use the task's name and those of `IMPORTS`.
        shown: expressions whose values are judged: "result", "x.grad".
        also: expressions whose values only help to explain a mistake: "result.retains_grad".
        given: further names that it may use, with their values: tensors and specimens.
    """

    text: str
    shown: tuple[str, ...]
    also: tuple[str, ...] = ()
    given: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def as_inputs(self) -> dict[str, Any]:
        """The program as keyword arguments of `run_program`."""
        return {"text": self.text, "shown": [*self.shown, *self.also], "given": dict(self.given)}

    @property
    def as_cell(self) -> str:
        """The text as a cell that a student can run, with the imports that it and its `shown` need."""
        parts = (self.text, *self.shown)
        used = {node.id for part in parts for node in ast.walk(ast.parse(part)) if isinstance(node, ast.Name)}
        imports = [line for name, (line, _) in IMPORTS.items() if name in used]
        return "\n".join([*imports, self.text.strip()]) + "\n"


def scope(names: Mapping[str, Any]) -> dict[str, Any]:
    """Seed torch and return the names that a program starts with: `IMPORTS` and `names`."""
    seed_torch(0)
    return {name: module for name, (_, module) in IMPORTS.items()} | dict(names)


@functools.lru_cache(2048)  # the 1,400 of all public questions, and those of the submission at hand
def compiled(text: str, mode: str = "exec") -> CodeType:
    """Compile a program, or with `mode` "eval" an expression."""
    return compile(text, PROGRAM_FILE, mode)


def sources(question: Question) -> Iterator[tuple[str, str]]:
    """Yield what `compiled` is called with for a question: its program and the expressions that it looks at."""
    if question.probe == run_program.__name__:
        yield question.inputs["text"], "exec"
        yield from ((expression, "eval") for expression in question.inputs["shown"])


def look(shown: tuple[str, ...] | list[str], names: dict[str, Any]) -> dict[str, Any]:
    """Return the value of each expression; `Absent` if it raises, as `x.grad` does when `x` is None."""

    def value(expression: str) -> Any:
        try:
            return eval(compiled(expression, "eval"), names)
        except Exception as error:
            return Absent(_because(error, expression))

    return {expression: value(expression) for expression in shown}


def _because(error: Exception, expression: str) -> str:
    """Return what is None in an expression that therefore has no value; the exception's class for other reasons."""
    with contextlib.suppress(Exception):
        if "NoneType" in (message := str(error)) and error.__traceback__ is not None:
            _, (*_, last) = places(error.__traceback__, {}, expression)
            if (found := what_was_none(last, message, "")) is not None:
                return f"`{found.text}` is None"
    return type(error).__name__


def run(text: str, shown: tuple[str, ...] | list[str], names: Mapping[str, Any]) -> dict[str, Any]:
    """Run a program and evaluate expressions afterwards.

    Args:
        text: the program.
        shown: the expressions.
        names: the names that it may use besides `IMPORTS`, with their values.

    Returns:
        A dict from each expression to its value.
    """
    return look(shown, executed(text, names))


def executed(text: str, names: Mapping[str, Any]) -> dict[str, Any]:
    """Run a program and return all its global names."""
    given = scope(names)
    exec(compiled(text), given)
    return given


@probe
def run_program(
    namespace: dict[str, Any],
    target: str,
    text: str,
    shown: list[str],
    given: dict[str, Any],
    twice: bool = True,
) -> dict[str, Any]:
    """Run a program with the student's `target`, then if `twice` again on fresh copies of `given`.

    Returns:
        `result` and `again`: the value of each expression after the first and after the second run.
    """
    names = {target: find(namespace, target)}
    spare = copy.deepcopy(given) if twice else {}
    seen = {"result": run(text, shown, given | names)}
    if twice:
        seen["again"] = run(text, shown, spare | names)
    return seen
