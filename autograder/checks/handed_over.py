"""What a question hands over: the arguments of the first call by name, and the numbers among them."""

from __future__ import annotations

import ast
import functools
import inspect
import re
from collections.abc import Iterator
from typing import Any

import torch

from autograder.checks.task import Task
from autograder.probes.programs import IMPORTS, Program
from autograder.references.replay import Use, first_use, use_for_result
from autograder.tasks.predicting import implementation

Quantities = dict[str, torch.Tensor]
"""The numbers that a question hands over, by the words for them."""


class HandedOver:
    """What one question hands over.

    Attributes:
        arguments: of the first call, by the names of the task's parameters, those left out with their defaults.
        names: what the question's program has bound when it calls, and the arguments.
        is_main: whether the first call is the one that the question is about.
        elsewhere: names that the question's program binds to what other calls return.
    """

    def __init__(self, task: Task, inputs: tuple[Any, ...]) -> None:
        """
        Args:
            task: whose question it is.
            inputs: the question's.
        """
        self.names: dict[str, Any] = {}
        self.arguments, self.is_main = _by_parameter(task, inputs, {}), True
        self.elsewhere: frozenset[str] = frozenset()
        if inputs and isinstance(inputs[0], Program):
            used = _main_use(task, inputs[0])
            names, given, named = used or first_use(inputs[0], task.target)
            self.arguments, self.is_main = _by_parameter(task, given, named), used is not None
            self.elsewhere = bound_elsewhere(inputs[0].text, task.target)
            self.names = {name: one for name, one in names.items() if name not in IMPORTS and not name.startswith("_")}

    @functools.cached_property
    def quantities(self) -> Quantities:
        """The numbers and tensors, by name; numbers often stand in the call itself."""
        return dict(self._quantities())

    def _quantities(self) -> Iterator[tuple[str, torch.Tensor]]:
        plain = {name: one for name, one in self.arguments.items() if type(one) in (int, float)}
        named = self.names or self.arguments
        for name, value in (named | {name: one for name, one in plain.items() if name not in named}).items():
            if isinstance(value, torch.Tensor) and not value.is_complex() and value.dtype != torch.bool:
                yield f"`{name}`", value.detach().double().cpu()
            elif type(value) in (int, float):
                yield f"`{name}`", torch.tensor(float(value), dtype=torch.float64)


def _main_use(task: Task, program: Program) -> Use | None:
    """Return the use that a program is about: the only one, or the one kept as `result`; None if that is unclear."""
    if _is_first(program.text, task.target):
        return first_use(program, task.target)
    return use_for_result(program, task.target, implementation(task.name, task.target, task.solution))


def _by_parameter(task: Task, arguments: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    names, defaults = _parameters(task.name, task.target, task.solution)
    return defaults | dict(zip(names, arguments, strict=False)) | named


def _uses(text: str, target: str) -> list[ast.stmt]:
    """Return the statements of a program that use the target."""
    return [line for line in ast.parse(text).body if re.search(rf"\b{target}\b", ast.unparse(line))]


@functools.lru_cache(1024)
def bound_elsewhere(text: str, target: str) -> frozenset[str]:
    """Return the names bound in lines that use the target, other than the line that a program is about."""
    bound = [
        {node.id for left in one.targets for node in ast.walk(left) if isinstance(node, ast.Name)}
        for one in _uses(text, target)
        if isinstance(one, ast.Assign)
    ]
    about = next((names for names in bound if "result" in names), bound[0] if bound else set())
    return frozenset(name for names in bound for name in names - about)


@functools.lru_cache(1024)
def _is_first(text: str, target: str) -> bool:
    """Return whether the first use of the target is the one that a program is about."""
    lines = _uses(text, target)
    if not lines or isinstance(lines[0], ast.For | ast.While):
        return False
    names = [ast.unparse(one) for one in getattr(lines[0], "targets", [])]
    return len(lines) == 1 or names == ["result"]


@functools.lru_cache(256)
def _parameters(name: str, target: str, solution: str) -> tuple[list[str], dict[str, Any]]:
    """Return the names of a task's parameters, and the defaults that some of them have."""
    right = implementation(name, target, solution)
    right = getattr(right, "forward", right) if inspect.isclass(right) else right
    if not inspect.isfunction(right):
        return [], {}
    parameters = [one for one in inspect.signature(right).parameters.values() if one.name != "ctx"]
    return [one.name for one in parameters], {
        one.name: one.default for one in parameters if one.default is not one.empty
    }
