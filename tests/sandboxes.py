"""Run cells in sandboxes of a chosen tier; their supervisors are shared by all tests."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from unittest import mock

from autograder.grader.sandbox_process import SandboxProcess
from autograder.sandbox.limits import Limits
from autograder.supervisor.tiers import HIGHEST

TIERS = ("a", "b", "c")


@contextlib.contextmanager
def tier(highest: str) -> Iterator[None]:
    """Sandboxes made meanwhile are of that tier at most."""
    with mock.patch.dict(os.environ, {HIGHEST: highest}):
        yield


@contextlib.contextmanager
def sandbox(highest: str = "a", limits: Limits | None = None) -> Iterator[SandboxProcess]:
    """A sandbox of that tier."""
    with tier(highest), SandboxProcess(limits) as process:
        yield process


def outputs(process: SandboxProcess, source: str, seconds: float = 30.0) -> list[dict]:
    """The outputs of one cell."""
    return process.request({"op": "run", "source": source}, seconds=seconds)[0]["outputs"]


def said(process: SandboxProcess, source: str, seconds: float = 30.0) -> str:
    """What a cell printed and raised, without colours."""
    parts = []
    for output in outputs(process, source, seconds):
        if output["output_type"] == "error":
            parts.append(f"{output['ename']}: {output['evalue']}")
        else:
            parts.append(output.get("text") or output["data"]["text/plain"])
    return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(parts))
