"""nbgrader's step that collects submissions from the exchange folder, in which students can write anything."""

from __future__ import annotations

import fnmatch
import os
import re
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect

from autograder.nbgrader_plugin.submission_copy import GuardedCourse
from autograder.notebooks.opening import RefusedFileError, copy_file, opened_file, opened_folder
from autograder.notebooks.submission_files import STUDENT, TIMESTAMP, LeftOut, described, timestamp
from autograder.notebooks.walking import Entry, walk
from autograder.times import NotATimeError, parse

NOWHERE = "not collected, because it was a link"
"""The target of every collected link: no file, so that opening the link fails."""
_TIME = r"([^+]+(?:\+\d\d(?::?\d\d)?)?)"
"""A submission's time in its folder's name, in which nbgrader takes the `+` of an offset for the end of the time."""


class Collect(ExchangeCollect):
    """Collection by descriptor, because students may change their files meanwhile.

    A link is collected as a dangling one, which grading then refuses and names. Special files, files of another user
    and files with a second hard link are left out, because their content may not be the student's.
    """

    src_records: list[dict[str, Any]]
    coursedir: GuardedCourse
    inbound_path: str
    arrived = False
    """Whether nbgrader has copied the submission, rather than found that there is no newer one."""

    def init_src(self) -> None:
        """Find the submissions, skipping those whose names cannot be parsed."""
        super().init_src()
        self.src_records = [record for record in self.src_records if record["username"]]
        self.coursedir = GuardedCourse.of(self.coursedir)  # older submissions may have invalid times too

    def _path_to_record(self, path: str) -> dict[str, Any]:
        """Parse student and time from a folder's name, which a student may have chosen."""
        name, assignment = Path(path).name, re.escape(self.coursedir.assignment_id)
        record: dict[str, Any] = {"username": "", "filename": name}
        why = ""
        if found := re.fullmatch(rf"(.+)\+{assignment}\+{_TIME}(?:\+[\w-]+)?", name):
            try:
                record |= {"username": found[1], "timestamp": parse(found[2])}
            except NotATimeError as error:
                why = f" ({error})"
        if not STUDENT.fullmatch(record["username"]):
            self.log.error("Not collected: the name of %s does not say who handed it in, and when%s", path, why)
        elif self.check_owner and _belongs_to_another(path, record["username"]):
            self.log.error("Not collected: %s belongs to a user other than the student it names", path)
        else:
            return record
        return {"username": "", "filename": "", "timestamp": datetime.min}

    def copy_files(self) -> None:
        """Collect the submissions one by one, so that an error in one does not stop the others."""
        records = self.src_records
        if not records:
            super().copy_files()  # which says so
        for record in records:
            self.src_records = [record]
            name, course = Path(self.inbound_path, record["filename"]), self.coursedir
            collected = Path(course.format_path(course.submitted_directory, record["username"], course.assignment_id))
            try:
                collected.parent.mkdir(parents=True, exist_ok=True)
                self._collect_to(collected, record["username"])
            except Exception as error:
                why = f"is {error}" if isinstance(error, RefusedFileError) else f"({type(error).__name__}: {error})"
                stays = "; the one that was collected before stays" if collected.is_dir() else ""
                self.log.error("Not collected: %s %s%s", name, why, stays)
        self.src_records = records

    def _collect_to(self, collected: Path, student: str) -> None:
        """Let nbgrader collect to a folder aside, because it deletes the earlier submission before it copies."""
        course, self.arrived = self.coursedir, False
        with tempfile.TemporaryDirectory(dir=collected.parent, prefix=".collecting-") as aside:
            course.staging = Path(aside, "new")
            try:
                new = Path(course.format_path(course.submitted_directory, student, course.assignment_id))
                if collected.is_dir():  # what nbgrader compares and deletes is an empty folder with the same time
                    new.mkdir(parents=True)
                    course.staged = {str(new): collected.resolve().relative_to(course.submitted()).parts}
                super().copy_files()
            finally:
                course.staging = None
            if self.arrived:
                _replace(collected, new, Path(aside, "earlier"))

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Copy one submission, into a folder that is left where it is only if all of it has come.

        Raises:
            RefusedFileError: if it is not a folder or too large.
        """
        made = Path(dest)
        made.mkdir(mode=0o700)
        with opened_folder(Path(src).parent, (Path(src).name,)) as folder:
            left_out = self._copy(folder, made)
        left_out += _without_time(made)
        for line in described(left_out):
            self.log.warning("Not collected of %s: %s", src, line)
        made.chmod(0o2770 if self.coursedir.groupshared else 0o755)
        self.arrived = True

    def _copy(self, folder: int, to: Path) -> list[LeftOut]:
        owner, left_out = os.fstat(folder).st_uid, []
        room = 1000 * self.coursedir.max_dir_size
        for entry in walk(folder, self._is_ignored):
            path, why = to.joinpath(*entry.parts), entry.why
            try:
                if why is None and self._is_wanted(entry):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    room -= self._copy_one(entry, owner, path, room)
                elif why == "a link":
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.symlink_to(NOWHERE)
            except FileNotFoundError:
                why = "no longer there"
            except RefusedFileError as error:
                why = str(error)
            if room < 0:
                raise RefusedFileError(f"larger than {self.coursedir.max_dir_size} kB")
            if why is not None:
                left_out.append(LeftOut(Path(*entry.parts), why))
        return left_out

    def _copy_one(self, entry: Entry, owner: int, to: Path, room: int) -> int:
        with opened_file(entry.name, entry.folder, owner) as source:
            most = 1000 * self.coursedir.max_file_size
            if os.fstat(source).st_size > most:
                raise RefusedFileError(f"larger than {self.coursedir.max_file_size} kB")
            if (count := copy_file(source, to, min(most, room))) > most:  # the file has grown meanwhile
                to.unlink()
                raise RefusedFileError(f"larger than {self.coursedir.max_file_size} kB")
        if self.coursedir.groupshared:
            to.chmod(to.stat().st_mode | 0o660)
            for above in to.parents[: len(entry.parts) - 1]:
                above.chmod(0o2770)
        return count

    def _is_ignored(self, name: str) -> bool:
        return any(fnmatch.fnmatch(name, pattern) for pattern in self.coursedir.ignore)

    def _is_wanted(self, entry: Entry) -> bool:
        return any(fnmatch.fnmatch(entry.name, pattern) for pattern in self.coursedir.include or ["*"])


def _replace(collected: Path, new: Path, earlier: Path) -> None:
    """Put a new submission in the place of an earlier one, which is gone only when the new one is there."""
    if collected.is_dir():
        collected.rename(earlier)
    try:
        new.rename(collected)
    except OSError:
        if earlier.exists():
            earlier.rename(collected)
        raise


def _without_time(folder: Path) -> list[LeftOut]:
    """Remove an invalid timestamp.txt, because one makes nbgrader's pages fail for all students."""
    try:
        timestamp(folder)
        return []
    except RefusedFileError as error:
        if not (folder / TIMESTAMP).is_symlink():
            (folder / TIMESTAMP).unlink()
        return [LeftOut(Path(TIMESTAMP), str(error))]


def _belongs_to_another(path: str, student: str) -> bool:
    """Tell whether a folder belongs to another user than the student's account here.

    False if the student has no account, as on a hub with one user for all.
    """
    import pwd  # here, because nbgrader loads this module on Windows too, which has neither pwd nor an exchange

    try:
        return os.lstat(path).st_uid != pwd.getpwnam(student).pw_uid
    except (KeyError, OSError):
        return False
