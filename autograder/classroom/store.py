"""Files that a run keeps: answers, named by what they depend on, and a record of each submission.

Each file is written under a temporary name, flushed to the disk and then renamed, so that even a power cut leaves
a whole file or none.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder.classroom.course import Submission
from autograder.classroom.errors import CourseError
from autograder.sharing import make_folder, share_file
from autograder.standings.handed_in import FAILED
from autograder.whole_files import write_whole

RECORD_FORMAT = 1
LONGEST_PART = 150  # bytes
SHOWN = 30
DECISION = "decision"
"""The key of a record that names the decision by which it was last changed."""
UNFINISHED = "unfinished"
"""The key of a record that only says by which decision a result was being written when its run ended."""


class Store:
    """The files in `gradebook/answers` and `gradebook/results`."""

    def __init__(self, gradebook: Path) -> None:
        self._answers, self._results = gradebook / "answers", gradebook / "results"

    @contextlib.contextmanager
    def only_one(self) -> Iterator[None]:
        """Hold the lock that only one class run can hold.

        Raises:
            CourseError: if another run holds it.
        """
        make_folder(self._answers)
        with (self._answers / ".lock").open("a") as lock:
            share_file(self._answers / ".lock")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise CourseError("another `autograder grade` is running on this course: wait until it ends") from None
            yield

    def answers(self, submission: Submission, key: str) -> bytes | None:
        """Return the answers that were kept for a submission under this key; None if there are none."""
        with contextlib.suppress(FileNotFoundError):
            return self._answers_path(submission, key).read_bytes()
        return None

    def keep_answers(self, submission: Submission, key: str, raw: bytes) -> None:
        """Write a submission's answers and remove its older ones."""
        path = self._answers_path(submission, key)
        write_whole(path, raw)
        for other in path.parent.glob(f"{_stem(submission)}.*.answers"):
            if other != path:
                other.unlink(missing_ok=True)

    def record(self, submission: Submission) -> dict[str, Any] | None:
        """Return the record of what the gradebook holds for a submission; None if there is none or it is damaged."""
        try:
            record = json.loads(self._record_path(submission).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return None
        return record if isinstance(record, dict) and record.get("format") == RECORD_FORMAT else None

    def keep_record(self, submission: Submission, record: dict[str, Any]) -> None:
        """Write a submission's record, which says that the gradebook holds this result."""
        text = json.dumps({"format": RECORD_FORMAT} | record, indent=1, ensure_ascii=False)
        write_whole(self._record_path(submission), text.encode("utf-8", errors="replace"))
        self._failure_path(submission).unlink(missing_ok=True)

    def keep_failure(self, submission: Submission, reason: str) -> None:
        """Keep why a submission could not be graded, until it is graded."""
        write_whole(self._failure_path(submission), reason.encode("utf-8", errors="replace"))

    def begin(self, submission: Submission, decision: int | None) -> None:
        """Take a submission's record away, so that even if the run ends now, the next one writes the submission again.

        Args:
            submission: whose result is about to be written.
            decision: the number of the decision by which it is, which the next run must know; None if there is none.
        """
        if decision is None:
            self._record_path(submission).unlink(missing_ok=True)
        else:
            record = {"format": RECORD_FORMAT, UNFINISHED: True, DECISION: decision}
            if self.record(submission) != record:  # a decision takes it away before it is logged
                write_whole(self._record_path(submission), json.dumps(record).encode())

    def _answers_path(self, submission: Submission, key: str) -> Path:
        return self._answers / submission.assignment / f"{_stem(submission)}.{key}.answers"

    def _failure_path(self, submission: Submission) -> Path:
        return self._record_path(submission).with_suffix(FAILED)

    def _record_path(self, submission: Submission) -> Path:
        return self._results / submission.assignment / submission.student / f"{submission.notebook}.json"


def part_of_name(student: str) -> str:
    """Return the student's name, shortened if too long to be part of a file name of at most 255 bytes."""
    if len(student.encode()) <= LONGEST_PART:
        return student
    return f"{student[:SHOWN]}~{hashlib.sha256(student.encode()).hexdigest()[:16]}"


def _stem(submission: Submission) -> str:
    """Return a file stem that no other submission uses; a digest tells students apart whose names are alike."""
    named = f"{submission.student}/{submission.notebook}"
    return f"{part_of_name(submission.student)}.{hashlib.sha256(named.encode()).hexdigest()[:8]}"
