"""`autograder doctor` says what protects this machine."""

from __future__ import annotations

import contextlib
import dataclasses
from pathlib import Path
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


def sandbox_that_says(error: str | None) -> contextlib.nullcontext:
    """A sandbox in which every cell ends with that error."""
    outputs = [] if error is None else [{"output_type": "error", "ename": error}]
    reply = {"ok": error is None, "outputs": outputs}
    return contextlib.nullcontext(SimpleNamespace(request=lambda message, seconds: (reply, b"", False)))


@pytest.mark.parametrize(
    ("error", "begin"),
    [
        (None, "  NO   It can."),
        ("PermissionError", "  yes  It cannot."),
        ("MemoryError", "  yes  It cannot."),
        ("AttributeError", "  --   "),  # as of os.memfd_create on macOS
        ("OneOfItsOwn", "  --   "),
    ],
)
def test_only_a_refusal_counts_as_one(error: str | None, begin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "SandboxProcess", lambda limits: sandbox_that_says(error))
    assert doctor._outcome(doctor.Trial("It cannot.", "It can.", "try()"), {}).startswith(begin)


def test_what_the_system_does_not_have_is_not_tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(doctor, "SandboxProcess", lambda limits: sandbox_that_says("FileNotFoundError"))
    trials = [dataclasses.replace(trial, needs=str(tmp_path / "proc")) for trial in doctor.TRIALS if trial.needs != "/"]
    assert len(trials) == 3
    assert all("/proc" in trial.source for trial in trials)
    assert all(doctor._outcome(trial, {}).startswith("  --   ") for trial in trials)


def test_a_binary_file_is_read_as_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".DS_Store").write_bytes(b"\0\0\0\1Bud1\xff\xff")
    monkeypatch.chdir(tmp_path)
    exec(doctor._filled(doctor.TRIALS[0].source, {"course": str(doctor._file_here())}))


@proof
def test_it_tries_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.examine("c") == 0
    said = capsys.readouterr().out
    assert all(f"  yes  {trial.refused}" in said or f"  NO   {trial.allowed}" in said for trial in doctor.TRIALS)
