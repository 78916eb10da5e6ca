"""Predict what a mistake yields, by running a wrong implementation in place of the task."""

from __future__ import annotations

import copy
import dataclasses
import functools
from collections.abc import Callable
from types import CodeType
from typing import Any

from autograder.probes.known_state import known_state
from autograder.probes.programs import NODE, Program
from autograder.probes.specimens import build
from autograder.references.runs import outcome
from autograder.tasks.cells import needed
from autograder.tasks.folders import read_exercise, task_folders
from autograder.wire.plain import Specimen

Way = Callable[..., Any] | type | str
"""A wrong implementation of the task, or the source of a cell that defines one."""
ANSWER_FILE = "<an answer to {}>"
"""The file name in tracebacks of such a cell."""


def prediction(task: str, target: str, way: Way) -> Callable[..., Any]:
    """Return a function from a case's inputs to the answer that a wrong implementation gives.

    Args:
        task: the task's name.
        target: the name that its questions use.
        way: a wrong implementation. A callable gets the inputs unchanged, specimens included; a cell's function gets
            copies, with specimens built.
    """

    def answer(*inputs: Any) -> Any:
        wrong = implementation(task, target, way) if isinstance(way, str) else way
        if inputs and isinstance(inputs[0], Program) and not getattr(way, "takes_programs", False):
            # A node is named after its autograd.Function, whose name in the wrong implementation is arbitrary.
            also = tuple(one for one in inputs[0].also if one != NODE)
            return outcome(dataclasses.replace(inputs[0], also=also), target, wrong)
        if not isinstance(way, str):
            return wrong(*inputs)
        with known_state():
            return wrong(*map(_handed_over, inputs))

    return answer


def implementation(task: str, target: str, source: str) -> Any:
    """Run the cells and return what they define as `target`; anew per question, since a mistake may keep state."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in _cells(task, source):
        exec(cell, names)
    return names[target]


@functools.lru_cache(4096)
def _cells(task: str, source: str) -> list[CodeType]:
    cells = [*needed(task, _solutions(task), source), source]
    return [compile(cell, ANSWER_FILE.format(task), "exec") for cell in cells]


def _solutions(task: str) -> dict[str, str]:
    """Return the published solutions of the task's exercise, in order."""
    folder = task_folders()[task].parent
    return {one: (folder / one / "solution.py").read_text(encoding="utf-8") for one in read_exercise(folder).tasks}


def _handed_over(value: Any) -> Any:
    return build(value) if isinstance(value, Specimen) else copy.deepcopy(value)
