"""What is made in a gradebook belongs to its owner alone, and to a group where the folder says so."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.classroom.course import Submission
from autograder.classroom.store import Store
from autograder.command_line import main
from autograder.exports.results_json import write_json
from autograder.grader.secret_seed import secret_seed
from autograder.nbgrader_plugin import patience
from autograder.sharing import folders_for_grading, make_folder, share_gradebook
from tests.course import new_course

SUBMISSION = Submission("student-01", "02_grad", "02_grad", Path())


@pytest.fixture(autouse=True)
def umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def made(gradebook: Path) -> dict[str, int]:
    """Everything that a run leaves, with its permissions."""
    assert patience
    secret_seed(gradebook)
    store = Store(gradebook)
    with store.only_one():
        store.keep_answers(SUBMISSION, "key", b"answers")
        store.keep_record(SUBMISSION, {})
    write_json(gradebook / "results.json", {})
    with Gradebook(f"sqlite:///{gradebook}/gradebook.db"):
        pass
    return {path.name: path.stat().st_mode & 0o7777 for path in gradebook.rglob("*")}


def test_a_gradebook_is_its_owners(tmp_path: Path) -> None:
    modes = made(tmp_path)
    assert modes.pop("secret_seed") == 0o600
    assert modes.pop("answers") == modes.pop("results") == 0o700
    assert not any(mode & 0o020 for mode in modes.values())


def test_a_new_gradebook_is_closed_to_other_users(tmp_path: Path) -> None:
    """On a hub every student has an account on the machine that holds the gradebook."""
    gradebook, exchange = tmp_path / "gradebook" / "autumn", tmp_path / "exchange"
    folders_for_grading(gradebook, exchange)
    for folder in (gradebook, gradebook.parent):
        assert folder.stat().st_mode & 0o777 == 0o700
    gradebook.chmod(0o2770)
    folders_for_grading(gradebook, exchange)
    assert gradebook.stat().st_mode & 0o7777 == 0o2770  # as an instructor has opened it


def test_a_shared_gradebook_is_its_groups(tmp_path: Path) -> None:
    gradebook, exchange = tmp_path / "gradebook", tmp_path / "gradebook" / "exchange"
    exchange.mkdir(parents=True)
    share_gradebook(gradebook, exchange)
    modes = made(gradebook)
    assert modes.pop("secret_seed") == 0o640
    for name, mode in modes.items():
        needed = 0o2070 if (gradebook / name).is_dir() else 0o060
        assert mode & needed == needed, name
        assert name in ("exchange", "results.json", ".lock", "gradebook.db") or not mode & 0o007, name
    secret_seed(gradebook)
    make_folder(gradebook / "a" / "b")
    assert (gradebook / "a" / "b").stat().st_mode & 0o7777 == 0o2770


def test_a_seed_that_was_made_before_is_opened_to_the_group(tmp_path: Path) -> None:
    before = secret_seed(tmp_path)
    share_gradebook(tmp_path, tmp_path)
    assert secret_seed(tmp_path) == before
    assert (tmp_path / "secret_seed").stat().st_mode & 0o777 == 0o640


def test_what_is_refused_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As another user: root may read everything."""
    course = new_course(tmp_path)
    monkeypatch.chdir(course)

    def refused(gradebook: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(gradebook / "secret_seed"))

    monkeypatch.setattr("autograder.classroom.run.secret_seed", refused)
    assert main(["grade"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"autograder: {course}/gradebook/secret_seed is not open to ")
    assert said.count("\n") == 1
