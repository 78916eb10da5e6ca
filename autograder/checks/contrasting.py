"""Where wrong numbers stand, and how they relate to the right ones and to the question: said where no mistake fits."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator
from typing import Any

import torch

from autograder.checks.task import Task
from autograder.comparison import agree
from autograder.contrasts import Observation, place, relation
from autograder.diagnosis.explaining import Judged
from autograder.diagnosis.structures import is_shown, numbers_of, tensor_of
from autograder.probes.programs import Program
from autograder.references.replay import first_use
from autograder.tasks.predicting import implementation

Quantities = dict[str, torch.Tensor]
"""What a question hands over, by the words for it."""
MOST_QUESTIONS = 16
"""Of a check, that are compared; the first ones."""


def contrasted(task: Task, judged: list[Judged]) -> str:
    """Return a sentence that begins with a space: what all wrong numbers are, and where; "" if nothing fits.

    Args:
        task: whose check it is.
        judged: all questions of the check that were answered, at least one of them wrongly.
    """
    for key, observations in _observed(task, judged):
        if sentence := _of_key(key, observations):
            return sentence
    return ""


def placed(task: Task, judged: list[Judged]) -> str:
    """Return a sentence that begins with a space: where the wrong numbers stand; "" if nothing says.

    Args:
        task: whose check it is.
        judged: all questions of the check that were answered, at least one of them wrongly.
    """
    places = {place(observations) for _, observations in _observed(task, judged)}
    return f" Numbers are wrong only {places.pop()}." if len(places) == 1 and "" not in places else ""


def _observed(task: Task, judged: list[Judged]) -> Iterator[tuple[str | None, list[Observation]]]:
    """Yield each expression whose values are wrong somewhere, None for what a call returned, with what was seen."""
    some = judged[:MOST_QUESTIONS]
    handed_over: list[Quantities] = []
    for key in _wrong_keys(some):
        with contextlib.suppress(RuntimeError, ValueError, IndexError, TypeError):  # such numbers are not related
            handed_over = handed_over or [dict(_quantities(task, one.inputs)) for one in some]
            pairs = zip(some, handed_over, strict=True)
            observations = [
                found for one, quantities in pairs if (found := _observation(key, one, quantities)) is not None
            ]
            if any(one.is_wrong for one in observations):
                yield key, observations


def _of_key(key: str | None, observations: list[Observation]) -> str:
    subject = "" if key is None else f" of `{key}`"
    if how := relation(observations):
        where = ""
    elif where := place(observations):
        how = relation(observations, only_wrong=True)
    if how.startswith("right with"):
        return f" The numbers{subject} would be {how}."
    if how:
        return f" Each wrong number{subject}{where and f', {where},'} is {how}."
    is_chance = sum(one.is_wrong for one in observations) < 2
    return "" if is_chance or not where else f" Numbers{subject} are wrong only {where}."


def _wrong_keys(judged: list[Judged]) -> Iterator[str | None]:
    """Yield the expressions whose values are wrong somewhere, None for what a call returned."""
    found: dict[str | None, None] = {}
    for one in judged:
        if is_shown(one.inputs, one.expected, one.got):
            found |= {key: None for key, right in one.expected.items() if not agree(one.got.get(key), right)}
        elif not one.is_right:
            found[None] = None
    yield from found


def _observation(key: str | None, one: Judged, quantities: Quantities) -> Observation | None:
    expected, got = one.expected, one.got
    if key is not None:
        if not is_shown(one.inputs, expected, got) or key not in expected:
            return None
        expected, got = expected[key], got.get(key)
    right, seen = _numbers(expected), _numbers(got)
    if right is None or seen is None or right.shape != seen.shape or not right.numel():
        return None
    return Observation(right, seen, quantities, f"`{key}`" if key else "")


def _numbers(value: Any) -> torch.Tensor | None:
    """Return a tensor, a number or a list of numbers as a float64 tensor; None for anything else."""
    tensor = tensor_of(value)
    if tensor is not None:
        return tensor.double().cpu() if tensor.is_floating_point() else None
    if isinstance(value, float) or (isinstance(value, list) and all(isinstance(one, float) for one in value)):
        return torch.tensor(numbers_of(value), dtype=torch.float64).reshape(
            len(value) if isinstance(value, list) else ()
        )
    return None


def _by_parameter(task: Task, arguments: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call by the names of the task's parameters."""
    right = implementation(task.name, task.target, task.solution)
    if not inspect.isfunction(right):
        return named
    return dict(zip(inspect.signature(right).parameters, arguments, strict=False)) | named


def _quantities(task: Task, inputs: tuple[Any, ...]) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield the numbers and tensors that a question hands over, by name."""
    if not (inputs and isinstance(inputs[0], Program)):
        names = _by_parameter(task, inputs, {})
    else:
        names, arguments, named = first_use(inputs[0], task.target)
        given = _by_parameter(task, arguments, named)  # numbers often stand in the call itself
        names |= {name: one for name, one in given.items() if type(one) in (int, float) and name not in names}
    for name, value in names.items():
        if isinstance(value, torch.Tensor) and value.is_floating_point():
            yield f"`{name}`", value.detach().double().cpu()
        elif type(value) in (int, float) and not name.startswith("_"):
            yield f"`{name}`", torch.tensor(float(value), dtype=torch.float64)
