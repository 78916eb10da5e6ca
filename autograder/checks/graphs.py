"""Pictures of wrong answers: the graph of a public case with the wrong numbers marked."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any

import torch

from autograder.comparison import agree
from autograder.diagnosis.structures import tensor_of
from autograder.pictures import Picture, draw
from autograder.probes.programs import Program
from autograder.references.replay import before_first_use
from autograder.wire.plain import Foreign

Graph = tuple[Any, dict[str, Any]]
"""Arguments of `draw`: the positional one and the keyword arguments."""
MOST_SHOWN = 4
OUTPUTS = ("a", "y", "output", "loss")


def picture_of(graph: Callable[..., Graph | None], inputs: tuple[Any, ...], expected: Any, got: Any) -> Picture | None:
    """Draw the graph of a case with the wrong nodes marked; return None if no wrong number belongs to a node."""
    wrong: dict[str, tuple[Any, Any]] = {}
    for name, seen, right in _wrong_nodes(inputs, expected, got):
        wrong[name] = _plain(seen), _plain(right)
    found = graph(*inputs) if wrong else None
    if found is None:
        return None
    thing, how = found
    known = how.get("names") or {name for edge in thing for name in edge[:2]}
    wrong = {name: pair for name, pair in wrong.items() if name in known}
    return draw(thing, **how, wrong=wrong, title="Where the numbers differ") if wrong else None


def graph_of_program(task: str) -> Callable[[Program], Graph | None]:
    """Make a task's `graph` for programs: the autograd graph that a program has built when it first uses the task."""

    def graph(program: Program) -> Graph | None:
        names = before_first_use(program, task)
        tensors = {name: value for name, value in names.items() if isinstance(value, torch.Tensor)}
        output = next((tensors[name] for name in OUTPUTS if name in tensors), None)
        return None if output is None else (output, {"names": tensors, "backwards": True})

    return graph


def _wrong_nodes(inputs: tuple[Any, ...], expected: Any, got: Any) -> list[tuple[str, Any, Any]]:
    """Return the names of wrong nodes, each with the value that was seen and the right one."""
    program = inputs[0] if isinstance(inputs[0], Program) else None
    pairs: list[tuple[str, Any, Any]] = []
    if not isinstance(expected, Mapping) or not isinstance(got, Mapping):
        return pairs
    for key, right in expected.items():
        seen = got.get(key)
        if program is None:
            pairs.append((str(key), seen, right))
        elif stored := re.fullmatch(r"(\w+)\.(grad|data)", key):
            pairs.append((stored[1], seen, right))
        elif isinstance(right, Mapping) and isinstance(seen, Mapping):
            pairs += [(str(name), seen.get(name), value) for name, value in right.items()]
        elif isinstance(right, list | tuple) and isinstance(seen, list | tuple) and len(right) == len(seen):
            pairs += zip(_names_in_call(program, len(right)), seen, right, strict=False)
    return [(name, seen, right) for name, seen, right in pairs if not agree(seen, right)]


def _names_in_call(program: Program, count: int) -> list[str]:
    """Return the names in the sequence of `count` tensors that a program passes to a call; "" for other expressions."""
    for call in ast.walk(ast.parse(program.text)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            for argument in call.args:
                if isinstance(argument, ast.Tuple | ast.List) and len(argument.elts) == count:
                    return [one.id if isinstance(one, ast.Name) else "" for one in argument.elts]
    return []


def _plain(value: Any) -> Any:
    """Return a value to write at a node: a number, or a short text for a tensor with several, or for an object."""
    if isinstance(value, Foreign):
        return value.type_name
    tensor = tensor_of(value)
    if tensor is None or tensor.numel() == 1:
        return value if tensor is None else tensor
    if tensor.numel() > MOST_SHOWN or tensor.is_complex():
        return f"shape {tuple(tensor.shape)}"
    return "[" + ", ".join(f"{number:.4g}" for number in tensor.reshape(-1).tolist()) + "]"
