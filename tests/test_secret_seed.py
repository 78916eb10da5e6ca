"""A secret seed that was lost is not replaced without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.command_line import main
from autograder.grader.secret_seed import NAME
from tests.course import hand_in
from tests.depth import one_of_each
from tests.submissions import COURSE

MADE = (
    "answers/01/student-01.0a1b2c3d.key.answers",
    "results/01/student-01/01.json",
    "autograded/student-01/01/01.ipynb",
)


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course in which there is nothing to grade."""
    (tmp_path / "nbgrader_config.py").write_text((COURSE / "nbgrader_config.py").read_text())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _words(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("made", one_of_each(MADE, type))
def test_a_class_run_says_that_the_seed_was_lost(
    made: str, course: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(course, "student-01", "01", b"{}")
    assert main(["grade"]) == 0  # nothing was graded yet
    seed = course / "gradebook" / NAME
    before = seed.read_bytes()
    path = course / "gradebook" / made
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    assert main(["grade"]) == 0
    assert NAME not in capsys.readouterr().out
    seed.unlink()
    assert main(["grade"]) == 0
    said = _words(capsys)
    assert f"{seed} is gone, and submissions were graded with it: a new one is made, so every submission" in said
    assert "put the file back from a backup and run the same command again" in said
    assert seed.read_bytes() != before
    for rest in (b"", before[:7]):
        seed.write_bytes(rest)
        assert main(["grade"]) == 0
        assert f"{seed} is cut off, and submissions were graded with it: a new one" in _words(capsys)
        assert len(seed.read_bytes()) == len(before)
    seed.unlink()
    assert main(["export-anonymous", str(course / "scores.csv")]) == 0
    assert "pseudonyms are others" in capsys.readouterr().err


def test_a_seed_that_was_replaced_is_told_once(
    course: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = course / "gradebook" / MADE[1]
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    seed = course / "gradebook" / NAME
    seed.write_text("1" * 64)  # of a course that was graded before fingerprints were kept
    assert main(["grade"]) == 0
    seed.write_text("2" * 64)
    told = f"{seed} is not the seed with which submissions were graded, so every submission is asked"
    for words, times in ((["--diff"], 1), (["--diff"], 1), ([], 1), ([], 0)):
        capsys.readouterr()
        assert main(["grade", *words]) == 0
        assert _words(capsys).count(told) == times
    kept = course / "gradebook" / f"{NAME}.fingerprint"
    assert seed.read_text() not in kept.read_text()
    assert kept.stat().st_mode & 0o777 == 0o600
    (course / "gradebook" / "extensions.csv").write_text("who\n")  # nothing is graded with such a table
    (course / "gradebook" / "settings.py").write_text(
        'get_config().AssignLatePenalties.plugin_class = "autograder.nbgrader_plugin.late_work.LateWork"'
    )
    seed.write_text("1" * 64)
    assert main(["grade"]) == 2
    assert told in _words(capsys)
