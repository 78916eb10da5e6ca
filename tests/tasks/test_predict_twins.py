"""PyTorch answers the cases of `predict_twins` here as it was recorded; tests/twins.py asks all three systems."""

from __future__ import annotations

import tomllib

from tests.three_systems import LESSON_RECORD, TASK_RECORD, answered, pytorch


def test_pytorch_answers_as_it_was_recorded() -> None:
    record = tomllib.loads(TASK_RECORD.read_text(encoding="utf-8"))["answers"]
    assert {name: answered(case) for name, case in pytorch().items()} == {name: row[0] for name, row in record.items()}


def test_both_records_are_of_the_same_systems() -> None:
    task, lesson = (tomllib.loads(path.read_text(encoding="utf-8")) for path in (TASK_RECORD, LESSON_RECORD))
    assert task["versions"] == lesson["versions"]
