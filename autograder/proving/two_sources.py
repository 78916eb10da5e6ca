"""Check that a task's two sources agree on public cases and on draws, and that draws depend on their seed only."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter

from autograder.checks.task import Check, Task
from autograder.comparison import Difference, Tolerance, differences
from autograder.probes.programs import Program
from autograder.proving.problems import Problem, exceptions_explained, shown

DOUBLE = Tolerance(relative=1e-12, of_scale=1e-13)
SINGLE = Tolerance(relative=4 * torch.finfo(torch.float32).eps, of_scale=4 * torch.finfo(torch.float32).eps)
"""Tolerance for results that involve float32, which processors round differently, by up to two steps."""


class Dtypes(TorchDispatchMode):  # type: ignore[misc]  # torch is not type-checked
    """Records the dtypes of all tensors that are computed inside the block."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[torch.dtype] = set()

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        computed = func(*args, **(kwargs or {}))
        self.seen |= {one.dtype for one in tree_iter(computed) if isinstance(one, torch.Tensor)}
        return computed


def public_values(task: Task) -> Iterator[Problem]:
    """Report recorded public values that at least one of the two sources does not confirm."""
    reference = task.reference
    for check in task.checks:
        for number, case in enumerate(check.public, start=1):
            with exceptions_explained(task, case.inputs):
                with Dtypes() as dtypes:
                    right = reference.oracle(*case.inputs)
                precision = SINGLE if torch.float32 in dtypes.seen else DOUBLE
                found = {
                    reference.oracle_by: differences(right, case.expected, precision),
                    reference.second_by: differences(reference.second(*case.inputs), case.expected, _tolerance(task)),
                }
            if by := [source for source, differ in found.items() if differ]:
                where = f"{task.name}: public case {number} of {check.title!r} is recorded otherwise than"
                give = f"{' and '.join(by)} {'give' if len(by) > 1 else 'gives'}"
                yield Problem(
                    f"{where} {give} it: {_first(found[by[0]])}",
                    f"public cases that {give} otherwise",
                )


def right_answer(task: Task, inputs: tuple[Any, ...]) -> Any:
    """Compute the right answer, without the values that a program shows for diagnosis only."""
    with exceptions_explained(task, inputs):
        right = task.reference.oracle(*inputs)
        return {key: right[key] for key in inputs[0].shown} if inputs and isinstance(inputs[0], Program) else right


def sources_agree(check: Check, seeds: Iterable[int]) -> Iterator[Problem]:
    """Report seeds for which the two sources answer the drawn question differently."""
    assert check.strata, f"{check.id} draws nothing"
    for seed in seeds:
        inputs = check.strata[seed % len(check.strata)](random.Random(seed))
        with exceptions_explained(check.task, inputs):
            second = check.task.reference.second(*inputs)
            found = differences(second, right_answer(check.task, inputs), _tolerance(check.task))
        if found:
            sentence = f"{check.id}: the two sources differ at seed {seed} ({_first(found)}) for {shown(inputs)}"
            yield Problem(sentence, "seeds at which the two sources differ")


def draws_follow_their_seed(check: Check) -> Iterator[Problem]:
    """Report draws that do not depend on the seed exactly, and draws that repeat within one seed."""

    def drawn(seed: bytes) -> list[str]:
        return [str(case.inputs) for case in check.cases(seed) if case.secret]

    one = drawn(b"one")
    if one == drawn(b"two"):
        yield Problem(f"{check.id}: two seeds draw the same inputs")
    if one != [str(case.inputs) for case in check.drawn_anew(b"one") if case.secret]:
        yield Problem(f"{check.id}: the same seed draws other inputs the second time")
    if len(set(one)) != check.draws:
        yield Problem(f"{check.id}: one of {check.draws} draws came twice")


def sources_distinct(task: Task) -> Iterator[Problem]:
    """Report a second source that is the same as the first."""
    reference = task.reference
    if reference.oracle is reference.second or reference.oracle_by == reference.second_by:
        yield Problem(
            f"{task.name}: the second source is the first; write another, and say how it works in other words"
        )


def _first(found: list[Difference]) -> str:
    return f"{found[0].place} {found[0].problem}".strip()


def _tolerance(task: Task) -> Tolerance:
    return Tolerance(relative=task.reference.second_error, of_scale=task.reference.second_error)
