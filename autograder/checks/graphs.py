"""The graph of a wrong answer, with the wrong numbers marked; drawn for public cases only."""

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

Graph = tuple[Any, dict[str, Any]]
"""What `draw` takes: the thing, and keyword arguments."""
MOST_SHOWN = 4
OUTPUTS = ("a", "y", "output", "loss")


def picture_of(graph: Callable[..., Graph | None], inputs: tuple, expected: Any, got: Any) -> Picture | None:
    """The graph of a case with the wrong nodes marked; None where no wrong number belongs to a node."""
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
    """For tasks that are asked in programs: the autograd graph that stands before the task is used."""

    def graph(program: Program) -> Graph | None:
        names = before_first_use(program, task)
        tensors = {name: value for name, value in names.items() if isinstance(value, torch.Tensor)}
        output = next((tensors[name] for name in OUTPUTS if name in tensors), None)
        return None if output is None else (output, {"names": tensors})

    return graph


def _wrong_nodes(inputs: tuple, expected: Any, got: Any) -> list[tuple[str, Any, Any]]:
    """Names of nodes with what was got and what was expected."""
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
    """The names in the sequence of so many tensors that the program hands to the task."""
    for call in ast.walk(ast.parse(program.text)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            for argument in call.args:
                if isinstance(argument, ast.Tuple | ast.List) and len(argument.elts) == count:
                    return [one.id if isinstance(one, ast.Name) else "" for one in argument.elts]
    return []


def _plain(value: Any) -> Any:
    """A number, or a short text for what has several."""
    tensor = tensor_of(value)
    if tensor is None or tensor.numel() == 1:
        return value if tensor is None else tensor
    if tensor.numel() > MOST_SHOWN or tensor.is_complex():
        return f"shape {tuple(tensor.shape)}"
    return "[" + ", ".join(f"{number:.4g}" for number in tensor.reshape(-1).tolist()) + "]"
