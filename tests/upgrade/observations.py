"""What one environment says: every answer's points and diagnosis, every reference, how torch behaves at its edges."""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Callable
from typing import Any

import torch

from autograder.checks.catalogue import exercises, tasks_of
from autograder.checks.task import PUBLIC_SEED
from autograder.wire.plain import SeenTensor, decode, encode
from tests.answer_notebooks import identity, verdicts
from tests.answers import right_answers, wrong_answers
from tests.upgrade import NEWEST

OPERATIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "relu": torch.relu,
    "abs": torch.abs,
    "clamp to [0, 1]": lambda x: x.clamp(0, 1),
    "maximum with 0": lambda x: torch.maximum(x, torch.zeros_like(x)),
    "max of two equal": lambda x: torch.stack([x, x * 2 - x]).amax(0),
    "sign": torch.sign,
    "sqrt": torch.sqrt,
    "norm": lambda x: x.reshape(1, -1).norm(dim=0),
    "power 0": lambda x: x**0.0,
    "hardtanh": torch.nn.functional.hardtanh,
    "leaky relu": torch.nn.functional.leaky_relu,
    "softplus": torch.nn.functional.softplus,
    "round": torch.round,
    "where": lambda x: torch.where(x > 0, x, x * 3),
    "index": lambda x: x[torch.tensor([0, 0, 1, 2])],
    "matmul": lambda x: x.diag() @ x,
    "sum": torch.sum,
}
EDGES = (0.0, 1.0, -1.0)


def observations(names: list[str]) -> dict[str, Any]:
    """All of an environment, as JSON has it.

    Args:
        names: of the exercises whose answers and references are looked at.
    """
    return {
        "versions": {name: importlib.metadata.version(name) for name in NEWEST},
        "answers": {key: found for name in names or exercises() for key, found in _answers(name).items()},
        "references": {key: found for name in names or exercises() for key, found in _references(name).items()},
        "torch": {name: _behaviour(operation) for name, operation in OPERATIONS.items()},
    }


def _answers(exercise: str) -> dict[str, dict]:
    """By "exercise/task/kind name": points, the mistakes named, and what is said, each check in its line."""
    found = {}
    given = verdicts(exercise)
    for answer in (*right_answers(exercise), *wrong_answers(exercise)):
        verdict = given[identity(answer)]
        found[f"{exercise}/{answer.task}/{answer.kind} {answer.name}"] = {
            "points": verdict.points,
            "mistakes": sorted({result.mistake or result.kind for result in verdict.results}),
            "said": [_without_addresses(str(result.seen)) for result in verdict.results],
        }
    return found


def _without_addresses(text: str) -> str:
    return re.sub(r"0x[0-9a-f]+", "0x...", text)


def _references(exercise: str) -> dict[str, list]:
    """By "exercise/task": the right answers of all its cases, those that are drawn included."""
    return {
        f"{exercise}/{task.name}": [
            as_json(task.reference.oracle(*case.inputs)) for check in task.checks for case in check.cases(PUBLIC_SEED)
        ]
        for task in tasks_of(exercise).values()
    }


def _behaviour(operation: Callable[[torch.Tensor], torch.Tensor]) -> dict[str, Any]:
    """The name of an operation's node, and its slopes at the edges."""
    x = torch.tensor(EDGES, dtype=torch.float64, requires_grad=True)
    result = operation(x)
    result.sum().backward()
    return {"node": type(result.grad_fn).__name__, "slopes": as_json(x.grad)}


def as_json(value: Any) -> Any:
    """An answer as JSON, numbers and texts readable; what does not travel as the name of its type."""
    return _tree(decode(*encode(value)))


def _tree(value: Any) -> Any:
    if isinstance(value, SeenTensor):
        return {str(value.data.dtype): value.data.tolist() if not value.data.is_complex() else str(value.data.tolist())}
    if isinstance(value, dict):
        return {str(key): _tree(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_tree(one) for one in value]
    return value if value is None or type(value) in (bool, int, float, str) else str(value)
