"""No bytes that a student hands in stop the reader; each unreadable file has its reason."""

from __future__ import annotations

import json

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.notebooks.reading import UnreadableNotebookError, read_submission

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


def _notebook(**changes: object) -> bytes:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [], **changes}).encode()


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "not valid JSON"),
        (b"{", "not valid JSON (line 1)"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"[" * 100_000, "nested too deep"),
        (b"[]", "no object"),
        (b"{}", "format 3 or 4"),
        (_notebook(nbformat=7), "format 3 or 4"),
        (_notebook(cells="all"), "no list of cells"),
        (_notebook(cells=[{}] * 2001), "more than 2000 cells"),
        (_notebook(metadata={"kernelspec": {"language": "R"}}), "written for 'r'"),
        (_notebook(metadata={"language_info": {"name": "julia"}}), "written for 'julia'"),
    ],
)
def test_unreadable_files_have_a_reason(raw: bytes, reason: str) -> None:
    with pytest.raises(UnreadableNotebookError) as caught:
        read_submission(raw)
    assert reason in str(caught.value)


@given(st.lists(JSON | st.fixed_dictionaries({"cell_type": st.just("code"), "source": JSON, "metadata": JSON})), JSON)
def test_what_is_read_is_a_valid_notebook(cells: list, metadata: object) -> None:
    try:
        notebook = read_submission(_notebook(cells=cells, metadata=metadata))
    except UnreadableNotebookError:
        return
    nbformat.validate(notebook)


def test_lone_surrogates_can_be_written() -> None:
    notebook = read_submission(_notebook(cells=[{"cell_type": "code", "source": "x = '\ud800'"}]))
    nbformat.writes(notebook).encode()
