"""Whether scores in the gradebook belong to what is handed in now.

Each grading writes into the graded notebook what it graded, as a digest of the code; nothing here trusts a time alone.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from nbgrader.api import SubmittedAssignment
from nbgrader.coursedir import CourseDirectory

from autograder.grader.fingerprint import identity
from autograder.grader.graded_notebook import GradedNotebook
from autograder.nbgrader_plugin.repair import Known, repair
from autograder.notebooks.opening import RefusedFileError
from autograder.notebooks.reading import UnreadableNotebookError, read_submission
from autograder.notebooks.submission_files import STUDENT, notebook_bytes, timestamp
from autograder.visible_text import visible

HANDED_IN_ANEW = "handed in anew, or the exercise was changed, since it was graded"
FAILED = ".failed"
"""Ends the name of a file that says why grading failed, beside a submission's result."""
LATER = "handed in again since it was graded"


def digest(code: bytes) -> str:
    """Name what was graded, as `fingerprint.identity` gives it."""
    return hashlib.sha256(code).hexdigest()[:32]


class HandedIn:
    """What the students have handed in for an assignment."""

    def __init__(self, course: CourseDirectory, assignment: str) -> None:
        self._course, self._assignment = course, assignment
        self._submitted = Path(course.format_path(course.submitted_directory, ".", ".")).resolve()
        self._results = self._submitted.parent / "results" / assignment

    def students(self) -> set[str]:
        """Name the students whose folder holds a notebook."""
        names = (path.parts[-3] for path in self._submitted.glob(f"*/{self._assignment}/*.ipynb"))
        return {name for name in names if STUDENT.fullmatch(name)}

    def has(self, student: str, notebook: str = "*") -> bool:
        """Tell whether a student has handed a notebook in."""
        return any((self._submitted / student / self._assignment).glob(f"{notebook}.ipynb"))

    def graded(self, student: str, notebook: str) -> Path:
        """Give the path of the graded notebook."""
        course = self._course
        folder = course.format_path(course.autograded_directory, student, self._assignment)
        return Path(folder) / f"{notebook}.ipynb"

    def failure(self, student: str) -> str:
        """Say why the last grading of a submission failed; empty where that is not known."""
        for path in sorted((self._results / student).glob(f"*{FAILED}")):
            return visible(path.read_text(encoding="utf-8", errors="replace"), kept="")
        return ""

    def outdated(self, row: SubmittedAssignment, notebook: str, graded: GradedNotebook, known: Known) -> str:
        """Say why the scores of a notebook are not those of what is handed in; empty where they are."""
        student = row.student.id
        if graded.digest and graded.digest != self._digest(student, notebook, known):
            return HANDED_IN_ANEW
        try:
            when = timestamp(self._submitted, (student, self._assignment))
        except RefusedFileError:
            return ""
        return LATER if when is not None and row.timestamp is not None and when != row.timestamp else ""

    def _digest(self, student: str, notebook: str, known: Known) -> str:
        try:
            raw = notebook_bytes(self._submitted, (student, self._assignment, f"{notebook}.ipynb"))
            read = read_submission(raw)
        except UnreadableNotebookError as error:
            return digest(identity([], str(error)))
        repair(read, known)
        return digest(identity(read.cells, None))
