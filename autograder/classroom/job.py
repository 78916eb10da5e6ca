"""Jobs and their results, as plain data in bytes: what a worker receives and sends back."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from autograder.grader.secret_seed import SEED_BYTES
from autograder.notebooks.notes import NOTES
from autograder.supervisor.tiers import Tier
from autograder.wire.frames import pack, unpack


@dataclasses.dataclass(frozen=True)
class Job:
    """A submission to grade, with all that a worker must know.

    Attributes:
        notebook: the repaired notebook in nbformat's form; the released one if the file cannot be read.
        exercise: such as "01_doubling".
        unreadable: why the file cannot be read, and so not run; else None.
        limits: keyword arguments of Limits.
        seed: from which this submission's secret inputs are drawn.
        version: the coordinator's version of the course.
        answers: of an earlier run, to judge again; None to run the notebook.
        device: the type of device on which the notebook runs and answers.
        worth: points by task according to the gradebook; empty to take them from the cells.
        run: whether the notebook may run if the stored answers do not answer today's questions.
        names: of the student, the assignment and the notebook, as nbgrader's steps receive them.
        steps: nbgrader's configured steps, as `graded_copy.steps_of` returns them.
        files: what lies beside the notebook, as from `pack_files`.
        versions: by task, the version that was dealt to the student.
    """

    notebook: dict[str, Any]
    exercise: str
    unreadable: str | None
    limits: dict[str, Any]
    seed: bytes
    version: str
    answers: bytes | None = None
    device: str = "cpu"
    worth: dict[str, float] = dataclasses.field(default_factory=dict)
    run: bool = True
    names: dict[str, str] = dataclasses.field(default_factory=dict)
    steps: dict[str, Any] = dataclasses.field(default_factory=lambda: {"steps": [], "settings": {}})
    files: bytes = b""
    versions: dict[str, int] = dataclasses.field(default_factory=dict)

    @property
    def cells(self) -> list[dict[str, Any]]:
        """Return the notebook's cells, without the notes that grading put in."""
        return [cell for cell in self.notebook["cells"] if cell.get("id") not in NOTES]

    def pack(self) -> bytes:
        """Return the job as bytes."""
        message = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        del message["seed"], message["answers"], message["files"]
        sizes = {"stored": self.answers is not None, "files": len(self.files)}
        return pack(message | sizes, self.seed + self.files + (self.answers or b""))

    @staticmethod
    def unpack(raw: bytes) -> Job:
        """Return the job that `pack` turned into these bytes."""
        message, blob = unpack(raw)
        end = SEED_BYTES + message.pop("files")
        stored = blob[end:] if message.pop("stored") else None
        return Job(**message, seed=blob[:SEED_BYTES], files=blob[SEED_BYTES:end], answers=stored)


@dataclasses.dataclass(frozen=True)
class JobResult:
    """The result of a job.

    Attributes:
        scores: of the cells, the fields of `CellScores`.
        verdicts: in the form of `Verdict.as_data`, in the order of the exercise's tasks.
        ended: cells (by number) and tasks that ended their sandbox, with the reason.
        ran: whether the notebook was run, rather than judged from stored answers.
        host: the machine that did the work.
        tier: how the sandbox was isolated; empty if nothing was run.
        seconds: wall time of the student's code and the judging.
        cpu: CPU time of both, in seconds.
        scaled: tasks that are worth other points in the notebook than in their checks, a sentence each.
        unanswered: whether nothing was done, because the stored answers do not answer today's questions.
        error: traceback of a defect of the grader, and a sentence about it; then the other attributes are unset.
        answers: the submission's packed answers, to keep.
        notebook: the graded notebook's file.
    """

    scores: dict[str, Any] = dataclasses.field(default_factory=dict)
    verdicts: list[dict[str, Any]] = dataclasses.field(default_factory=list)
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
    notebook: bytes = b""

    def pack(self) -> bytes:
        """Return the result as bytes."""
        message = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        del message["answers"], message["notebook"]
        return pack(message | {"size": len(self.answers)}, self.answers + self.notebook)

    @staticmethod
    def unpack(raw: bytes) -> JobResult:
        """Return the result that `pack` turned into these bytes.

        Raises:
            ValueError: if they hold something else, as another program or a damaged worker may send.
        """
        message, blob = unpack(raw)
        try:
            size = message.pop("size")
            result = JobResult(**message, answers=blob[:size], notebook=blob[size:])
            if result._is_sound():
                return result
        except (AttributeError, KeyError, TypeError):
            pass
        raise ValueError("a worker sent something else than a result")

    def _is_sound(self) -> bool:
        """Tell whether each field holds what its type says; scores are checked where they are recorded."""
        words = (self.host, self.error, *self.scaled, *self.ended, *self.ended.values())
        return (
            self.tier in ("", *Tier)
            and all(isinstance(word, str) for word in words)
            and all(type(number) in (int, float) and math.isfinite(number) for number in (self.seconds, self.cpu))
            and all(map(_is_verdict, self.verdicts))
        )


def _is_verdict(data: Any) -> bool:
    """Tell whether this has the form of `Verdict.as_data`, as far as a class run reads it."""
    try:
        numbers = [data["points"], data["maximum"]]
        words = [data["task"], data["reason"], *(one["kind"] for one in data["results"])]
        mistakes = [one["mistake"] for one in data["results"]]
        words += [data["exercise"], data.get("cell", ""), *data.get("changed", [])]
    except (KeyError, TypeError):
        return False
    known = all(isinstance(word, str) for word in words) and all(isinstance(one, str | None) for one in mistakes)
    return known and all(type(number) in (int, float) and math.isfinite(number) for number in numbers)
