"""Tests of this repository, and programs that make classes; none of them writes into an instructor's own gradebook."""

import os

for _name in ("COURSE_DB_URL", "COURSE_GRADEBOOK", "NBGRADER_EXCHANGE"):
    os.environ.pop(_name, None)  # exported in a shell, it would lead from a test's course to a real class
