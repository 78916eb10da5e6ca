"""Archives of a learning platform in which students' files are not what they should be."""

from __future__ import annotations

import io
import os
import re
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from autograder.nbgrader_plugin.full_names import FullNames
from autograder.nbgrader_plugin.zip_collecting import Collector
from tests.course import nbgrader, new_course
from tests.sample_class import EXERCISE
from tests.submissions import COURSE
from tests.test_visible_text import acts

NOTEBOOK = f"{EXERCISE}.ipynb"
HONEST = b"honest"
MIB = 1 << 20
NAMED = [
    ("student-01", "Jane", "Doe"),
    ("student-02", "Jane", "van der Doe"),
    ("student-03", "Ann", "Lee"),
    ("student-04", "Lee", "Ann"),
    ("student-05", None, None),
]


def zipped(files: dict[str, bytes]) -> bytes:
    """An archive."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def a_link_to(target: str) -> zipfile.ZipInfo:
    """An entry that says of itself that it is a link."""
    made = zipfile.ZipInfo(f"link_{NOTEBOOK}")
    made.external_attr = (stat.S_IFLNK | 0o777) << 16
    return made


def hostile_archive(path: Path) -> None:
    """What a platform packs when students upload what they like."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"alice_{NOTEBOOK}", HONEST)
        archive.writestr("mallory_work.zip", zipped({f"victim_{NOTEBOOK}": b"forged", f"alice_{NOTEBOOK}": b"forged"}))
        archive.writestr("mallory_broken.zip", b"PK\x03\x04 not an archive")
        archive.writestr("mallory_notes.gz", b"\x1f\x8b not an archive")
        archive.writestr(f"bomb_{NOTEBOOK}", bytes(300 * MIB))
        archive.writestr(a_link_to("/etc/passwd"), "/etc/passwd")
        archive.writestr(f"../outside_{NOTEBOOK}", b"forged")
        archive.writestr(f"/root_{NOTEBOOK}", b"forged")
        archive.writestr("d/" * 1_200 + f"deep_{NOTEBOOK}", b"forged")
        archive.writestr("n" * 300 + f"_{NOTEBOOK}", b"forged")
        archive.writestr(f"\x1b]52;c;ZXZpbA==\x07\u202ex_{NOTEBOOK}", b"forged")
        archive.writestr(f"alice_{NOTEBOOK}/below_{NOTEBOOK}", b"forged")
        closed = zipfile.ZipInfo(f"closed_{NOTEBOOK}")
        closed.external_attr = (stat.S_IFREG | 0o000) << 16
        archive.writestr(closed, HONEST)
        archive.writestr(f"zoe_{NOTEBOOK}", HONEST)


