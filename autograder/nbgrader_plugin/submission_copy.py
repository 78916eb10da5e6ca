"""A private copy of each submission, made by descriptor, which nbgrader reads instead of the student's folder.

nbgrader copies every file beside a notebook and follows links: with `data.csv -> gradebook.db`, the gradebook's
content arrived in the feedback. It also lists files before it opens them, and walks folders recursively. The reader,
which nbgrader creates once per run, installs this guard as the converter's hooks.
"""

from __future__ import annotations

import fnmatch
import re
import shutil
import tempfile
import weakref
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.coursedir import CourseDirectory

from autograder.gradebook_access.turns import Turns
from autograder.nbgrader_plugin.execution import Grade
from autograder.nbgrader_plugin.kept_points import course_changes_only
from autograder.notebooks.opening import RefusedFileError, opened_folder
from autograder.notebooks.reading import UnavailableNotebookError, UnreadableNotebookError
from autograder.notebooks.submission_files import (
    MOST_NAMED,
    STUDENT,
    TIMESTAMP,
    TO_DO,
    LeftOut,
    copy_kept,
    described,
    notebook_bytes,
    time_of,
    timestamp,
)
from autograder.standings.course_changes import sentence


class GuardedCourse(CourseDirectory):
    """The course directory of one run, whose submissions are in a private staging folder.

    Attributes:
        staging: the staging folder; None if nothing is staged.
        staged: maps the folder of a staged submission to its path below the folder of all submissions.
        turns: holds that of the submission that is being converted.
        had_turn: the submissions, as in `staged`, whose conversion has begun.
    """

    staging: Path | None = None
    staged: dict[str, tuple[str, ...]]
    turns: Turns
    had_turn: set[tuple[str, ...]]

    @classmethod
    def of(cls, course: CourseDirectory) -> GuardedCourse:
        """Make a guarded copy of a course."""
        names = course.trait_names(config=True)
        made = cls(parent=course.parent, **{name: getattr(course, name) for name in names})
        made.staged, made.had_turn, made.turns = {}, set(), Turns(made.submitted())
        return made

    def submitted(self) -> Path:
        """Return the real folder of all submissions."""
        return Path(super().format_path(self.submitted_directory, ".", ".")).resolve()

    def format_path(self, nbgrader_step: str, student_id: str, assignment_id: str, escape: bool = False) -> str:
        """Return the folder of a submission in a step: the staged one in place of the submitted one."""
        if self.staging is not None and nbgrader_step == self.submitted_directory and student_id != ".":
            nbgrader_step = re.escape(str(self.staging)) if escape else str(self.staging)
        elif nbgrader_step == self.autograded_directory:
            self._take_turn(student_id, assignment_id)
        path: str = super().format_path(nbgrader_step, student_id, assignment_id, escape=escape)
        return path

    def _take_turn(self, student: str, assignment: str) -> None:
        """Wait, once for each submission, until no other grader writes it: nbgrader asks where to write, then does."""
        parts = self.staged.get(self.format_path(self.submitted_directory, student, assignment))
        if parts is not None and parts not in self.had_turn:
            self.had_turn.add(parts)
            self.turns.take([parts])

    def get_existing_timestamp(self, dest_path: str) -> datetime | None:
        """Read a submission's time; None if its file is a link, special, huge or invalid, where nbgrader fails."""
        parts = self.staged.get(dest_path)
        try:
            return timestamp(Path(dest_path)) if parts is None else timestamp(self.submitted(), parts)
        except RefusedFileError as error:
            self.log.warning("%s/%s is not used: it is %s", dest_path, TIMESTAMP, error)
            return None


