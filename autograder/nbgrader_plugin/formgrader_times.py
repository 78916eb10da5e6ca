"""A patch of the formgrader, applied on import, that tolerates invalid times of submission.

In nbgrader, one invalid `timestamp.txt` turns the table of the whole class into an error. No trait changes that.
"""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Any

from nbgrader.coursedir import CourseDirectory

from autograder.nbgrader_plugin.submission_copy import GuardedCourse


def submitted_timestamp(api: Any, assignment_id: str, student_id: str) -> datetime | None:
    """Read the time of a submission, None if it is invalid; replaces nbgrader's own method."""
    course: CourseDirectory = api.coursedir
    path = course.format_path(course.submitted_directory, student_id, assignment_id)
    return GuardedCourse.of(course).get_existing_timestamp(path)


if (formgrader := sys.modules.get("nbgrader.apps.api")) is not None:  # loading it would be slow
    formgrader.NbGraderAPI.get_submitted_timestamp = submitted_timestamp
