"""nbgrader's plug-ins that collect submissions from a learning platform's archives: `nbgrader zip_collect`.

The platform made the archives, so the names in them tell whose each file is. An archive that a student handed in
stays packed, because the names in it could claim to be any student's.
"""

from __future__ import annotations

import functools
import os
import re
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Self, cast

from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

from autograder.nbgrader_plugin.full_names import GROUP, FullNames
from autograder.notebooks.opening import CHUNK, RefusedFileError, copy_file, opened_file, opened_folder
from autograder.notebooks.reading import LARGEST_FILE
from autograder.notebooks.submission_files import STUDENT
from autograder.notebooks.walking import DEEPEST, walk
from autograder.tasks.folders import exercise_of, whole_exercise
from autograder.times import NotATimeError, parse

CHECKPOINTS = ".ipynb_checkpoints"
MOST_FILES = 1_000_000
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The compression methods accepted: others can expand 4 kB to gigabytes at once, and no platform uses them."""
MOST_GROWTH = 200
"""The maximum ratio of unpacked to packed size for files larger than a notebook may be."""


class Extractor(ExtractorPlugin):
    """The unpacking of a folder's archives file by file, so that an error in one does not stop the others."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Copy every file of a folder into another, and unpack each archive into a folder of its name."""
        with opened_folder(Path(archive_path)) as folder:
            for entry in walk(folder, most=MOST_FILES):
                to = Path(extracted_path, *entry.parts)
                try:
                    if entry.why is not None:
                        raise RefusedFileError(entry.why)
                    with opened_file(entry.name, entry.folder) as source:
                        if to.suffix in self.zip_ext:
                            self._unpack(source, to)
                        else:
                            to.parent.mkdir(parents=True, exist_ok=True)
                            copy_file(source, to, os.fstat(source).st_size)
                except Exception as error:  # an archive can make the standard library raise anything
                    self.log.error("Not unpacked: %s (%s)", "/".join(entry.parts), error or type(error).__name__)

    def _unpack(self, source: int, archive: Path) -> None:
        stem = archive.name.removesuffix(archive.suffix).removesuffix(".tar")
        if stem in ("", ".", ".."):  # `...zip` would be unpacked beside the folder
            raise RefusedFileError("no name for a folder")
        to = archive.with_name(stem)
        with os.fdopen(os.dup(source), "rb") as file:
            for name, member, room in members(file):
                path = to.joinpath(*name.split("/"))
                try:
                    if isinstance(member, str):
                        raise RefusedFileError(member)
                    self._write(name, member(), path, min(room, 1000 * self.parent.coursedir.max_file_size))
                except Exception as error:
                    self.log.error("Not unpacked from %s: %s (%s)", archive.name, name, error or type(error).__name__)

    def _write(self, name: str, member: IO[bytes], to: Path, room: int) -> None:
        parts = name.split("/")
        if not name.isprintable() or {"", ".", ".."} & set(parts) or len(parts) > DEEPEST:
            raise RefusedFileError("no name for a file")
        if os.path.lexists(to):
            raise RefusedFileError("a second file of this name")
        to.parent.mkdir(parents=True, exist_ok=True)
        try:
            with member, to.open("xb") as target:
                while chunk := member.read(CHUNK):
                    room -= target.write(chunk)
                    if room < 0:
                        raise RefusedFileError("too large")
        except BaseException:
            to.unlink(missing_ok=True)
            raise
        if to.suffix in self.zip_ext:
            self.log.warning("%s is an archive that was handed in, and stays as it is", name)


Member = tuple[str, Callable[[], IO[bytes]] | str, int]
"""A file of an archive: its name, a function that opens it or the reason for refusing it, and its maximum size."""


