"""Outputs come from a process that a student controls: what is malformed is dropped, the rest goes on."""

from __future__ import annotations

import json
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.grader.sandbox_outputs import outputs_from
from autograder.verdicts.verdict import VERDICT


@pytest.mark.parametrize(
    "forged",
    [
        None,
        7,
        {"output_type": "stream"},
        [None, 3, "x", [], {}],
        [{"output_type": "stream", "name": "stdin", "text": "x"}],
        [{"output_type": "stream", "name": "stdout", "text": 9}],
        [{"output_type": "display_data", "data": {"text/plain": {"a": 1}}, "metadata": 5}],
        [{"output_type": "execute_result", "data": [], "execution_count": "one", "more": "x"}],
        [{"output_type": "error", "ename": None, "evalue": [], "traceback": "x"}],
        [{"output_type": "stream", "name": "stdout", "text": "\ud800 alone"}],
        [{"output_type": "display_data", "data": {"a\udfff": "x", "application/json": {"\ud800": "\ud800"}}}],
        json.loads('[{"output_type": "display_data", "data": {"application/json": ' + "[" * 400 + "]" * 400 + "}}]"),
    ],
)
def test_a_notebook_with_forged_outputs_can_be_written(forged: Any) -> None:
    notebook = new_notebook(cells=[new_code_cell("1")])
    notebook.cells[0].outputs = [nbformat.from_dict(output) for output in outputs_from(forged)]
    nbformat.validate(notebook)
    nbformat.writes(notebook).encode()


def test_empty_lists_have_a_size() -> None:
    deep = json.loads("[" * 20 + "[]," * 1_100_000 + "[]" + "]" * 20)
    forged = {"output_type": "display_data", "data": {}, "metadata": {"a": deep}}
    assert outputs_from([forged])[0]["output_type"] == "stream", "the note that it was cut off"


def test_right_outputs_stay_as_they_are() -> None:
    right = [
        {"output_type": "stream", "name": "stdout", "text": "é"},
        {"output_type": "execute_result", "data": {"text/plain": "1"}, "metadata": {"a": 1}, "execution_count": 3},
        {"output_type": "display_data", "data": {"application/json": {"a": [1]}, "image/png": "AA"}, "metadata": {}},
        {"output_type": "error", "ename": "E", "evalue": "e", "traceback": ["line"]},
    ]
    assert outputs_from(right) == right


def test_a_copied_verdict_is_not_shown() -> None:
    copied = {"output_type": "display_data", "data": {VERDICT: {"points": 9}, "text/plain": "x"}, "metadata": {}}
    assert outputs_from([copied])[0]["data"] == {"text/plain": "x"}
