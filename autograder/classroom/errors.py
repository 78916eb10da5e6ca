"""Exceptions of class grading."""

from __future__ import annotations


class CourseError(Exception):
    """The course is not as grading needs it; the message says what to do."""


class RaceError(Exception):
    """Another grader, such as the formgrader's button, removed a file that was being written; retry the write."""
