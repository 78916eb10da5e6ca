"""The reference of a task that is asked by programs runs anew for whoever looks on."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from autograder.probes.programs import Program
from autograder.references.replay import program_reference


@pytest.mark.parametrize("asked_before", [False, True])
def test_the_oracle_runs_although_the_changes_were_asked_before(asked_before: bool) -> None:
    runs = []

    def slope(x: torch.Tensor) -> torch.Tensor:
        runs.append(x)
        return 2 * x.detach()

    def second(replay: Any, x: torch.Tensor) -> torch.Tensor:
        return 2 * x

    reference = program_reference("slope", slope, "two", second, "two again")
    program = Program("x = torch.ones(2)\nresult = slope(x)\n", ("result",))
    if asked_before:
        assert reference.changes(program) == []
        assert torch.equal(reference.kept(program)["result"], torch.full((2,), 2.0))
        assert len(runs) == 1  # one run told both
        reference.changes(program)
    before = len(runs)
    assert torch.equal(reference.oracle(program)["result"], torch.full((2,), 2.0))
    assert len(runs) == before + 1
