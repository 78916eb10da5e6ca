"""Outcomes of questions and checks, from the sandbox's reply to the gradebook."""

from __future__ import annotations

import enum

NOT_ASKED = "Not asked"
"""Begins what is said of a check whose questions were not asked, because those of another took all the time."""


class Outcome(enum.StrEnum):
    """How a question or a check ended. Its text travels over the wire and is stored in verdicts."""

    PASSED = "passed"
    WRONG = "wrong"
    """The answer differs from the right one."""
    OBSERVED = "observed"
    """The answer is right, but another observation shows a mistake."""
    NOT_ATTEMPTED = "not_attempted"
    MISSING = "missing"
    """The notebook does not define what the task asks for."""
    RAISED = "raised"
    """The student's code raised an exception."""
    TOO_LARGE = "too_large"
    """The answer holds more data than its question allows."""
    TIME = "time"
    """The answer did not arrive within its time limit."""
    KILLED = "killed"
    """The process ended before it answered."""
    UNASKED = "unasked"
    """The question was not asked, or its answer could not be read."""
    UNREADABLE = "unreadable"
    """The submission's file is not a notebook."""
    LIMIT = "limit"
    """Judging the answer took too much time or memory."""
    DEFECT = "defect"
    """The check itself failed, through no mistake of the student's."""