class FileGuard:
    """Hooks of a converter that stage each submission before its conversion, and the reader of its notebooks."""

    def __init__(self, converter: Any, kept: list[str]) -> None:
        self.converter, self.kept = converter, kept
        real, self.course = converter.coursedir, GuardedCourse.of(converter.coursedir)
        self.found: list[LeftOut] = []
        self._told = set[tuple[str, ...]]()
        self._files = Grade(config=converter.config).files(real)
        self._before: Callable[..., Any] | None = converter.pre_convert_hook
        self._after: Callable[..., Any] | None = converter.post_convert_hook
        converter.pre_convert_hook, converter.post_convert_hook = self, self.end
        self._staging = self.course.staging = Path(tempfile.mkdtemp(prefix="submission-"))
        weakref.finalize(self, shutil.rmtree, self._staging, ignore_errors=True)
        self._move_to_staging(real)
        converter.coursedir = self.course

    def _move_to_staging(self, real: CourseDirectory) -> None:
        """Direct the converter to the staged submissions.

        Folders whose names are not valid student ids are skipped, because the names would appear in pages and paths.
        """
        root = Path(real.format_path(real.submitted_directory, ".", "."))
        pattern = re.compile(real.format_path(real.submitted_directory, "(?P<student>.*)", "(?P<name>.*)", escape=True))
        found, self.converter.assignments = self.converter.assignments, {}
        for folder, notebooks in found.items():
            match = pattern.match(folder)
            if match is None or not STUDENT.fullmatch(match["student"]):
                self.converter.log.error("%s is not graded: a student's folder is not named like this", folder)
                continue
            names = [Path(path).name for path in notebooks]
            if self._is_unavailable(match["student"], match["name"], Path(folder).relative_to(root).parts, names):
                continue
            if self._is_kept(real, match["student"], match["name"], notebooks):
                continue
            staged = self.course.format_path(real.submitted_directory, match["student"], match["name"])
            self.course.staged[staged] = Path(folder).relative_to(root).parts
            names = self._worth_a_look(match["name"], names)
            self.converter.assignments[staged] = [str(Path(staged, name)) for name in names]

    def _is_unavailable(self, student: str, assignment: str, parts: tuple[str, ...], names: list[str]) -> bool:
        """Tell whether a submission cannot be read here, before nbgrader deletes what it was graded as, and log it."""
        try:
            when = time_of(self.course.submitted(), parts)
            if when.unavailable:
                raise UnavailableNotebookError(f"{'/'.join(parts)}: {when.why}: {TO_DO}")
            for name in self._released(assignment, names):
                notebook_bytes(self.course.submitted(), (*parts, name))
            self._files.beside(assignment, student)
        except UnavailableNotebookError as error:
            self.converter.log.error("Not graded: %s.", error)
            return True
        except UnreadableNotebookError:  # the reader says so in its place
            pass
        return False

    def _is_kept(self, real: CourseDirectory, student: str, assignment: str, notebooks: list[str]) -> bool:
        """Tell whether a submission's points stay because only the course has changed, and log what has."""
        changes = course_changes_only(real, student, assignment, [Path(path).stem for path in notebooks])
        if changes and changes not in self._told:
            self._told.add(changes)
            self.converter.log.warning("%s.", sentence(assignment, changes))
        if changes:
            self.converter.log.warning("%s: not graded again, and its points stay", student)
        return bool(changes)

    def _worth_a_look(self, assignment: str, names: list[str]) -> list[str]:
        """Return the released notebooks and a few others, about each of which nbgrader logs that it is unknown."""
        known = self._released(assignment, names)
        return known + [name for name in names if name not in known][:MOST_NAMED]

    def _released(self, assignment: str, names: list[str]) -> list[str]:
        released = Path(self.course.format_path(self.course.release_directory, ".", assignment))
        return [name for name in names if (released / name).is_file()]

    def __call__(self, **arguments: Any) -> None:
        """Stage a submission; nbgrader's hook before a conversion, which leaves nothing staged if it fails."""
        staged = Path(arguments["notebooks"][0]).parent
        self._clear()
        staged.mkdir(parents=True)
        for path in map(Path, arguments["notebooks"]):
            (staged / path.name).touch()  # nbgrader checks that the file exists; `notebook` reads the real one
        try:
            with opened_folder(self.course.submitted(), self.course.staged[str(staged)]) as folder:
                most_bytes = 1000 * self.course.max_dir_size
                self.found = copy_kept(folder, staged, self._ignored, self.kept, most_bytes)
        except (RefusedFileError, OSError):
            self.found = []  # reading its notebooks reports the reason
        for line in self.names():
            self.converter.log.warning("Left out of %s: %s", "/".join(self.course.staged[str(staged)]), line)
        if self._before is not None:
            self._before(**arguments)

    def _ignored(self, name: str) -> bool:
        return any(fnmatch.fnmatch(name, pattern) for pattern in self.course.ignore)

    def _clear(self) -> None:
        for folder in self._staging.iterdir():
            shutil.rmtree(folder)

    def end(self, **arguments: Any) -> None:
        """Delete what is staged and end the turn; nbgrader's hook after a conversion, which a failed one skips."""
        self._clear()
        self.course.turns.give_back()
        if arguments and self._after is not None:
            self._after(**arguments)

    def names(self) -> list[str]:
        """List the files left out of the submission that is being converted, one line each."""
        return described(self.found)

    def notebook(self, path: Path) -> bytes:
        """Read the bytes of a submitted notebook, given its staged path.

        Raises:
            UnreadableNotebookError: if it is none that may be read.
            UnavailableNotebookError: if it cannot be read here.
        """
        return notebook_bytes(self.course.submitted(), (*self.course.staged[str(path.parent)], path.name))
