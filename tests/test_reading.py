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
        (b'{"nbformat": 4, "metadata": ' + b'{"x": ' * 500 + b"1" + b"}" * 500 + b', "cells": []}', "nested too deep"),
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
    picture = {"name\ud800": {"image/png": "AAAA"}}
    cells = [{"cell_type": "code", "source": "x = '\ud800'"}, {"cell_type": "markdown", "attachments": picture}]
    notebook = read_submission(_notebook(cells=cells, metadata={"title": "\udfff"}))
    nbformat.writes(notebook).encode()


def test_a_heading_of_format_3_is_no_deeper_than_a_page_can_show() -> None:
    cells = [{"cell_type": "heading", "level": level, "source": "Slope"} for level in (2, 1_000)]
    notebook = read_submission(_notebook(nbformat=3, nbformat_minor=0, worksheets=[{"cells": cells}]))
    assert [cell.source for cell in notebook.cells] == ["## Slope", "###### Slope"]


@pytest.mark.parametrize(
    "metadata",
    [
        {"kernelspec": "python3"},
        {"kernelspec": {"name": "python3"}},
        {"language_info": {}},
        {"language_info": {"name": "python", "codemirror_mode": 5}},
        {"orig_nbformat": 0},
        {"orig_nbformat": True},
        {"title": None},
        {"authors": "student-01"},
    ],
)
def test_metadata_that_the_format_forbids_is_dropped(metadata: dict) -> None:
    notebook = read_submission(_notebook(metadata=metadata | {"own": {"kept": [1]}}))
    nbformat.validate(notebook)
    assert notebook.metadata["own"] == {"kept": [1]}


def test_kernel_and_lexer_are_not_the_student_s() -> None:
    kernel = {"name": "bash", "display_name": "Bash", "language": "python"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python", "pygments_lexer": "mcfunction"}}
    assert read_submission(_notebook(metadata=metadata)).metadata == {}


@pytest.mark.parametrize("kind", ["code", "markdown", "raw"])
@pytest.mark.parametrize(
    "metadata",
    [
        {"tags": ["a", "a"]},
        {"tags": ["a,b"]},
        {"tags": "a"},
        {"collapsed": 1},
        {"scrolled": "never"},
        {"name": ""},
        {"name": "a\nb"},
        {"format": 7},
        {"jupyter": []},
        {"execution": {"iopub.status.busy": 0}},
    ],
)
def test_a_cell_s_metadata_that_the_format_forbids_is_dropped(metadata: dict, kind: str) -> None:
    cell = {"cell_type": kind, "source": "1", "metadata": metadata | {"own": 1}}
    notebook = read_submission(_notebook(cells=[cell]))
    nbformat.validate(notebook)
    assert notebook.cells[0].metadata["own"] == 1


@pytest.mark.parametrize("attached", [{"a": 1}, {"a": {"image/png": 1}}, {"a": {"image/png": ["AA", 2]}}])
def test_attachments_that_the_format_forbids_are_dropped(attached: dict) -> None:
    good = {"b": {"image/png": ["AA", "AA"]}}
    cell = {"cell_type": "markdown", "source": "x", "metadata": {}, "attachments": attached | good}
    notebook = read_submission(_notebook(cells=[cell]))
    nbformat.validate(notebook)
    assert notebook.cells[0].attachments["b"] == good["b"]
