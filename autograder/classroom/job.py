"""What travels to a worker and back: plain data, as bytes."""

from __future__ import annotations

import dataclasses
from typing import Any

from autograder.grader.secret_seed import SEED_BYTES
from autograder.wire.frames import pack, unpack


@dataclasses.dataclass(frozen=True)
class Job:
    """What a worker needs to know.

    Attributes:
        cells: the repaired notebook's cells, as nbformat has them.
        exercise: "01_scalar_graphs".
        unreadable: why there is nothing to run, or None.
        limits: as keyword arguments of Limits.
        seed: what this submission's further inputs are drawn from.
        version: of the course, on the machine that asks.
        answers: from an earlier run, to be judged again; None to run the notebook.
        device: the type of device where it runs and is asked.
        worth: points by task, as the gradebook has them; empty to take them from the cells.
        run: whether the notebook may be run where stored answers are not answers to today's questions.
    """

    cells: list[dict]
    exercise: str
    unreadable: str | None
    limits: dict[str, Any]
    seed: bytes
    version: str
    answers: bytes | None = None
    device: str = "cpu"
    worth: dict[str, float] = dataclasses.field(default_factory=dict)
    run: bool = True

    def pack(self) -> bytes:
        """As bytes."""
        names = ("cells", "exercise", "unreadable", "limits", "version", "device", "worth", "run")
        message = {name: getattr(self, name) for name in names}
        return pack(message | {"stored": self.answers is not None}, self.seed + (self.answers or b""))

    @staticmethod
    def unpack(raw: bytes) -> Job:
        """From bytes."""
        message, blob = unpack(raw)
        stored = blob[SEED_BYTES:] if message.pop("stored") else None
        return Job(**message, seed=blob[:SEED_BYTES], answers=stored)


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What came of it.

    Attributes:
        outputs: of each code cell that is no grade cell, in order, its outputs and execution count.
        displays: of each task, the outputs of its grade cell.
        verdicts: as `Verdict.as_data` has them, in the order of the exercise's tasks.
        ended: cells (by number) and tasks that took the sandbox with them, with the reason.
        ran: whether the notebook was run, and not judged from stored answers.
        host: the machine that did the work.
        tier: what surrounded it then; empty where it was not run.
        seconds: wall time of the student's code and the judging; cpu: CPU time of both.
        scaled: tasks that are worth other points in the notebook than in their checks, a sentence each.
        unanswered: whether nothing was done, because stored answers do not answer today's questions.
        error: the traceback of a defect of ours, and a sentence about it; then nothing else is filled.
        answers: to be kept.
    """

    outputs: list[list] = dataclasses.field(default_factory=list)
    displays: dict[str, list] = dataclasses.field(default_factory=dict)
    verdicts: list[dict] = dataclasses.field(default_factory=list)
    ended: dict[str, str] = dataclasses.field(default_factory=dict)
    ran: bool = True
    host: str = ""
    tier: str = ""
    seconds: float = 0.0
    cpu: float = 0.0
    scaled: list[str] = dataclasses.field(default_factory=list)
    unanswered: bool = False
    error: str = ""
    answers: bytes = b""

    def pack(self) -> bytes:
        """As bytes."""
        message = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        del message["answers"]
        return pack(message, self.answers)

    @staticmethod
    def unpack(raw: bytes) -> Outcome:
        """From bytes."""
        message, blob = unpack(raw)
        return Outcome(**message, answers=blob)
