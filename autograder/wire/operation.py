"""Operations that the grader requests of a sandbox."""

from __future__ import annotations

import enum


class Operation(enum.StrEnum):
    """What a request asks for, under the key `op`."""

    BEGIN = "begin"
    """Use a device other than the CPU: `device`, and `memory` in bytes. Comes first."""
    RUN = "run"
    """Run a cell: its `source`."""
    ASSERTS = "asserts"
    """Keep what cells with asserts rely on: what they import as `modules`, and `names`. Comes before any cell.

    A released cell to run then brings the attributes that it `stores`, and one with asserts the names that it `uses`;
    what the notebook had changed comes back as `changed`.
    """
    ASK = "ask"
    """Answer a `question`, packed as by `Question.pack`."""


DEVICE_LOST = 87
"""The exit status of a sandbox whose GPU refused to go on: one bad index there, and the process can use it no more."""
