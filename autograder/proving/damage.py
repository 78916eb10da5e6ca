"""Answers that are right and damage an argument afterwards, generated from a task's solution.

Each must lose points, and the damage must get its name.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import torch

from autograder.checks.catalogue import cells_before
from autograder.checks.task import PUBLIC_SEED, Task
from autograder.diagnosis.damage import kind_of
from autograder.probes.known_state import known_state
from autograder.probes.programs import executed
from autograder.probes.question import Question


class Damaged(NamedTuple):
    """A right answer that damages an argument.

    Attributes:
        name: the argument and the way: "image: requires_grad on".
        source: the solution cell.
        diagnosed: the damage's name.
    """

    name: str
    source: str
    diagnosed: str


class Way(NamedTuple):
    """A way to damage what `{it}` stands for.

    Attributes:
        what: what changes, as `probes.snapshots.Change` has it.
        of: what it belongs to.
        code: one statement.
        applies: an expression that says whether the way would change this argument.
    """

    what: str
    of: str
    code: str
    applies: str = "True"


LEAF = "it.is_leaf and it.requires_grad"
FIRST = "next(iter(it.parameters()), None)"
WAYS = {
    "torch.Tensor": (
        Way("numbers", "tensor", "it.data.add_(1)", "it.numel() and it.dtype != torch.bool"),
        Way("shape", "tensor", "it.data = it.data[None]"),
        Way("requires_grad on", "tensor", "it.requires_grad_()", "it.is_floating_point() and not it.requires_grad"),
        Way("requires_grad off", "tensor", "it.requires_grad_(False)", LEAF),
        Way("grad filled", "tensor", "it.grad = torch.ones_like(it)", f"{LEAF} and it.grad is None"),
        Way("grad changed", "tensor", "it.grad.add_(1)", f"{LEAF} and it.grad is not None"),
        Way("grad cleared", "tensor", "it.grad = None", f"{LEAF} and it.grad is not None"),
        Way("hook left", "tensor", "it.register_hook(lambda gradient: None)", "it.requires_grad"),
    ),
    "torch.nn.Module": (
        Way("numbers", "parameter", f"{FIRST}.data.mul_(2).add_(1)", f"{FIRST} is not None"),
        Way(
            "requires_grad off",
            "parameter",
            "it.requires_grad_(False)",
            f"{FIRST} is not None and {FIRST}.requires_grad",
        ),
        Way(
            "requires_grad on", "parameter", "it.requires_grad_()", f"{FIRST} is not None and not {FIRST}.requires_grad"
        ),
        Way(
            "grad filled",
            "parameter",
            f"{FIRST}.grad = torch.ones_like({FIRST})",
            f"{FIRST} is not None and {FIRST}.grad is None",
        ),
        Way("hook left", "module", "it.register_forward_hook(lambda *given: None)"),
        Way("mode", "module", "it.train(not it.training)"),
        Way("forward", "module", "it.forward = it.forward"),
        Way("numbers", "buffer", "next(it.buffers()).add_(1)", "next(it.buffers(), None) is not None"),
    ),
    "list": (Way("items", "container", "it.append(it[0] if it else 0)"),),
    "dict": (Way("items", "container", "it['damage'] = 0"),),
    "torch.optim.Optimizer": (Way("items", "container", "it.param_groups[0]['lr'] *= 2"),),
}
"""Ways to damage an argument, by its type."""
OF_THE_PROCESS = (
    Way("grad mode", "process", "torch.set_grad_enabled(False)"),
    Way("default dtype", "process", "torch.set_default_dtype(torch.float64)"),
)


class _ReachedError(Exception):
    """Raised when a program has used the task."""


class _Recorder:
    """A stand-in for the task that runs the solution once and notes which ways would damage what it was handed."""

    def __init__(self, solution: Any) -> None:
        self._solution = solution
        self.possible: set[tuple[int, str, Way]] = set()

    def __call__(self, *given: Any, **named: Any) -> None:
        before = set(_possible(given))
        getattr(self._solution, "apply", self._solution)(*given, **named)
        self.possible = before & set(_possible(given))  # a `.grad` that the call itself fills is no occasion
        raise _ReachedError

    apply = __call__


def _possible(given: tuple[Any, ...]) -> Iterator[tuple[int, str, Way]]:
    for index, value in enumerate(given):
        for kind, ways in WAYS.items():
            for way in ways:
                if eval(f"isinstance(it, {kind}) and {way.applies}", {"torch": torch, "it": value}):
                    yield index, kind, way


def occasions(task: Task) -> set[tuple[int, str, Way]]:
    """Return the arguments, by index and type, with the ways that would damage them in some public question."""
    names: dict[str, Any] = {}
    for cell in (*cells_before(task), task.solution):
        exec(cell, names)
    found: set[tuple[int, str, Way]] = set()
    for case in (case for check in task.checks for case in check.cases(PUBLIC_SEED)):
        recorder, inputs = _Recorder(names[task.target]), Question.unpack(*case.question.pack()).inputs
        with known_state(), contextlib.suppress(Exception):
            if "arguments" in inputs:
                recorder(*inputs["arguments"])
            executed(inputs["text"], {task.target: recorder} | inputs["given"])
        found |= recorder.possible
    return found


def damaged(task: Task) -> Iterator[Damaged]:
    """Yield the task's solution once for each argument of its questions and each way to damage it.

    Ways that the task allows are left out, and so are those for which no question gives an occasion.
    """
    definition, named = _definition(task), parameters(task)
    if not named:
        return
    found, after = sorted(occasions(task)), AFTER_A_CLASS
    if isinstance(definition, ast.FunctionDef):  # autograd itself puts back what a Function's `forward` leaves
        found, after = [*found, *((len(named) - 1, "object", way) for way in OF_THE_PROCESS)], AFTER_A_FUNCTION
    for index, kind, way in found:
        damage = kind_of(way._asdict())
        assert damage is not None, f"no damage is called {way.what}"
        if not any(allowed.covers(way._asdict()) for allowed in task.may_change):
            condition = f"isinstance(it, {kind}) and {way.applies}"
            added = after.format(task=task.target, place=index - len(named), condition=condition, code=way.code)
            name = f"{'process' if way.of == 'process' else named[index]}: {way.what} ({way.of})"
            yield Damaged(name, f"import torch\n\n{task.solution}\n\n\n{added}", damage.mistake.name)


def _definition(task: Task) -> ast.AST | None:
    return next((one for one in ast.parse(task.solution).body if getattr(one, "name", "") == task.target), None)


def parameters(task: Task) -> list[str]:
    """Return the names of what a task's function, or its Function's `apply`, is handed; none for another class."""
    definition = _definition(task)
    if isinstance(definition, ast.FunctionDef):
        return [one.arg for one in definition.args.args]
    methods = {one.name: one for one in getattr(definition, "body", ()) if isinstance(one, ast.FunctionDef)}
    if "forward" not in methods:
        return []
    names = [one.arg for one in methods["forward"].args.args]
    return names if "setup_context" in methods else names[1:]


AFTER_A_FUNCTION = """_right = {task}


def {task}(*given):
    result = _right(*given)
    it = given[{place}]
    if {condition}:
        {code}
    return result
"""
AFTER_A_CLASS = """_Right = {task}


class {task}(_Right):
    @staticmethod
    def forward(*given):
        result = _Right.forward(*given)
        it = given[{place}]
        if {condition}:
            {code}
        return result
"""
