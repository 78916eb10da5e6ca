"""The files of a graded submission: its notebook, and copies of what lies beside it, each whole or not at all."""

from __future__ import annotations

import fnmatch
import functools
import os
import shutil
import tempfile
from pathlib import Path

import nbformat
from nbgrader.converters import Autograde
from nbgrader.utils import find_all_files

from autograder.classroom.course import Course, Submission
from autograder.classroom.errors import RaceError
from autograder.classroom.graded_copy import file_of
from autograder.gradebook_access.reasons import reason
from autograder.nbgrader_plugin.active_content import remove_active_content
from autograder.notebooks.notes import note_left_out
from autograder.notebooks.opening import RefusedFileError, opened_folder
from autograder.notebooks.submission_files import KEPT, copy_kept, described
from autograder.sanitising.images import unsafe_images
from autograder.sharing import make_folder, share_file
from autograder.whole_files import write_whole


class GradedFiles:
    """Writes below `autograded` what nbgrader's conversion would."""

    def __init__(self, course: Course) -> None:
        self._course, self._directory = course, course.directory
        converter = Autograde(coursedir=course.directory, config=course.config)
        self._mode = int(str(converter.permissions), 8)
        self._own: dict[str, list[str]] = converter.exclude_overwriting
        self._kept = course.config.TolerantExporter.get("kept_files", KEPT)

    def write(self, submission: Submission, raw: bytes) -> None:
        """Write one graded notebook and the files beside it, in place of those of an earlier grading.

        Args:
            submission: names the student, the assignment and the notebook.
            raw: the notebook's file.

        Raises:
            RaceError: if another grader removed a file meanwhile.
            OSError: if a file cannot be written.
        """
        try:
            self._write(submission, raw)
        except FileNotFoundError as error:
            raise RaceError(reason(error)) from error

    def _write(self, submission: Submission, raw: bytes) -> None:
        path = self._course.autograded(submission)
        make_folder(path.parent)
        staged = Path(tempfile.mkdtemp(dir=path.parent.parent, prefix=".writing-"))
        try:
            names = self._copy(submission, staged)
            copies = {one.relative_to(staged) for one in staged.rglob("*") if one.is_file()}
            for old in [one for one in path.parent.rglob("*") if one.is_file() and one.suffix != ".ipynb"]:
                if old.relative_to(path.parent) not in copies:
                    old.unlink()
            for copy in copies:
                make_folder((path.parent / copy).parent)
                (staged / copy).chmod(self._mode)
                os.replace(staged / copy, path.parent / copy)
                share_file(path.parent / copy)
        finally:
            shutil.rmtree(staged, ignore_errors=True)
        write_whole(path, _noted(raw, names) if names else raw, self._mode)

    def _copy(self, submission: Submission, to: Path) -> list[str]:
        """Copy what the student handed in with the notebook, then the course's own files; name what is left out."""
        parts = self._course.parts(submission)
        most = 1000 * self._directory.max_dir_size
        try:
            with opened_folder(self._course.submitted, parts) as folder:
                left_out = described(copy_kept(folder, to, self._ignored, self._kept, most))
        except (RefusedFileError, OSError):
            left_out = []  # reading the notebook reports the reason
        for path in unsafe_images(to):
            path.unlink()
        source, files = self._from_the_course(submission.assignment)
        for name in files:
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / name, to / name)
        return left_out

    def _ignored(self, name: str) -> bool:
        return any(fnmatch.fnmatch(name, pattern) for pattern in self._directory.ignore)

    @functools.cache  # noqa: B019  (it lasts as long as a run)
    def _from_the_course(self, assignment: str) -> tuple[Path, list[str]]:
        """Return the folder of an assignment's source, and the files in it that replace the students' own."""
        source = Path(self._directory.format_path(self._directory.source_directory, ".", assignment))
        found = find_all_files(str(source), [*self._directory.ignore, "*.ipynb"])
        names = {str(Path(path).relative_to(source)) for path in found} & set(self._course.files.names(assignment))
        return source, sorted(names - set(self._own.get(assignment, [])))


def _noted(raw: bytes, names: list[str]) -> bytes:
    """Return a notebook's file with a list of what was left out."""
    notebook = nbformat.reads(raw.decode(), as_version=4)
    note_left_out(notebook, names)
    remove_active_content(notebook)
    return file_of(notebook)
