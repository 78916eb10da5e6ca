"""What keeps a class from being graded."""

from __future__ import annotations


class CourseError(Exception):
    """The course is not as grading needs it; the message says what to do."""


class RaceError(Exception):
    """Another grader, the formgrader's button say, removed what was being written; it may be written again."""
