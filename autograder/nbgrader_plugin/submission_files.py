"""What nbgrader may take from the folder of a submission.

nbgrader copies every file beside a notebook, and follows links: `data.csv -> gradebook.db` arrived with its
content in the feedback. Its hook before a conversion is not told which submission comes, so the reader, which
is made once per run and knows the converter, installs this guard there.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.coursedir import CourseDirectory

from autograder.notebooks.submission_files import STUDENT, LeftOut, described, left_out, refusal

LONGEST_TIMESTAMP = 200  # characters
MOST_LOGGED = 20
MOST_PATTERNS = 100


class GuardedCourse(CourseDirectory):
    """The course as one run of the converter sees it: with files to ignore that hold for that run only."""

    @classmethod
    def of(cls, course: CourseDirectory) -> GuardedCourse:
        """The same course, guarded."""
        names = course.trait_names(config=True)
        return cls(parent=course.parent, **{name: getattr(course, name) for name in names})

    def submitted(self) -> Path:
        """The folder of all submissions."""
        return Path(self.format_path(self.submitted_directory, ".", ".")).resolve()

    def get_existing_timestamp(self, dest_path: str) -> datetime | None:
        """None for a file that is a link, special, huge or no time, where nbgrader hangs or fails."""
        path = Path(dest_path, "timestamp.txt")
        if not path.is_symlink() and not path.exists():
            return None
        try:
            if path.is_symlink() or not path.is_file() or path.stat().st_size > LONGEST_TIMESTAMP:
                raise ValueError("it is no plain file of one line")
            return super().get_existing_timestamp(dest_path)
        except (SystemExit, Exception) as error:  # nbgrader ends the whole program where a time is none
            self.log.warning("%s is not used: %s", path, error or "it holds no time")
            return None


class FileGuard:
    """Decides, before each submission is converted, which of its files are left out."""

    def __init__(self, converter: Any, kept: list[str]) -> None:
        self.converter, self.kept = converter, kept
        self.course = converter.coursedir = GuardedCourse.of(converter.coursedir)
        self.ignored = list(self.course.ignore)
        self.found: list[LeftOut] = []
        self.folder = Path()
        self._next: Callable | None = converter.pre_convert_hook
        converter.pre_convert_hook = self
        self._drop_strange_students()

    def _drop_strange_students(self) -> None:
        """Leave alone what is named as no student is: the name would stand in pages and paths."""
        for folder in list(self.converter.assignments):
            pattern = self.converter._format_source("(?P<assignment_id>.*)", "(?P<student_id>.*)", escape=True)
            match = re.match(pattern, folder)
            if match and not STUDENT.fullmatch(match["student_id"]):
                self.converter.log.error("%a is not graded: a student's folder is not named like this", folder)
                del self.converter.assignments[folder]

    def __call__(self, **arguments: Any) -> None:
        """nbgrader's hook; errors in it go unseen there, so none may leave files unguarded."""
        self.course.ignore = ["*"]
        folder = Path(arguments["notebooks"][0]).parent
        most_bytes = 1000 * self.course.max_dir_size
        self.folder = self._absolute(folder)
        self.found = left_out(self.folder, self.course.submitted(), self.kept, most_bytes)
        self.course.ignore = self.ignored + self._patterns(folder)
        for item in self.found[:MOST_LOGGED]:
            self.converter.log.warning("Left out: %a, %s", str(item.path), item.why)
        if self._next is not None:
            self._next(**arguments)

    def _patterns(self, folder: Path) -> list[str]:
        """What makes nbgrader ignore exactly these files; of too many, all, as it tries each on each."""
        if len(self.found) > MOST_PATTERNS:
            return ["*"]
        return [glob.escape(str(folder / item.path.relative_to(self.folder))) for item in self.found]

    def _absolute(self, folder: Path) -> Path:
        """A submission's folder below the resolved folder of all, its own part as it stands."""
        root = Path(self.course.format_path(self.course.submitted_directory, ".", "."))
        return self.course.submitted() / folder.relative_to(root)

    def names(self) -> list[str]:
        """What was left out of the submission that is being converted, a line each."""
        return described(self.found, self.folder)

    def refusal_of(self, path: Path) -> str | None:
        """Why a notebook of the submission may not be read, or None."""
        return refusal(self._absolute(path.parent) / path.name, self.course.submitted())
