"""What nbgrader may take from the folder of a submission: a copy of our own, made by descriptors.

nbgrader copies every file beside a notebook, and follows links: `data.csv -> gradebook.db` arrived with its
content in the feedback. It also lists first and opens later, and walks folders by recursion. Its hook before a
conversion is not told which submission comes, so the reader, which is made once per run and knows the converter,
installs this guard there. The converter then sees a private folder that holds what may be copied and nothing else.
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

from autograder.notebooks.opening import RefusedFileError, opened_folder
from autograder.notebooks.submission_files import (
    MOST_NAMED,
    STUDENT,
    TIMESTAMP,
    LeftOut,
    copy_kept,
    described,
    notebook_bytes,
    timestamp,
)


class GuardedCourse(CourseDirectory):
    """The course as one run sees it: with submissions in a private folder, where they were staged.

    Attributes:
        staging: that folder; None where nothing is staged.
        staged: for a submission's folder there, the way to it from the folder of all submissions.
    """

    staging: Path | None = None

    @classmethod
    def of(cls, course: CourseDirectory) -> GuardedCourse:
        """The same course, guarded."""
        names = course.trait_names(config=True)
        made = cls(parent=course.parent, **{name: getattr(course, name) for name in names})
        made.staged = {}
        return made

    def submitted(self) -> Path:
        """The folder of all submissions."""
        return Path(super().format_path(self.submitted_directory, ".", ".")).resolve()

    def format_path(self, nbgrader_step: str, student_id: str, assignment_id: str, escape: bool = False) -> str:
        """Where a submission lies: for nbgrader, which copies from there, where it is staged."""
        if self.staging is not None and nbgrader_step == self.submitted_directory and student_id != ".":
            nbgrader_step = re.escape(str(self.staging)) if escape else str(self.staging)
        return super().format_path(nbgrader_step, student_id, assignment_id, escape=escape)

    def get_existing_timestamp(self, dest_path: str) -> datetime | None:
        """None for a file that is a link, special, huge or no time, where nbgrader hangs or fails."""
        parts = self.staged.get(dest_path)
        try:
            return timestamp(Path(dest_path)) if parts is None else timestamp(self.submitted(), parts)
        except RefusedFileError as error:
            self.log.warning("%s/%s is not used: it is %s", dest_path, TIMESTAMP, error)
            return None


class FileGuard:
    """Stages each submission before it is converted, and reads its notebooks."""

    def __init__(self, converter: Any, kept: list[str]) -> None:
        self.converter, self.kept = converter, kept
        real, self.course = converter.coursedir, GuardedCourse.of(converter.coursedir)
        self.found: list[LeftOut] = []
        self._before: Callable | None = converter.pre_convert_hook
        self._after: Callable | None = converter.post_convert_hook
        converter.pre_convert_hook, converter.post_convert_hook = self, self._clear
        self.course.staging = Path(tempfile.mkdtemp(prefix="submission-"))
        weakref.finalize(self, shutil.rmtree, self.course.staging, ignore_errors=True)
        self._move_to_staging(real)
        converter.coursedir = self.course

    def _move_to_staging(self, real: CourseDirectory) -> None:
        """Have the converter look for submissions there.

        Left alone is what is named as no student is: the name would stand in pages and paths.
        """
        root = Path(real.format_path(real.submitted_directory, ".", "."))
        pattern = re.compile(real.format_path(real.submitted_directory, "(?P<student>.*)", "(?P<name>.*)", escape=True))
        found, self.converter.assignments = self.converter.assignments, {}
        for folder, notebooks in found.items():
            match = pattern.match(folder)
            if match is None or not STUDENT.fullmatch(match["student"]):
                self.converter.log.error("%s is not graded: a student's folder is not named like this", folder)
                continue
            staged = self.course.format_path(real.submitted_directory, match["student"], match["name"])
            self.course.staged[staged] = Path(folder).relative_to(root).parts
            names = self._worth_a_look(match["name"], [Path(path).name for path in notebooks])
            self.converter.assignments[staged] = [str(Path(staged, name)) for name in names]

    def _worth_a_look(self, assignment: str, names: list[str]) -> list[str]:
        """Released notebooks and a few others, of which nbgrader says that it does not know them, one by one."""
        released = Path(self.course.format_path(self.course.release_directory, ".", assignment))
        known = [name for name in names if (released / name).is_file()]
        return known + [name for name in names if name not in known][:MOST_NAMED]

    def __call__(self, **arguments: Any) -> None:
        """nbgrader's hook; an error in it goes unseen there, and leaves nothing staged."""
        staged = Path(arguments["notebooks"][0]).parent
        self._clear()
        staged.mkdir(parents=True)
        for path in map(Path, arguments["notebooks"]):
            (staged / path.name).touch()  # nbgrader asks whether it was handed in; read it is by `notebook`
        try:
            with opened_folder(self.course.submitted(), self.course.staged[str(staged)]) as folder:
                most_bytes = 1000 * self.course.max_dir_size
                self.found = copy_kept(folder, staged, self._ignored, self.kept, most_bytes)
        except (RefusedFileError, OSError):
            self.found = []  # its notebooks say why they are not read
        for line in self.names():
            self.converter.log.warning("Left out of %s: %s", "/".join(self.course.staged[str(staged)]), line)
        if self._before is not None:
            self._before(**arguments)

    def _ignored(self, name: str) -> bool:
        return any(fnmatch.fnmatch(name, pattern) for pattern in self.course.ignore)

    def _clear(self, **arguments: Any) -> None:
        """nbgrader's other hook: nothing stays behind of a submission that was converted."""
        for folder in self.course.staging.iterdir():
            shutil.rmtree(folder)
        if arguments and self._after is not None:
            self._after(**arguments)

    def names(self) -> list[str]:
        """What was left out of the submission that is being converted, a line each."""
        return described(self.found)

    def notebook(self, path: Path) -> bytes:
        """The content of a notebook that nbgrader names where it is staged.

        Raises:
            UnreadableNotebookError: where it cannot be.
        """
        return notebook_bytes(self.course.submitted(), (*self.course.staged[str(path.parent)], path.name))
