"""A question as a sentence shows it: as code, and without numbers that were drawn for one submission."""

from __future__ import annotations

import ast
from typing import Any

import torch

from autograder.checks.task import Case
from autograder.probes.programs import Program
from autograder.probes.specimens import as_code, tensor_as_code
from autograder.wire.plain import Specimen

LONGEST_INPUT = 120
"""Characters of an input that a sentence shows."""


def program_of(case: Case) -> Program | None:
    """Return the program that a case runs; None if it is a call."""
    first = case.inputs[0] if case.inputs else None
    return first if isinstance(first, Program) else None


def public_program_of(case: Case) -> Program | None:
    """Return the program that a case runs if it may be shown."""
    return None if case.secret else program_of(case)


def shown(target: str, case: Case) -> str:
    """Return the question as code: "`f(3.0)`", "This program", or "`f` with further inputs"."""
    if case.secret:
        return f"`{target}` with further inputs"
    if program_of(case) is not None:
        return "This program"
    return f"`{target}({', '.join(map(_shown_input, case.inputs))})`"


def shown_call(target: str, case: Case) -> str:
    """Return the only call of the task's definition as code; of several, nobody knows which one is meant.

    What a Function changes, its `backward` may have changed, which `apply` does not call.
    """
    program = public_program_of(case)
    if program is None:
        return shown(target, case)
    calls = (node for node in ast.walk(ast.parse(program.text)) if isinstance(node, ast.Call))
    texts = [ast.unparse(call) for call in calls if target in ast.unparse(call.func).split(".")]
    if len(texts) > 1 or any(text.startswith(f"{target}.apply(") for text in texts):
        return "the program below"
    text = texts[0] if texts else target
    return f"`{text if len(text) <= LONGEST_INPUT else target + '(...)'}`"


def example_of(target: str, case: Case) -> str:
    """Return code that asks the question in a cell; empty for a call that stands in the sentence as it can be run."""
    if case.secret:
        return ""
    if (program := program_of(case)) is not None:
        return program.as_cell
    call = shown(target, case)[1:-1]
    made = [code for value in case.inputs if isinstance(value, Specimen) and (code := as_code(value))]
    return "\n".join([*made, f"{call}\n"]) if made and "<tensor" not in call else ""


def _shown_input(value: Any) -> str:
    if isinstance(value, Specimen):
        return "f"
    if isinstance(value, torch.Tensor):
        return tensor_as_code(value) if value.numel() <= 6 else f"<tensor {tuple(value.shape)}>"
    text = repr(value)
    if len(text) <= LONGEST_INPUT:
        return text
    if isinstance(value, list):
        kept = next(n for n in range(len(value), -1, -1) if len(repr(value[:n])) <= LONGEST_INPUT)
        return f"{repr(value[:kept])[:-1]}, ...]" if kept else "[...]"
    return text[: LONGEST_INPUT - 3] + "..."
