"""`autograder doctor` says what protects this machine."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import pytest

from autograder import doctor
from autograder.grader import supervision
from autograder.grader.supervision import Facts
from autograder.supervisor.tiers import Tier
from tests.depth import proof

FACTS = Facts(tier=Tier.NAMESPACES, user=61184, refused=(), memory_capped_in_total=True)


@pytest.mark.parametrize(
    ("total", "sentence"),
    [
        (True, "yes  All processes of a submission share one limit on memory."),
        (False, "NO   The limit on memory is each process's own"),
    ],
)
def test_it_says_whose_the_limit_on_memory_is(
    total: bool, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = dataclasses.replace(FACTS, memory_capped_in_total=total)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(supervision, "supervisor", lambda: SimpleNamespace(facts=facts))
    assert doctor._print_facts() is Tier.NAMESPACES
    assert sentence in capsys.readouterr().out


@proof
def test_it_tries_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.examine("c") == 0
    said = capsys.readouterr().out
    assert all(f"  yes  {trial.refused}" in said or f"  NO   {trial.allowed}" in said for trial in doctor.TRIALS)
