"""Archives that leave their folder by their own name, or unpack to more than they are."""

from __future__ import annotations

import gzip
import io
import logging
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path

import pytest
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Configurable

from autograder.nbgrader_plugin.zip_collecting import Extractor

NOTEBOOK = "student-01_exercise.ipynb"
HONEST = b"honest"


class Step(Configurable):
    """What the extractor asks for its limits."""

    coursedir = CourseDirectory()


@pytest.fixture
def archives(tmp_path: Path) -> Path:
    """The folder of archives."""
    (tmp_path / "archive").mkdir()
    return tmp_path / "archive"


def unpacked(archives: Path) -> dict[str, bytes]:
    """What lies beside the archives after unpacking, by its path."""
    Extractor(parent=Step(), log=logging.getLogger("unpacking")).extract(
        str(archives), str(archives.parent / "extracted")
    )
    found = (path for path in archives.parent.rglob("*") if path.is_file() and archives not in path.parents)
    return {str(path.relative_to(archives.parent)): path.read_bytes() for path in found}


def zipped(path: Path, files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> None:
    """Write an archive."""
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)


@pytest.mark.parametrize("name", ["...zip", "..zip", "..tar.gz", "....tar.gz", "...gz"])
def test_an_archive_stays_in_its_folder_whatever_it_is_called(archives: Path, name: str) -> None:
    zipped(archives / name, {NOTEBOOK: HONEST})
    zipped(archives / "all.zip", {NOTEBOOK: HONEST})
    found = unpacked(archives)
    assert found.pop(f"extracted/all/{NOTEBOOK}") == HONEST
    assert all(path.startswith("extracted/") and len(Path(path).parts) == 3 for path in found)


def test_one_file_under_many_names_is_unpacked_once(archives: Path, caplog: pytest.LogCaptureFixture) -> None:
    body = bytes(1 << 20)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed, crc = packer.compress(body) + packer.flush(), zlib.crc32(body)
    sizes = (crc, len(packed), len(body), 1)
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 0, *sizes, 0) + b"a" + packed
    entry = struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 8, 0, 0, *sizes, 0, 0, 0, 0, 0, 0) + b"a"
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 2_000, 2_000, 2_000 * len(entry), len(local), 0)
    (archives / "all.zip").write_bytes(local + entry * 2_000 + end)
    with caplog.at_level(logging.ERROR, "unpacking"):
        unpacked(archives)
    assert caplog.text.count("the same bytes as a file before it") > 1_800


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_unpacks_without_measure_is_not_unpacked(archives: Path, method: int) -> None:
    zipped(archives / "all.zip", {NOTEBOOK: bytes(1 << 20)}, method)
    zipped(archives / "honest.zip", {NOTEBOOK: HONEST})
    assert unpacked(archives) == {f"extracted/honest/{NOTEBOOK}": HONEST}


def test_a_long_name_in_a_tar_is_not_read(archives: Path, caplog: pytest.LogCaptureFixture) -> None:
    long = tarfile.TarInfo("././@LongLink")
    long.type, long.size = tarfile.GNUTYPE_LONGNAME, 8 << 20
    with gzip.open(archives / "long.tar.gz", "wb") as file:
        file.write(long.tobuf(tarfile.GNU_FORMAT) + b"n" * long.size + bytes(1024))
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        info = tarfile.TarInfo("n" * 200 + NOTEBOOK)
        info.size = len(HONEST)
        archive.addfile(info, io.BytesIO(HONEST))
    (archives / "all.tar.gz").write_bytes(made.getvalue())
    assert unpacked(archives) == {f"extracted/all/{'n' * 200}{NOTEBOOK}": HONEST}
    assert "a name or an attribute in it is too long" in caplog.text
