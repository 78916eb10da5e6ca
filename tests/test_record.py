"""The student's own record: kept on this computer, where its owner says, and never in anybody's way."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder import record
from autograder.surroundings import GRADING


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(record.FOLDER, str(tmp_path / "kept"))
    return tmp_path / "kept"


def test_events_come_back_by_kind_and_in_order() -> None:
    record.note("prediction", which="deposits", right=True)
    record.note("attempt", task="distance")
    record.note("prediction", which="leaves", right=False)
    assert [event["which"] for event in record.events("prediction")] == ["deposits", "leaves"]


@pytest.mark.parametrize(
    "damage", ["{", "[]", '{"at": "noon", "kind": "attempt"}', "null", "\xff", '{"kind": "attempt"}']
)
def test_a_damaged_line_costs_no_other(folder: Path, damage: str) -> None:
    record.note("attempt", task="distance")
    with (folder / record.FILE).open("a", encoding="latin-1") as file:
        file.write(damage + "\n")
    record.note("attempt", task="newton_step")
    assert [event["task"] for event in record.events("attempt")] == ["distance", "newton_step"]


def test_a_line_without_its_end_does_not_take_the_next_with_it(folder: Path) -> None:
    record.note("attempt", task="distance")
    with (folder / record.FILE).open("a", encoding="utf-8") as file:
        file.write('{"at": "2026-')
    record.note("attempt", task="newton_step")
    record.note("attempt", task="partials")
    assert [event["task"] for event in record.events("attempt")] == ["distance", "newton_step", "partials"]
    assert "\n\n" not in (folder / record.FILE).read_text()


@pytest.mark.parametrize("variable", GRADING)
def test_grading_and_validating_keep_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(variable, "1")
    record.note("attempt", task="distance")
    assert not folder.exists()


@pytest.mark.parametrize("said", ["off", "OFF", " Off "])
def test_off_keeps_nothing(said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(record.FOLDER, said)
    monkeypatch.chdir(tmp_path)
    record.note("attempt", task="distance")
    assert list(record.events("attempt")) == []
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_made_disturbs_nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(record.FOLDER, str(tmp_path / "file"))
    record.note("attempt", task="distance")
    assert list(record.events("attempt")) == []


@pytest.mark.parametrize("said", ["kept", "~/kept"])
def test_a_folder_is_the_same_for_notebooks_of_every_folder(
    said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "exercises").mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv(record.FOLDER, said)
    monkeypatch.chdir(tmp_path / "exercises")
    assert record.path() == tmp_path / "kept" / record.FILE
