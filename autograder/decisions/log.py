"""The log of decisions on scores: one JSON object a line, in `gradebook/decisions/log.jsonl`, only ever appended to.

A rejudgement of a class has a line for each student whose points it changed; all of them share its number.
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import getpass
import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from autograder.sharing import make_folder, share_file
from autograder.whole_files import write_whole

FORMAT = 1
LONGEST_REASON = 2_000
"""Characters of a reason."""
Change = tuple[str, float, float | None]
"""A task with its points before and after; None if it is not graded any more."""


class Kind(enum.StrEnum):
    """What was decided, in the words of the log."""

    REJUDGED = "rejudged"
    UNDONE = "undone"
    RECORDED = "recorded"
    """An instructor recorded an appeal that came by another way than the submission."""
    UPHELD = "upheld"
    REJECTED = "rejected"


@dataclasses.dataclass(frozen=True)
class Decision:
    """One line of the log.

    Attributes:
        number: of the decision; the lines of one rejudgement share it.
        kind: what was decided.
        assignment, student: whom it concerns.
        reason: in the instructor's words; of a recorded appeal, the student's.
        by: who decided.
        at: when, in UTC: "2026-12-01T09:30:00Z".
        notebook: of a rejudgement or what undoes one.
        task: of an appeal.
        appeal: of an appeal, the digest of the student's words.
        changes: of a rejudgement or what undoes one.
        undoes: the number of the decision that this one undoes; 0 if it undoes none.
    """

    number: int
    kind: Kind
    assignment: str
    student: str
    reason: str
    by: str
    at: str
    notebook: str = ""
    task: str = ""
    appeal: str = ""
    changes: tuple[Change, ...] = ()
    undoes: int = 0

    @property
    def day(self) -> str:
        """The date, as "2026-12-01"."""
        return self.at[:10]


class DecisionLog:
    """The log of a gradebook.

    Attributes:
        decisions: in the order in which they were made.
        unreadable: how many lines this version of the program cannot read.
    """

    def __init__(self, gradebook: Path) -> None:
        """
        Args:
            gradebook: the gradebook's folder.
        """
        self.path = log_file(gradebook)
        self.decisions, self.unreadable = list[Decision](), 0
        for line in _lines(self.path):
            try:
                self.decisions.append(_decision(line))
            except (ValueError, TypeError, KeyError, RecursionError):
                self.unreadable += 1

    @property
    def next_number(self) -> int:
        """The number of the next decision; that of a line which cannot be read is not used again."""
        return max([one.number for one in self.decisions], default=0) + self.unreadable + 1

    def append(self, decisions: Iterable[Decision]) -> None:
        """Append decisions, and return when they are on the disk.

        Raises:
            OSError: if the log cannot be written.
        """
        added = list(decisions)
        text = "".join(json.dumps({"format": FORMAT} | dataclasses.asdict(one)) + "\n" for one in added)
        make_folder(self.path.parent)
        handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        with os.fdopen(handle, "ab") as file:
            if file.tell() and os.pread(file.fileno(), 1, file.tell() - 1) != b"\n":  # a line that was cut off
                text = f"\n{text}"
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        share_file(self.path)
        self.decisions += added

    def of(self, assignment: str, student: str | None = None) -> list[Decision]:
        """Return the decisions on an assignment, of one student if one is named."""
        return [one for one in self.decisions if one.assignment == assignment and student in (None, one.student)]

    def is_being_undone(self, number: int, assignment: str, student: str, notebook: str) -> bool:
        """Tell whether the last that happened to a submitted notebook is that a decision on it was undone."""
        last = self.last_of(assignment, student, notebook)
        return last is not None and last.kind is Kind.UNDONE and last.undoes == number

    def last_of(self, assignment: str, student: str, notebook: str) -> Decision | None:
        """Return the last rejudgement of a submitted notebook, or the undoing of one; None if there is none."""
        found = [one for one in self.of(assignment, student) if one.notebook == notebook]
        return found[-1] if found else None


def log_file(gradebook: Path) -> Path:
    """Return the path of a gradebook's log."""
    return gradebook / "decisions" / "log.jsonl"


def has_lines_of(gradebook: Path, student: str) -> bool:
    """Tell whether the log names a student."""
    return any(one.student == student for one in DecisionLog(gradebook).decisions)


def forget_student(gradebook: Path, student: str) -> bool:
    """Delete a student's lines, the only ones that are ever deleted; return whether there were any."""
    lines = _lines(log_file(gradebook))
    kept = [line for line in lines if not _names(line, student)]
    if len(kept) < len(lines):
        write_whole(log_file(gradebook), "".join(f"{line}\n" for line in kept).encode())
    return len(kept) < len(lines)


def today() -> str:
    """Return the time in the form of the log."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def this_user() -> str:
    """Return the name of the user who runs the command; empty if the system has none."""
    with contextlib.suppress(OSError, KeyError, ImportError):
        return getpass.getuser()
    return ""


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return []
    return [line for line in text.split("\n") if line.strip()]


def _decision(line: str) -> Decision:
    """Read one line.

    Raises:
        ValueError, TypeError, KeyError: if it is damaged, or another version wrote it.
    """
    read: Any = json.loads(line)
    if not isinstance(read, dict) or read.pop("format") != FORMAT:
        raise ValueError
    changes = tuple((str(task), float(was), None if now is None else float(now)) for task, was, now in read["changes"])
    made = Decision(**read | {"kind": Kind(read["kind"]), "changes": changes})
    words = (made.assignment, made.student, made.reason, made.by, made.at, made.notebook, made.task, made.appeal)
    if type(made.number) is not int or type(made.undoes) is not int or not all(isinstance(one, str) for one in words):
        raise ValueError
    return made


def _names(line: str, student: str) -> bool:
    try:
        return bool(json.loads(line)["student"] == student)
    except (ValueError, TypeError, KeyError, RecursionError):
        return False
