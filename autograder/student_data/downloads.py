"""A student's files among the downloads from a learning platform, in nbgrader's folder for them.

The pattern with which `nbgrader zip_collect` collects a file finds the student in its name.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from nbgrader.apps import ZipCollectApp
from nbgrader.plugins import FileNameCollectorPlugin

from autograder.classroom.course import Course
from autograder.nbgrader_plugin.full_names import GROUP, FullNames
from autograder.nbgrader_plugin.zip_collecting import members
from autograder.notebooks.opening import opened_file, opened_folder
from autograder.notebooks.walking import walk
from autograder.visible_text import visible

TAKE_OUT = "take it out, or delete the archive"
ARCHIVES = (".zip", ".gz")


class Downloads:
    """One student's files among a course's downloads."""

    def __init__(self, course: Course, student: str) -> None:
        root = Path(course.directory.root)
        self._root, self._student = root / ZipCollectApp(config=course.config).downloaded_directory, student
        self._pattern = FileNameCollectorPlugin(config=course.config).named_regexp
        # Read now, because whoever asks what is left has deleted the student meanwhile.
        self._names = FullNames.of(course.directory.db_url) if f"(?P<{GROUP}>" in self._pattern else FullNames([])

    def files(self) -> Iterator[Path]:
        """Yield the student's files, including those unpacked from archives."""
        for path in sorted(self._root.glob("*/*/**/*")):
            if (path.is_symlink() or not path.is_dir()) and self._is_theirs(path):
                yield path

    def left(self) -> Iterator[str]:
        """Yield a sentence for each archive that holds files of the student, which a person must take out."""
        for folder in sorted(self._root.glob("*/archive")):
            for archive, names in self._archives(folder):
                theirs = [name for name in names if self._is_theirs(folder / archive.stem / name)]
                if theirs:
                    path = Path(self._root.name, folder.parent.name, folder.name, archive)
                    named = ", ".join(visible(name, kept="") for name in theirs)
                    yield f"{path} holds {named}, and zip_collect would collect it again: {TAKE_OUT}"

    def _is_theirs(self, path: Path) -> bool:
        found = re.match(self._pattern, str(path)) if self._pattern else None
        if found is None:
            return False
        if (name := found.groupdict().get(GROUP)) is None:
            return found.groupdict().get("student_id") == self._student
        with contextlib.suppress(LookupError):
            return self._names.student(name) == self._student
        return False

    def _archives(self, folder: Path) -> Iterator[tuple[Path, list[str]]]:
        """Yield each archive with the names of its members; of a damaged one, those before the damage."""
        with opened_folder(folder) as descriptor:
            for entry in walk(descriptor):
                if entry.why is not None or not entry.name.endswith(ARCHIVES):
                    continue
                names = list[str]()
                try:
                    with opened_file(entry.name, entry.folder) as source, os.fdopen(os.dup(source), "rb") as file:
                        names.extend(name for name, _, _ in members(file))
                except Exception:  # a damaged archive may raise anything; zip_collect cannot read these names either
                    pass
                yield Path(*entry.parts), names
