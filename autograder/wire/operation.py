"""Operations that the grader requests of a sandbox."""

from __future__ import annotations

import enum


class Operation(enum.StrEnum):
    """What a request asks for, under the key `op`."""

    BEGIN = "begin"
    """Use a device other than the CPU: `device`, and `memory` in bytes. Comes first."""
    RUN = "run"
    """Run a cell: its `source`."""
    ASK = "ask"
    """Answer a `question`, packed as by `Question.pack`."""