def members(file: IO[bytes]) -> Iterator[Member]:
    """Iterate over the files of a zip or tar archive."""
    if zipfile.is_zipfile(file):
        yield from _zipped(file)
        return
    file.seek(0)
    room = max(LARGEST_FILE, MOST_GROWTH * os.fstat(file.fileno()).st_size)
    with tarfile.open(fileobj=file, tarinfo=_Header) as unpacked:
        for member in unpacked:
            if member.isfile():
                yield member.name, functools.partial(_opened, unpacked, member), room
            elif not member.isdir():
                yield member.name, "no ordinary file", 0


def _opened(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    return cast(IO[bytes], archive.extractfile(member))  # None only for what is not a file


def _zipped(file: IO[bytes]) -> Iterator[Member]:
    left = os.fstat(file.fileno()).st_size
    with zipfile.ZipFile(file) as opened:
        for info in opened.infolist():
            left -= info.compress_size
            room = max(LARGEST_FILE, MOST_GROWTH * info.compress_size)
            if stat.S_ISLNK(info.external_attr >> 16):
                yield info.filename, "a link", 0
            elif info.compress_type not in METHODS:
                yield info.filename, "packed in a way that is not unpacked here", 0
            elif left < 0:
                yield info.filename, "the same bytes as a file before it", 0
            elif not info.is_dir():
                yield info.filename, functools.partial(opened.open, info), room


class _Header(tarfile.TarInfo):
    """A tar header of limited size, because tarfile reads names and attributes of any length into memory."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Parse a header; refuse one whose extended name or attributes are longer than any file's."""
        made = super().frombuf(buf, encoding, errors)
        if made.type not in (*tarfile.REGULAR_TYPES, tarfile.DIRTYPE) and made.size > CHUNK:
            raise tarfile.ReadError("a name or an attribute in it is too long")
        return made


class Collector(FileNameCollectorPlugin):
    """The matching of files to students by nbgrader's `named_regexp`, which skips files that it cannot match."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._seen: dict[tuple[str, str], tuple[str, bool]] = {}

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Parse student, notebook and time from a file's name; None if the file is not to be collected."""
        if CHECKPOINTS in Path(submitted_file).parts:
            return None  # an older state that Jupyter keeps beside a notebook
        found: dict[str, str] | None = super().collect(submitted_file)
        if found is None:
            return None
        if (name := found.pop(GROUP, None)) is not None:
            try:
                found["student_id"] = self._names.student(name)
            except LookupError as error:
                self.log.error("Not collected: %s (%s)", submitted_file, error.args[0])
                return None
        if isinstance(notebook := found.get("file_id"), str) and whole_exercise(exercise := exercise_of(notebook)):
            found["file_id"] = exercise  # what a student's workspace calls it is the same exercise
        why = self._objection(submitted_file, found)
        if why is not None:
            self.log.error("Not collected: %s (%s)", submitted_file, why)
            return None
        if "timestamp" in found and (why := _why_no_time(found["timestamp"])):
            self.log.warning("No time is taken from the name of %s: %s", submitted_file, why)
            del found["timestamp"]
        return found

    @functools.cached_property
    def _names(self) -> FullNames:
        return FullNames.of(self.parent.coursedir.db_url)

    def _objection(self, path: str, found: dict[str, str]) -> str | None:
        student, notebook = found.get("student_id"), found.get("file_id")
        if not isinstance(student, str) or not isinstance(notebook, str):
            return None  # nbgrader itself reports a wrong regular expression
        if not STUDENT.fullmatch(student) or not re.fullmatch(r"[\w. -]+", notebook):
            return "its name does not say whose it is"
        has_time = not _why_no_time(found.get("timestamp"))
        before = self._seen.setdefault((student, notebook), (path, has_time))
        if before[0] != path and not (has_time and before[1]):
            return f"{before[0]} is the same student's, and nothing says which is the newer one"
        return None


def _why_no_time(text: str | None) -> str:
    """Say why a part of a name is not a time; empty if it is one."""
    try:
        parse(text or "")
    except NotATimeError as error:
        return str(error)
    return ""
