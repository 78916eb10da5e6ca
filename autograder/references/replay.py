"""Run a program with a reference in the student's place, or again with one of its tensors moved a little.

`outcome` says what a program shows beside an implementation. A `Replay` is the second source of such tasks:
it repeats the lines that stand before the call, nudging one named tensor, and so needs no autograd.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import functools
import re
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any

import torch

from autograder.probes.known_state import known_state
from autograder.probes.programs import PROGRAM_FILE, Program, compiled, executed, look, scope
from autograder.probes.specimens import build
from autograder.references.cycles import forget_histories, hooks_removed
from autograder.references.numeric import STEP, moved_both_ways
from autograder.references.reference import Reference
from autograder.wire.plain import Specimen


def outcome(program: Program, name: str, implementation: Any) -> dict[str, Any]:
    """What a program shows where the task's name stands for `implementation`."""
    with known_state(), hooks_removed():
        names = executed(program.text, {name: implementation} | _built(program.given))
        shown = look((*program.shown, *program.also), names)
        forget_histories(names)
        return shown


def _built(given: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: build(value) if isinstance(value, Specimen) else copy.deepcopy(value) for name, value in given.items()
    }


class Replay:
    """A program that runs statement by statement, so that its beginning can be run again, moved.

    Args:
        program: what to run; what is differentiated is run again in float64.
        name: the task's.
        implementation: stands in for the student's function; its first argument is this replay.
        again: stands in for it where lines are run again; it returns None where left out.
    """

    def __init__(
        self, program: Program, name: str, implementation: Callable, again: Callable[..., Any] | None = None
    ) -> None:
        self.name, self.given, self.again = name, program.given, again or _not_again
        self.statements = _statements(program.text)
        # Differences in float32 would be noise: what is run again is run in float64.
        self.wide = _statements(re.sub(r"torch\.(float32|float16|bfloat16)", "torch.float64", program.text))
        self.done = 0
        self.names = scope({name: functools.partial(implementation, self)} | _built(program.given))

    def shown(self, expressions: tuple[str, ...]) -> dict[str, Any]:
        """Run to the end and look."""
        for statement in self.statements:
            exec(statement, self.names)
            self.done += 1
        return look(expressions, self.names)

    def gradient(self, output: torch.Tensor, node: torch.Tensor, upstream: torch.Tensor | None = None) -> torch.Tensor:
        """The gradient of sum(upstream * output) with respect to a tensor that the program named.

        Args:
            output, node: objects that the program has bound to names by now.
            upstream: like output; ones where left out.

        Returns:
            A tensor like node, by central differences.

        Raises:
            LookupError: where the program has no name for one of them.
        """
        weights = torch.ones_like(output) if upstream is None else upstream
        of, by = self._name_of(output), self._name_of(node)

        def value(moved: torch.Tensor) -> torch.Tensor:
            return (self._again(by, moved)[of].detach().double() * weights.double()).sum()

        found = torch.empty(node.shape, dtype=torch.float64)
        for index, up, down in moved_both_ways(node.double()):
            found[index] = (value(up) - value(down)) / (2 * STEP)
        return found.to(node.dtype)

    def _name_of(self, tensor: torch.Tensor) -> str:
        for name, value in self.names.items():
            if value is tensor:
                return name
        raise LookupError("the program has no name for a tensor that its reference differentiates")

    def _again(self, name: str, moved: torch.Tensor) -> dict[str, Any]:
        """The names after the statements that were done, where `name` got `moved` as soon as it existed.

        The moved value is used as it is, so a node's own history is cut off: that is what a partial
        derivative with respect to an inner node means.
        """
        names = scope({self.name: self.again} | _built(self.given))
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
    """The task's function, in the lines that are run again: its result is not needed there."""


class _ReachedError(Exception):
    """The program has come to the task."""


class _Stop:
    """Stands in for the task, a function or a class, and stops the program that uses it."""

    def __call__(self, *arguments: Any, **named: Any) -> None:
        raise _ReachedError

    def __getattr__(self, name: str) -> None:
        raise _ReachedError


def before_first_use(program: Program, name: str) -> dict[str, Any]:
    """The names that a program has bound when it first uses the task."""
    names = scope({name: _Stop()} | _built(program.given))
    with known_state(), contextlib.suppress(_ReachedError):
        exec(compiled(program.text), names)
    return names


def program_reference(
    name: str, oracle: Callable, oracle_by: str, second: Callable, second_by: str, second_error: float = 1e-6
) -> Reference:
    """The reference of a task whose questions are programs.

    Args:
        name: the task's, as programs call it.
        oracle: an implementation of the task.
        second: another, that shares no code with it; its first argument is a `Replay`.
    """
    return Reference(
        lambda program: outcome(program, name, oracle),
        oracle_by,
        lambda program: _second(program, name, second),
        second_by,
        second_error,
    )


def _second(program: Program, name: str, second: Callable) -> dict[str, Any]:
    with known_state():
        return Replay(program, name, second).shown((*program.shown, *program.also))


def under(name: str, implementation: Any) -> Callable[[Program], dict[str, Any]]:
    """For a named mistake: from a program to what it shows where the task is implemented in this way."""
    return lambda program: outcome(program, name, implementation)