def broken_archives(folder: Path) -> None:
    """Archives beside it: cut off, encrypted, with a link, of no kind."""
    whole = zipped({f"cut_{NOTEBOOK}": os.urandom(MIB)})
    (folder / "cut.zip").write_bytes(whole[: len(whole) // 2])
    (folder / "nothing.gz").write_bytes(b"nothing")
    encrypted = bytearray(zipped({f"locked_{NOTEBOOK}": HONEST}))
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        at = encrypted.index(mark)
        encrypted[at + (6 if mark.endswith(b"\x04") else 8)] |= 1
    (folder / "locked.zip").write_bytes(encrypted)
    with tarfile.open(folder / "tar.tar.gz", "w:gz") as archive:
        link = tarfile.TarInfo(f"tarlink_{NOTEBOOK}")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        pipe = tarfile.TarInfo(f"tarpipe_{NOTEBOOK}")
        pipe.type = tarfile.FIFOTYPE
        own = tarfile.TarInfo(f"tar_{NOTEBOOK}")
        own.size = len(HONEST)
        for info, content in ((link, b""), (pipe, b""), (own, HONEST)):
            archive.addfile(info, io.BytesIO(content))
    (folder / f"linked_{NOTEBOOK}").symlink_to("/etc/passwd")
    (folder / f"plain_{NOTEBOOK}").write_bytes(HONEST)
    (folder / "again").mkdir()
    (folder / "again" / f"plain_{NOTEBOOK}").write_bytes(b"the same student once more")


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The course after zip_collect, and what nbgrader said."""
    course = new_course(tmp_path_factory.mktemp("course"))
    archive = course / "gradebook" / "downloaded" / EXERCISE / "archive"
    archive.mkdir(parents=True)
    hostile_archive(archive / "all.zip")
    broken_archives(archive)
    return course, nbgrader(course, "zip_collect", EXERCISE).stderr


def test_every_honest_notebook_arrives_and_nothing_else(collected: tuple[Path, str]) -> None:
    course, _ = collected
    arrived = {path.parts[-3]: path.read_bytes() for path in (course / "gradebook" / "submitted").rglob("*.ipynb")}
    honest = dict.fromkeys(("alice", "closed", "tar", "zoe"), HONEST)
    assert arrived == honest | {"plain": b"the same student once more"}  # whose path comes first


def test_nothing_lies_outside_and_nothing_is_a_link(collected: tuple[Path, str]) -> None:
    course, _ = collected
    downloaded = course / "gradebook" / "downloaded" / EXERCISE / "extracted"
    assert not list(course.rglob(f"outside_{NOTEBOOK}")) + list(course.rglob(f"root_{NOTEBOOK}"))
    assert not [path for path in downloaded.rglob("*") if path.is_symlink()]
    assert sum(path.stat().st_size for path in downloaded.rglob("*") if path.is_file()) < 2 * MIB


def test_what_was_left_out_is_said_in_visible_text(collected: tuple[Path, str]) -> None:
    _, said = collected
    assert not acts(said)
    for sentence in (
        f"Not unpacked from all.zip: bomb_{NOTEBOOK} (too large)",
        f"Not unpacked from all.zip: link_{NOTEBOOK} (a link)",
        f"Not unpacked from all.zip: ../outside_{NOTEBOOK} (no name for a file)",
        f"Not unpacked: linked_{NOTEBOOK} (a link)",
        "mallory_work.zip is an archive that was handed in, and stays as it is",
        "Not unpacked: cut.zip (",
        f"Not unpacked from locked.zip: locked_{NOTEBOOK} (",
        "is the same student's, and nothing says which is the newer one",
    ):
        assert sentence in said


@pytest.mark.parametrize(
    ("number", "name", "student"),
    [
        (0, "doejane_12345_678901_02_grad_exercise.ipynb", "12345"),
        (0, "doejane_LATE_12345_678901_02_grad_exercise-1.ipynb", "12345"),
        (1, "Jane Doe_12345_assignsubmission_file/02_grad_exercise.ipynb", "student-01"),
        (1, "DOE  Jane_99999_assignsubmission_file_/02_grad.ipynb", "student-01"),
        (1, "Jane van der Doe_12346_assignsubmission_file_/02_grad.ipynb", "student-02"),
        (1, "student-03_12347_assignsubmission_file/02_grad.ipynb", "student-03"),
        (1, "Jane Doe_1_assignsubmission_file/Ann Lee_2_assignsubmission_file/02_grad.ipynb", "student-01"),
        (1, "Jane Doe_1_assignsubmission_file/02_grad/02_grad_exercise.ipynb", "student-01"),
    ],
)
def test_the_documented_patterns_take_the_student_from_what_the_platform_writes(
    number: int, name: str, student: str
) -> None:
    page = (COURSE / "docs" / "instructors.md").read_text()
    collector = Collector(named_regexp=re.findall(r'named_regexp = r"(.*)"', page)[number])
    collector._names = FullNames(NAMED)
    found = collector.collect(f"gradebook/downloaded/02_grad/extracted/all/{name}")
    assert found == {"student_id": student, "file_id": "02_grad"}


def test_an_own_assignment_s_name_stays() -> None:
    collector = Collector(named_regexp=r".*/(?P<student_id>[\w-]+)_\d+_assign.*/(?P<file_id>\w+)")
    found = collector.collect("all/student-01_1_assign/lab1_exercise.ipynb")
    assert found == {"student_id": "student-01", "file_id": "lab1_exercise"}


def test_a_checkpoint_is_not_collected() -> None:
    collector = Collector(named_regexp=r".*/(?P<student_id>[\w-]+)_\d+_assign.*/(?P<file_id>\d\d_\w+)")
    beside = "all/student-01_1_assign/.ipynb_checkpoints/02_grad-checkpoint.ipynb"
    assert collector.collect(beside) is None
    assert collector.collect("all/student-01_1_assign/02_grad.ipynb") is not None


@pytest.mark.parametrize(
    ("name", "said"),
    [("Ann Lee", "may be student-03 or student-04"), ("Ben Roe", "has no 'Ben Roe'"), ("", "has no ''")],
)
def test_a_full_name_that_fits_nobody_or_two_says_what_to_do(name: str, said: str) -> None:
    with pytest.raises(LookupError, match=f"{said}.*put the student's id in place of the name"):
        FullNames(NAMED).student(name)
