"""nbgrader's step that brings submissions in from a learning platform's archives: `nbgrader zip_collect`.

The platform made the archives, so the names in them say who handed in what. What students handed in is the files
themselves: an archive among them stays closed, because it would say so too, in any student's name.
"""

from __future__ import annotations

import os
import re
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin
from nbgrader.utils import parse_utc

from autograder.notebooks.opening import CHUNK, RefusedFileError, copy_file, opened_file, opened_folder
from autograder.notebooks.reading import LARGEST_FILE
from autograder.notebooks.submission_files import STUDENT
from autograder.notebooks.walking import DEEPEST, walk

MOST_FILES = 1_000_000
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Others unpack 4 kB to gigabytes at once; no platform packs with them."""
MOST_GROWTH = 200
"""A larger file than a notebook may be this many times as large as it is in its archive."""


class Extractor(ExtractorPlugin):
    """Unpacks the archives of a folder, each file by itself: what is wrong with one is that one's."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Copy every file of a folder into another, and the files of its archives into folders called like them."""
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
                except Exception as error:  # whatever an archive makes of the standard library
                    self.log.error("Not unpacked: %s (%s)", "/".join(entry.parts), error or type(error).__name__)

    def _unpack(self, source: int, archive: Path) -> None:
        stem = archive.name.removesuffix(archive.suffix).removesuffix(".tar")
        if stem in ("", ".", ".."):  # `...zip` would be unpacked beside the folder
            raise RefusedFileError("no name for a folder")
        to = archive.with_name(stem)
        with os.fdopen(os.dup(source), "rb") as file:
            for name, member, room in _members(file):
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


def _members(file: IO[bytes]) -> Iterator[tuple[str, Any, int]]:
    """Of each file of an archive its name, what opens it or why it is not opened, and how large it may be."""
    if zipfile.is_zipfile(file):
        yield from _zipped(file)
        return
    file.seek(0)
    room = max(LARGEST_FILE, MOST_GROWTH * os.fstat(file.fileno()).st_size)
    with tarfile.open(fileobj=file, tarinfo=_Header) as unpacked:
        for member in unpacked:
            if member.isfile():
                yield member.name, lambda member=member: unpacked.extractfile(member), room
            elif not member.isdir():
                yield member.name, "no ordinary file", 0


def _zipped(file: IO[bytes]) -> Iterator[tuple[str, Any, int]]:
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
                yield info.filename, lambda info=info: opened.open(info), room


class _Header(tarfile.TarInfo):
    """A header of a tar archive; tarfile reads names and attributes of any length into memory."""

    @classmethod
    def frombuf(cls, buf: bytes, encoding: str, errors: str) -> tarfile.TarInfo:
        """Read one; refuse one that is followed by a longer name than any file has."""
        made = super().frombuf(buf, encoding, errors)
        if made.type not in (*tarfile.REGULAR_TYPES, tarfile.DIRTYPE) and made.size > CHUNK:
            raise tarfile.ReadError("a name or an attribute in it is too long")
        return made


class Collector(FileNameCollectorPlugin):
    """Says whose a file is, by nbgrader's `named_regexp`; what it cannot say of one stops nobody else's collection."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._seen: dict[tuple[str, str], tuple[str, bool]] = {}

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """What nbgrader asks of every file; None where it is not to be collected."""
        found = super().collect(submitted_file)
        if found is None:
            return None
        why = self._objection(submitted_file, found)
        if why is not None:
            self.log.error("Not collected: %s (%s)", submitted_file, why)
            return None
        if "timestamp" in found and not _is_time(found["timestamp"]):
            self.log.warning("No time is taken from the name of %s", submitted_file)
            del found["timestamp"]
        return found

    def _objection(self, path: str, found: dict[str, str]) -> str | None:
        student, notebook = found.get("student_id"), found.get("file_id")
        if not isinstance(student, str) or not isinstance(notebook, str):
            return None  # nbgrader says that the expression is not as it should be
        if not STUDENT.fullmatch(student) or not re.fullmatch(r"[\w. -]+", notebook):
            return "its name does not say whose it is"
        has_time = _is_time(found.get("timestamp"))
        before = self._seen.setdefault((student, notebook), (path, has_time))
        if before[0] != path and not (has_time and before[1]):
            return f"{before[0]} is the same student's, and nothing says which is the newer one"
        return None


def _is_time(text: Any) -> bool:
    try:
        return bool(text) and parse_utc(text) is not None
    except (ValueError, OverflowError, TypeError):
        return False
