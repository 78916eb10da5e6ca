"""Files that a run leaves: answers by what they depend on, and a record for each submission.

Every write goes to a temporary name, reaches the disk and is then renamed: a file is there whole or not at
all, whenever the power goes.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder.classroom.course import CourseError, Submission
from autograder.sharing import make_folder, share_file
from autograder.standings.handed_in import FAILED

RECORD_FORMAT = 1
LONGEST_PART = 150  # bytes
SHOWN = 30


class Store:
    """`gradebook/answers` and `gradebook/results`."""

    def __init__(self, gradebook: Path) -> None:
        self._answers, self._results = gradebook / "answers", gradebook / "results"

    @contextlib.contextmanager
    def only_one(self) -> Iterator[None]:
        """Held by one class run at a time.

        Raises:
            CourseError: where another holds it.
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
        """The answers of a submission that were given under this key."""
        with contextlib.suppress(FileNotFoundError):
            return self._answers_path(submission, key).read_bytes()
        return None

    def keep_answers(self, submission: Submission, key: str, raw: bytes) -> None:
        """Write answers; older ones of the same submission are removed."""
        path = self._answers_path(submission, key)
        _write(path, raw)
        for other in path.parent.glob(f"{_stem(submission)}.*.answers"):
            if other != path:
                other.unlink(missing_ok=True)

    def record(self, submission: Submission) -> dict[str, Any] | None:
        """What was last written to the gradebook for a submission; None where nothing was, or it is damaged."""
        try:
            record = json.loads(self._record_path(submission).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return None
        return record if isinstance(record, dict) and record.get("format") == RECORD_FORMAT else None

    def keep_record(self, submission: Submission, record: dict[str, Any]) -> None:
        """Write a record; it says that the gradebook holds this result."""
        text = json.dumps({"format": RECORD_FORMAT} | record, indent=1, ensure_ascii=False)
        _write(self._record_path(submission), text.encode("utf-8", errors="replace"))
        self._failure_path(submission).unlink(missing_ok=True)

    def keep_failure(self, submission: Submission, reason: str) -> None:
        """Keep why a submission could not be graded, until it is."""
        _write(self._failure_path(submission), reason.encode("utf-8", errors="replace"))

    def forget(self, submission: Submission) -> None:
        """Remove the record: whatever happens from here, this submission is written again."""
        self._record_path(submission).unlink(missing_ok=True)

    def _answers_path(self, submission: Submission, key: str) -> Path:
        return self._answers / submission.assignment / f"{_stem(submission)}.{key}.answers"

    def _failure_path(self, submission: Submission) -> Path:
        return self._record_path(submission).with_suffix(FAILED)

    def _record_path(self, submission: Submission) -> Path:
        return self._results / submission.assignment / submission.student / f"{submission.notebook}.json"


def part_of_name(student: str) -> str:
    """What stands for a student in the name of a file, which has 255 bytes, as a folder's own has."""
    if len(student.encode()) <= LONGEST_PART:
        return student
    return f"{student[:SHOWN]}~{hashlib.sha256(student.encode()).hexdigest()[:16]}"


def _stem(submission: Submission) -> str:
    """Names no other submission has: a student's own name may hold anything that a folder's may."""
    named = f"{submission.student}/{submission.notebook}"
    return f"{part_of_name(submission.student)}.{hashlib.sha256(named.encode()).hexdigest()[:8]}"


def _write(path: Path, raw: bytes) -> None:
    make_folder(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        share_file(Path(name))
        os.replace(name, path)
    except BaseException as error:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)  # a write says that the disk is full, and not which
        raise
