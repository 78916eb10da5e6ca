"""The files that lie beside a notebook when it runs: the assignment's own, and what students may hand in with it."""

from __future__ import annotations

import fnmatch
import functools
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder.gradebook_access.folder import submitted_folder
from autograder.notebooks.files_beside import read_wanted
from autograder.notebooks.opening import RefusedFileError, opened_folder
from autograder.notebooks.reading import UnavailableNotebookError
from autograder.notebooks.submission_files import LONGEST_NAME, TIMESTAMP, TO_DO, described
from autograder.notebooks.walking import walk
from autograder.sandbox.limits import MIB
from autograder.tasks.folders import TASKS
from autograder.visible_text import visible
from autograder.wire.files import pack_files

FROM_NBGRADER = (TIMESTAMP, "submission_secret.txt")
"""What `nbgrader submit` adds to a submission."""


class AssignmentFiles:
    """The files beside the notebooks of a course; those of an assignment are read once."""

    def __init__(self, course: CourseDirectory, config: Config, most: int, allowed: list[str]) -> None:
        """
        Args:
            course: the course.
            config: its whole configuration. What nbgrader's exclude_overwriting names may be handed in, too.
            most: bytes of all files beside a notebook.
            allowed: patterns of what may be handed in: "ps1/*.csv".
        """
        self._course, self._most, self._allowed = course, most, allowed
        self._own: dict[str, list[str]] = dict(config.Autograde.get("exclude_overwriting", {}))

    def beside(self, assignment: str, student: str) -> bytes:
        """Return what lies beside a student's notebooks, as from `pack_files`.

        Raises:
            UnavailableNotebookError: if a file that the student may hand in cannot be read here.
        """
        files, _ = self._assignments(assignment)
        return pack_files(self._handed_in(assignment, student, files) if self._may_hand_in(assignment) else files)

    def notes(self, assignment: str) -> list[str]:
        """Say which of an assignment's files do not reach its notebooks, in at most one sentence."""
        _, left_out = self._assignments(assignment)
        if not left_out:
            return []
        most = f"{self._most // MIB} MiB, Grade.data_mib"
        return [f"{assignment}: files that no notebook will find (all together at most {most}): {', '.join(left_out)}"]

    def unseen(self, assignment: str, student: str) -> list[str]:
        """Return the files of a submission that do not reach its notebooks, because nothing allows them."""
        allowed, given = self._is_allowed(assignment), set(self.names(assignment))
        try:
            with opened_folder(submitted_folder(self._course), (student, assignment)) as folder:
                found = [("/".join(one.parts), one) for one in walk(folder, self._is_ignored)]
        except (RefusedFileError, OSError):
            return []
        others = [path for path, one in found if not one.name.endswith(".ipynb") and path not in FROM_NBGRADER]
        return [visible(path, kept="")[:LONGEST_NAME] for path in others if path not in given and not allowed(path)]

    @functools.cache  # noqa: B019  (it lasts as long as a run)
    def _assignments(self, assignment: str) -> tuple[dict[str, bytes], list[str]]:
        """Return the files of an assignment: from its source as nbgrader takes them, else from its release."""
        steps = self._course.source_directory, self._course.release_directory
        folders = [Path(self._course.format_path(step, ".", assignment)) for step in steps]
        folder = next(filter(Path.is_dir, folders), None)
        if folder is None:
            return {}, []
        try:
            with opened_folder(folder) as descriptor:
                files, left_out = read_wanted(descriptor, self._is_ignored, lambda path: True, self._most)
        except OSError as error:
            return {}, [f"{folder} ({error.strerror})"]
        return files, described(left_out)

    def names(self, assignment: str) -> list[str]:
        """Return the paths of the assignment's own files that reach its notebooks."""
        files, _ = self._assignments(assignment)
        return sorted(files)

    def _handed_in(self, assignment: str, student: str, files: dict[str, bytes]) -> dict[str, bytes]:
        """Return the assignment's files with those that a student may hand in."""
        submitted = submitted_folder(self._course)
        own = set(self._own.get(assignment, []))
        most = self._most - sum(map(len, files.values()))
        try:
            with opened_folder(submitted, (student, assignment)) as folder:
                handed_in, left_out = read_wanted(folder, self._is_ignored, self._is_allowed(assignment), most)
        except (RefusedFileError, OSError):
            return files  # reading the notebook reports the reason
        if closed := next((one for one in left_out if one.unavailable), None):
            raise UnavailableNotebookError(f"{student}/{assignment}/{closed}: {TO_DO}")
        given = {path: content for path, content in files.items() if path not in own & set(handed_in)}
        return {path: content for path, content in handed_in.items() if not _collides(path, given)} | given

    def _may_hand_in(self, assignment: str) -> bool:
        patterns = (pattern.partition("/")[0] for pattern in self._allowed)
        return assignment in self._own or any(fnmatch.fnmatch(assignment, pattern) for pattern in patterns)

    def _is_allowed(self, assignment: str) -> Callable[[str], bool]:
        own = self._own.get(assignment, [])
        return lambda path: (
            path in own or any(fnmatch.fnmatch(f"{assignment}/{path}", pattern) for pattern in self._allowed)
        )

    def _is_ignored(self, name: str) -> bool:
        patterns = [*self._course.ignore, TASKS]
        return any(fnmatch.fnmatch(name, os.path.basename(pattern)) for pattern in patterns)


def _collides(path: str, given: Iterable[str]) -> bool:
    """Tell whether a file would stand where another is a folder, or the reverse."""
    return any(other.startswith(f"{path}/") or path.startswith(f"{other}/") for other in given)
