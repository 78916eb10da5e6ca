"""The submissions of an assignment, and whether the gradebook's scores belong to what is handed in now.

The comparison uses digests that grading writes into the graded notebook, because times alone cannot be trusted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from pathlib import Path

from nbgrader.api import SubmittedAssignment
from nbgrader.coursedir import CourseDirectory

from autograder.gradebook_access.deals import cells_of_student, dealt_versions
from autograder.gradebook_access.folder import gradebook_folder, submitted_folder
from autograder.gradebook_access.known_cells import KnownCells, exercise_digest
from autograder.gradebook_access.repairs import repair
from autograder.grader.fingerprint import identity, written
from autograder.notebooks.reading import UnavailableNotebookError, UnreadableNotebookError, read_submission
from autograder.notebooks.submission_files import STUDENT, notebook_bytes, notebooks_in, time_of
from autograder.verdicts.graded_notebook import GradedNotebook
from autograder.visible_text import visible

HANDED_IN_ANEW = "handed in anew since it was graded"
OTHER_EXERCISE = "the exercise was changed since it was graded"
EITHER = "handed in anew, or the exercise was changed, since it was graded"
"""The reason if an older version of the course graded it, which did not record the exercise."""
FAILED = ".failed"
"""The suffix of the file beside a submission's result that says why grading failed."""
LATER = "handed in again, or an older gradebook was put back, since it was graded"


def digest(code: bytes) -> str:
    """Return a digest of graded code, given as the bytes from `fingerprint.identity`."""
    return hashlib.sha256(code).hexdigest()[:32]


class HandedIn:
    """The files that students have handed in for an assignment, and their graded notebooks."""

    def __init__(self, course: CourseDirectory, assignment: str) -> None:
        self._course, self._assignment = course, assignment
        self._submitted = submitted_folder(course)
        self._results = gradebook_folder(course) / "results" / assignment

    def students(self) -> set[str]:
        """Return the ids of the students whose folder holds a notebook."""
        names = (path.name for path in self._folders())
        return {name for name in names if STUDENT.fullmatch(name) and self.has(name)}

    def has(self, student: str, notebook: str = "") -> bool:
        """Tell whether a student has handed in a notebook, by default any; a folder that is closed here may hold it."""
        names = self._notebooks(student)
        return names is None or (notebook in names if notebook else bool(names))

    def others(self, expected: Collection[str]) -> dict[str, list[str]]:
        """List for each student the files of notebooks that do not belong to the assignment, and so are not graded.

        Args:
            expected: the names of the assignment's notebooks.
        """
        found = dict[str, list[str]]()
        for folder in self._folders():
            names = [f"{name}.ipynb" for name in self._notebooks(folder.name) or [] if name not in expected]
            if names and STUDENT.fullmatch(folder.name):
                found[folder.name] = names
        return found

    def misnamed(self, student: str, expected: Collection[str]) -> str:
        """Say which notebook of a student should be renamed to an expected one; empty if none should."""
        lie = {*(self._notebooks(student) or [])}
        instead, missing = sorted(lie - set(expected)), sorted(set(expected) - lie)
        if not instead or not missing:
            return ""
        found = instead[0].replace("`", "?")  # a student's name of a file stays code where Markdown shows it
        return visible(f"its folder holds `{found}.ipynb` and not `{missing[0]}.ipynb`, so rename it", kept="")

    def _folders(self) -> list[Path]:
        return sorted(self._submitted.iterdir()) if self._submitted.is_dir() else []

    def _notebooks(self, student: str) -> list[str] | None:
        return notebooks_in(self._submitted / student / self._assignment)

    def graded(self, student: str, notebook: str) -> Path:
        """Return the path of a student's graded notebook."""
        course = self._course
        folder = course.format_path(course.autograded_directory, student, self._assignment)
        return Path(folder) / f"{notebook}.ipynb"

    def failure(self, student: str) -> str:
        """Say why the last grading of a submission failed; empty if it did not."""
        for path in sorted((self._results / student).glob(f"*{FAILED}")):
            return visible(path.read_text(encoding="utf-8", errors="replace"), kept="")
        return ""

    def outdated(self, row: SubmittedAssignment, notebook: str, graded: GradedNotebook, known: KnownCells) -> str:
        """Say why the scores of a notebook do not belong to what is handed in now; empty if nothing says so."""
        student = row.student.id
        try:
            is_its = graded.is_of(*self._digests(student, notebook, known))
        except UnavailableNotebookError:  # whoever may read it can tell
            is_its = True
        if not is_its:
            if not graded.exercise:
                return EITHER
            return HANDED_IN_ANEW if graded.exercise == exercise_digest(known) else OTHER_EXERCISE
        when = time_of(self._submitted, (student, self._assignment))
        if when.time == row.timestamp or when.unavailable:
            return ""
        return f"{LATER}, and {when.why}" if when.why else LATER

    def unusable_time(self, student: str) -> str:
        """Say that a `timestamp.txt` holds no usable time, and what follows; empty if it does, or if there is none."""
        when = time_of(self._submitted, (student, self._assignment))
        return f"{when.why}, so it counts as in time" if when.is_refused and not when.unavailable else ""

    def _digests(self, student: str, notebook: str, known: KnownCells) -> tuple[str, str]:
        """Return digests of a notebook's code and written answers; of the error, and empty, if it cannot be read."""
        try:
            raw = notebook_bytes(self._submitted, (student, self._assignment, f"{notebook}.ipynb"))
            read = read_submission(raw)
        except UnavailableNotebookError:
            raise
        except UnreadableNotebookError as error:
            return digest(identity([], str(error))), ""
        versions = dealt_versions(self._course, self._assignment, notebook, student)
        repair(read, cells_of_student(known, notebook, versions))
        return digest(identity(read.cells, None)), written(read.cells)
