"""Restore stale gradebook rows from the graded notebook, without running or judging anything."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import nbformat

from autograder.classroom.cell_scores import CellScores
from autograder.classroom.course import Submission
from autograder.classroom.recording import Recorded, Recorder, Scored


def restore_row(recorder: Recorder, submission: Submission, time: datetime | None, missing: Sequence[str]) -> Recorded:
    """Record time, scores, comments and late penalty of a submission as its graded notebook holds them.

    Args:
        recorder: of its course.
        submission: whose rows to write.
        time: when it was handed in; None if unknown.
        missing: the assignment's other notebooks that were not handed in.

    Raises:
        CourseError: if the database stays away or the disk stays full.
    """
    notebook = nbformat.read(recorder.course.autograded(submission), as_version=4)
    return recorder.record(submission.assignment, [Scored(submission, time, CellScores.of(notebook), missing)])[0]


def restore_penalty(recorder: Recorder, submission: Submission) -> Recorded:
    """Assign a submission's late penalty again.

    Raises:
        CourseError: if the database stays away.
    """
    return recorder.record(submission.assignment, [Scored(submission, None, None)])[0]
