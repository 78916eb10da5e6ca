"""Limits on outputs hold where a submission turned its own process's off: the grader cuts and goes on."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from nbformat.v4 import new_code_cell

from autograder.classroom.job import Job, JobResult
from autograder.classroom.version import version
from autograder.classroom.worker import work
from autograder.grader.answers_file import unpack_answers
from autograder.grader.sandbox_outputs import SPARE, Room, outputs_from
from autograder.sandbox.limits import (
    CELL_CHARACTERS,
    CELL_OUTPUTS,
    CUT_OFF,
    NOTEBOOK_CHARACTERS,
    NOTEBOOK_OUTPUTS,
    Limits,
)
from autograder.wire.frames import MOST_VALUES, TornFrameError, pack, unpack
from tests.class_runs import outputs_of
from tests.depth import one_of_each
from tests.sample_class import EXERCISE, FULL
from tests.submissions import solved

SEED = b"s" * 32
WITHOUT_LIMITS = """
from autograder.sandbox import recording
for name in ("MOST_CHARACTERS", "MOST_OUTPUTS", "CELL_CHARACTERS", "CELL_OUTPUTS"):
    setattr(recording, name, 10**12)
"""
TEXT = {"output_type": "stream", "name": "stdout", "text": "x" * 4_000_000}
PICTURE = {"output_type": "display_data", "metadata": {}, "data": {"image/png": "A" * 4_000_000}}
TABLE = {"output_type": "display_data", "metadata": {}, "data": {"application/json": list(range(2_000_000))}}
NAMES = {"output_type": "display_data", "metadata": {}, "data": {"x" * 4_000_000: "y"}}
METADATA = {"output_type": "display_data", "metadata": {"x": "y" * 4_000_000}, "data": {}}
TRACEBACK = {"output_type": "error", "ename": "E", "evalue": "e", "traceback": ["x" * 1_000] * 4_000}
WORDS = {"output_type": "stream", "name": "stderr", "text": "x"}


@pytest.mark.parametrize(
    "forged",
    [[TEXT], [PICTURE], [TABLE], [NAMES], [METADATA], [TRACEBACK], [WORDS] * 50_000],
    ids=["text", "picture", "table", "names", "metadata", "traceback", "many"],
)
def test_a_cell_s_outputs_are_cut(forged: list[dict]) -> None:
    made = outputs_from(forged)
    assert len(json.dumps(made)) <= CELL_CHARACTERS + 2 * SPARE
    assert len(made) <= CELL_OUTPUTS + 1
    assert made[-1]["text"].endswith(CUT_OFF)


def test_the_beginning_of_a_text_stays() -> None:
    (made,) = outputs_from([TEXT])
    assert made["name"] == "stdout"
    assert len(made["text"]) > CELL_CHARACTERS - 2 * SPARE
    assert made["text"].startswith("xxx")


def test_cells_share_a_notebook_s_room() -> None:
    room = Room()
    made = [outputs_from([{**TEXT, "text": "x" * 900_000}], room) for _ in range(40)]
    assert len(json.dumps(made)) <= NOTEBOOK_CHARACTERS + 40 * SPARE
    assert made[0][0]["text"] == "x" * 900_000
    assert made[-1] == [{"output_type": "stream", "name": "stdout", "text": CUT_OFF}]
    room = Room()
    made = [outputs_from([WORDS] * 900, room) for _ in range(40)]
    assert sum(map(len, made)) <= NOTEBOOK_OUTPUTS + 40


def test_what_the_sandbox_cut_is_not_cut_again() -> None:
    kept = {**TEXT, "text": f"{'x' * CELL_CHARACTERS}\n{CUT_OFF}"}
    assert outputs_from([kept]) == [kept]


def test_empty_lists_have_a_size() -> None:
    hollow = {"output_type": "display_data", "data": {}, "metadata": {"x": [[]] * (2 * CELL_CHARACTERS)}}
    assert [one["output_type"] for one in outputs_from([hollow])] == ["stream"]


@pytest.mark.parametrize("texts", [["," * 3_000_000], [',\\",' * 400_000] * 3], ids=["one", "three"])
def test_commas_in_a_text_are_no_values(texts: list[str]) -> None:
    assert unpack(pack({"texts": texts}))[0] == {"texts": texts}


def test_values_are_still_counted() -> None:
    with pytest.raises(TornFrameError):
        unpack(pack([[]] * (MOST_VALUES + 2)))


def graded(*sources: str) -> JobResult:
    """What a class run makes of an honest submission with these cells before all tasks."""
    notebook = solved(EXERCISE)
    notebook.cells[3:3] = [new_code_cell(source) for source in sources]
    job = Job(notebook, EXERCISE, None, dataclasses.asdict(Limits()), SEED, version())
    return JobResult.unpack(work(job.pack()))


ATTACKS: dict[str, list[str]] = {
    "text": [f"{WITHOUT_LIMITS}print('x' * 40_000_000)"],
    "commas": [f"{WITHOUT_LIMITS}print(',' * 4_000_000)"],
    "commas within the limits": ["print(',' * 900_000)"] * 3,
    "displays": [
        f"{WITHOUT_LIMITS}from IPython.display import display, HTML\nfor _ in range(9000): display(HTML('<p>'))"
    ],
    "every cell": [f"{WITHOUT_LIMITS}print('x' * 2_000_000)", *["print('x' * 2_000_000)"] * 12],
}


@pytest.mark.parametrize("name", one_of_each(ATTACKS, type))
def test_a_submission_without_limits_is_graded_with_cut_outputs(name: str) -> None:
    result = graded(*ATTACKS[name])
    assert not result.error
    assert {verdict["task"]: verdict["points"] for verdict in result.verdicts} == FULL
    outputs = outputs_of(result)
    assert _size(outputs) <= NOTEBOOK_CHARACTERS + 100 * SPARE
    assert max(map(_size, outputs)) <= CELL_CHARACTERS + 2 * SPARE
    assert max(map(len, outputs)) <= CELL_OUTPUTS + 1
    assert unpack_answers(result.answers, SEED).outputs  # and it can be judged again


def _size(outputs: Any) -> int:
    return len(json.dumps(outputs))
