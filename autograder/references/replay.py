"""Programs replayed with one tensor perturbed, and the references of tasks whose questions are programs.

A `Replay` is the second source of such tasks: it runs the lines before the call again with one named tensor perturbed,
and so needs no autograd.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
from collections.abc import Callable
from types import CodeType
from typing import Any

import torch

from autograder.probes.known_state import known_state
from autograder.probes.programs import Program, compiled, look, scope
from autograder.probes.registry import PROGRAM_FILE
from autograder.references.cycles import hooks_removed
from autograder.references.numeric import moved_both_ways
from autograder.references.reference import Reference
from autograder.references.runs import Runs, built, outcome


class Replay:
    """A program that runs statement by statement, so that its beginning can be replayed with a tensor perturbed.

    Args:
        program: what to run.
        name: the task's name.
        implementation: stands in for the student's function; its first argument is this replay.
        again: stands in for it in replayed lines; returns None by default.
    """

    def __init__(
        self, program: Program, name: str, implementation: Callable[..., Any], again: Callable[..., Any] | None = None
    ) -> None:
        self.name, self.given, self.again = name, program.given, again or _not_again
        self.statements = _statements(program.text)
        # Replayed in float64, because finite differences in float32 would be noise.
        self.wide = _statements(re.sub(r"torch\.(float32|float16|bfloat16)", "torch.float64", program.text))
        self.done = 0
        self.names = scope({name: functools.partial(implementation, self)} | built(program.given))

    def shown(self, expressions: tuple[str, ...]) -> dict[str, Any]:
        """Run the program to its end and return the values of these expressions."""
        for statement in self.statements:
            exec(statement, self.names)
            self.done += 1
        return look(expressions, self.names)

    def gradient(self, output: torch.Tensor, node: torch.Tensor, upstream: torch.Tensor | None = None) -> torch.Tensor:
        """Compute the gradient of sum(upstream * output) with respect to a tensor that the program named.

        Args:
            output, node: tensors that the program has bound to names by now.
            upstream: like output; ones by default.

        Returns:
            A tensor like node, by central differences.

        Raises:
            LookupError: if the program has no name for one of them.
        """
        weights = torch.ones_like(output) if upstream is None else upstream
        of, by = self._name_of_tensor(output), self._name_of_tensor(node)

        def value(moved: torch.Tensor) -> torch.Tensor:
            return (self._again(by, moved)[of].detach().double() * weights.double()).sum()

        found = torch.empty(node.shape, dtype=torch.float64)
        for index, up, down in moved_both_ways(node.double()):
            found[index] = (value(up) - value(down)) / (up[index] - down[index])
        return found.to(node.dtype)

    def in_float64(self, value: Any) -> Any:
        """Return what bears a value's name where the program runs in float64; the value itself if it has no name."""
        name = self._name_of(value)
        return value if name is None else self._again()[name]

    def _name_of(self, value: Any) -> str | None:
        return next((name for name, one in self.names.items() if one is value), None)

    def _name_of_tensor(self, tensor: torch.Tensor) -> str:
        if (name := self._name_of(tensor)) is None:
            raise LookupError("the program has no name for a tensor that its reference differentiates")
        return name

    def _again(self, name: str = "", moved: torch.Tensor | None = None) -> dict[str, Any]:
        """Replay the statements that have run, with `name` rebound to `moved` once it exists, and return the names.

        `moved` has no history: that is what a partial derivative with respect to an inner node means.
        """
        names = scope({self.name: self.again} | built(self.given))
        waiting = name not in names
        if not waiting:
            names[name] = moved
        torch.set_default_dtype(torch.float64)
        try:
            for statement in self.wide[: self.done]:
                exec(statement, names)
                if waiting and name in names:
                    names[name] = moved
                    waiting = False
        finally:
            torch.set_default_dtype(torch.float32)
        return names


def _statements(text: str) -> list[CodeType]:
    return [compile(ast.Module([one], []), PROGRAM_FILE, "exec") for one in ast.parse(text).body]


def _not_again(*arguments: Any, **named: Any) -> None:
    """Stand in for the task's function in replayed lines, where its result is not needed."""


Use = tuple[dict[str, Any], tuple[Any, ...], dict[str, Any]]
"""The names that a program has bound when it uses the task, and the arguments of that call."""


class _ReachedError(Exception):
    """Raised when the program uses the task; with the arguments of a call."""


class _Stop:
    """A stand-in for the task, a function or a class, that stops the program that uses it."""

    def __call__(self, *arguments: Any, **named: Any) -> None:
        raise _ReachedError(arguments, named)

    def __getattr__(self, name: str) -> None:
        raise _ReachedError((), {})


def before_first_use(program: Program, name: str) -> dict[str, Any]:
    """Return the names that a program has bound when it first uses the task."""
    return first_use(program, name)[0]


def first_use(program: Program, name: str) -> Use:
    """Return the names that a program has bound when it first uses the task, and the arguments of that call."""
    names = scope({name: _Stop()} | built(program.given))
    with known_state():
        try:
            exec(compiled(program.text), names)
        except _ReachedError as reached:
            return names, *reached.args
    return names, (), {}


def use_for_result(program: Program, name: str, implementation: Any) -> Use | None:
    """Return what `first_use` does, of the first call in the line that binds `result`; None if there is no such line.

    Args:
        program: the program.
        name: the task's name.
        implementation: stands in for the task's function in the lines before.
    """
    lines = ast.parse(program.text).body
    binds = (isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "result" for one in lines)
    at = next((number for number, one in enumerate(binds) if one), None)
    if at is None:
        return None
    names = scope({name: implementation} | built(program.given))
    with known_state(), hooks_removed():
        exec(compile(ast.Module(lines[:at], []), PROGRAM_FILE, "exec"), names)
        names[name] = _Stop()
        try:
            exec(compile(ast.Module([lines[at]], []), PROGRAM_FILE, "exec"), names)
        except _ReachedError as reached:
            return names, *reached.args
    return None


def program_reference(
    name: str,
    oracle: Callable[..., Any],
    oracle_by: str,
    second: Callable[..., Any],
    second_by: str,
    second_error: float = 1e-6,
) -> Reference:
    """Make the reference of a task whose questions are programs.

    Args:
        name: the task's name in the programs.
        oracle: an implementation of the task.
        oracle_by: its method, in a few words.
        second: another implementation, without shared code; its first argument is a `Replay`.
        second_by: its method, in a few words.
        second_error: how far the second source may be off, relative to the scale of the answer.
    """
    runs = Runs(name, oracle)
    return Reference(
        lambda program: outcome(program, name, oracle),
        oracle_by,
        lambda program: _second(program, name, second),
        second_by,
        second_error,
        runs.changes,
        runs.outcome,
    )


def _second(program: Program, name: str, second: Callable[..., Any]) -> dict[str, Any]:
    with known_state():
        return Replay(program, name, second).shown((*program.shown, *program.also))


def shown_by(name: str, implementation: Any) -> Callable[[Program], dict[str, Any]]:
    """Make the function from a program to what it shows with an implementation, without `also`.

    `also` may name such things as `grad_fn`, which differ between implementations.
    """
    return lambda program: outcome(dataclasses.replace(program, also=()), name, implementation)
