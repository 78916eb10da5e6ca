"""Files that lie beside a notebook when it runs: which reach it, and that it can only read them."""

from __future__ import annotations

from pathlib import Path

import pytest
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder.grader.sandbox_process import SandboxProcess
from autograder.nbgrader_plugin.assignment_files import AssignmentFiles
from autograder.sandbox.limits import MIB
from autograder.tasks.folders import TASKS
from autograder.wire.files import pack_files, unpack_files
from autograder.wire.frames import TornFrameError, pack
from tests.depth import one_of_each
from tests.sandboxes import TIERS, said, tier

FILES = {"helper.py": b"double = 2", "data/x.csv": b"1,2\n", "data/deep/y.txt": b"deep"}
CHANGES = ("open({!r}, 'w')", "import os; os.remove({!r})", "import os; os.rename({!r}, 'other')")


@pytest.mark.parametrize("highest", one_of_each(TIERS, lambda _: "tier"))
def test_a_notebook_reads_them_and_imports_from_them(highest: str) -> None:
    with tier(highest), SandboxProcess(files=pack_files(FILES)) as sandbox:
        assert said(sandbox, "import helper\nprint(helper.double, open('data/x.csv').read())") == "2 1,2\n\n"
        assert said(sandbox, "open('own.txt', 'w').write('mine')\nprint(open('own.txt').read())") == "mine\n"
        assert "Error" in said(sandbox, "open('helper.py', 'w')") or highest == "c"


@pytest.mark.parametrize("path", ["helper.py", "data/x.csv", "data"])
@pytest.mark.parametrize("change", CHANGES)
def test_in_a_world_of_its_own_a_notebook_cannot_change_or_replace_them(path: str, change: str) -> None:
    with tier("a"), SandboxProcess(files=pack_files(FILES)) as sandbox:
        assert "Error" in said(sandbox, change.format(path))
        assert said(sandbox, "print(open('helper.py').read(), open('data/x.csv').read())") == "double = 2 1,2\n\n"


@pytest.mark.parametrize("path", ["../x", "/x", "", "a/../../x"])
def test_no_path_leads_out_of_the_folder(path: str) -> None:
    with pytest.raises(TornFrameError):
        unpack_files(pack([[path, 1]], b"x"))


def test_files_survive_the_wire() -> None:
    assert unpack_files(pack_files(FILES)) == FILES
    assert pack_files({}) == b""
    assert unpack_files(b"") == {}


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course with an assignment that has files, some of which nobody may see, and a student who adds others."""
    for name in ("ps1.ipynb", "data.csv", "sub/more.csv", f"{TASKS}/secret.py", "__pycache__/x.pyc", "big.bin"):
        path = tmp_path / "source" / "ps1" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"the assignment's {name}")
    (tmp_path / "source" / "ps1" / "big.bin").write_bytes(bytes(3 * MIB))
    (tmp_path / "source" / "ps1" / "link.csv").symlink_to("/etc/passwd")
    for name in ("ps1.ipynb", "data.csv", "mine.csv", "words.py", "timestamp.txt"):
        path = tmp_path / "submitted" / "student-01" / "ps1" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"the student's {name}")
    (tmp_path / "submitted" / "student-01" / "ps1" / "link.csv").symlink_to(tmp_path / "source" / "ps1" / "ps1.ipynb")
    return tmp_path


def beside(
    course: Path, allowed: list[str], own: dict[str, list[str]] | None = None, most: int = MIB
) -> AssignmentFiles:
    """What lies beside its notebooks."""
    config = Config({"Autograde": {"exclude_overwriting": own or {}}})
    return AssignmentFiles(CourseDirectory(root=str(course)), config, most, allowed)


OWN = {"data.csv": "the assignment's data.csv", "sub/more.csv": "the assignment's sub/more.csv"}


@pytest.mark.parametrize(
    ("allowed", "own", "expected"),
    [
        ([], {}, OWN),
        (["ps2/*"], {}, OWN),
        (["ps1/*.csv"], {}, {"mine.csv": "the student's mine.csv"} | OWN),
        (["*/words.py"], {}, {"words.py": "the student's words.py"} | OWN),
        ([], {"ps1": ["data.csv"]}, OWN | {"data.csv": "the student's data.csv"}),
    ],
    ids=["nothing is allowed", "of another assignment", "a pattern", "of every assignment", "instead of our own"],
)
def test_what_students_hand_in_is_there_where_it_is_allowed(
    course: Path, allowed: list[str], own: dict[str, list[str]], expected: dict[str, str]
) -> None:
    found = unpack_files(beside(course, allowed, own).beside("ps1", "student-01"))
    assert {name: content.decode() for name, content in found.items()} == expected


def test_what_is_too_large_or_a_link_is_left_out_and_told_in_one_sentence(course: Path) -> None:
    (told,) = beside(course, []).notes("ps1")
    assert "big.bin (3 MiB, and" in told
    assert "link.csv (a link)" in told
    assert "1 MiB, Grade.data_mib" in told
    (told,) = beside(course, [], most=5 * MIB).notes("ps1")
    assert "big.bin" not in told


def test_without_its_source_an_assignment_has_the_files_of_its_release(course: Path) -> None:
    (course / "source").rename(course / "release")
    assert set(unpack_files(beside(course, []).beside("ps1", "student-01"))) == set(OWN)
