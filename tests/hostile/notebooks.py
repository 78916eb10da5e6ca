"""Files that are strange as notebooks, for a whole class run: bytes, and the points that they must get.

Doubled, deleted and edited grade cells, raised points, other kernels and what is no JSON stand in
tests/sample_class.py; links, special files and strange names in tests/test_submission_files.py.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from tests.hostile import EXERCISE
from tests.hostile.class_run import SWAPPED
from tests.sample_class import FULL, NOTHING
from tests.submissions import as_bytes, cell_of, released, solved


@dataclasses.dataclass(frozen=True)
class HostileFile:
    """One file handed in.

    Attributes:
        name: of the attack.
        make: its bytes.
        points: what each task must get.
    """

    name: str
    make: Callable[[], bytes]
    points: dict[str, float]


FILES: list[HostileFile] = []


def file(**loses: float) -> Callable[[Callable[[], bytes]], Callable[[], bytes]]:
    """Register a function that makes a file; it gets full points but for those given here."""

    def register(make: Callable[[], bytes]) -> Callable[[], bytes]:
        FILES.append(HostileFile(make.__name__, make, FULL | loses))
        return make

    return register


def as_json(notebook: Any) -> dict:
    """As plain JSON, to be made strange."""
    return json.loads(as_bytes(notebook))


def raw(data: Any) -> bytes:
    """Its bytes, lone surrogates as escapes."""
    return json.dumps(data).encode()


@file()
def honest() -> bytes:
    return as_bytes(solved(EXERCISE))


@file(**NOTHING)
def untouched() -> bytes:
    return as_bytes(released(EXERCISE))


@file(partials=0)
def one_wrong_answer() -> bytes:
    return as_bytes(solved(EXERCISE, partials=SWAPPED))


@file(**NOTHING)
def ten_thousand_cells() -> bytes:
    notebook = solved(EXERCISE)
    notebook.cells += [new_code_cell("1", id=f"more-{n}") for n in range(10_000)]
    return as_bytes(notebook)


@file()
def a_thousand_cells_that_print() -> bytes:
    notebook = solved(EXERCISE)
    notebook.cells += [new_code_cell("print('x')", id=f"more-{n}") for n in range(300)]
    return as_bytes(notebook)


@file(**NOTHING)
def a_hundred_megabytes() -> bytes:
    notebook = solved(EXERCISE)
    notebook.cells.append(new_markdown_cell("x" * (100 << 20), id="large"))
    return as_bytes(notebook)


@file(**NOTHING)
def bytes_that_are_no_text() -> bytes:
    return as_bytes(solved(EXERCISE)).replace(b"partials", b"\xff\xfe\x80partials", 1)


@file()
def half_characters_everywhere() -> bytes:
    data = as_json(solved(EXERCISE))
    data["metadata"]["\ud800"] = data["metadata"]["title"] = "\udfff"
    data["cells"][1]["source"] = "\ud800 text \udc00"
    data["cells"][1]["metadata"]["name\ud800"] = {"x": ["\ud800"]}
    data["cells"][2]["source"] = "".join(data["cells"][2]["source"]) + "\n# \ud800"
    data["cells"][2]["metadata"]["tags"] = ["\ud800"]
    data["cells"].insert(3, {"cell_type": "code", "id": "\ud800", "metadata": {}, "source": "'\ud800'", "outputs": []})
    data["cells"].insert(3, {"cell_type": "markdown", "metadata": {}, "source": "x", "attachments": {"\ud800": {}}})
    return raw(data)


@file()
def half_characters_printed() -> bytes:
    notebook = solved(EXERCISE)
    source = "import sys\nprint('\\ud800'); print('\\udfff', file=sys.stderr)\n"
    source += "from IPython.display import display, HTML, Markdown\n"
    source += (
        "display(HTML('<b>\\ud800</b>'), Markdown('\\ud800'), {'text/plain': '\\ud800', '\\ud800': 1}, raw=True)\n"
    )
    notebook.cells.insert(3, new_code_cell(source, id="half"))
    notebook.cells.insert(4, new_code_cell("'\\ud800'", id="half2"))
    notebook.cells.insert(5, new_code_cell("raise ValueError('\\ud800')", id="half3"))
    return as_bytes(notebook)


@file(partials=0, path_sum=0, forward_values=0)
def half_characters_in_answers() -> bytes:
    return as_bytes(
        solved(
            EXERCISE,
            partials="def partials(x, w, b):\n    raise ValueError('\\ud800')\n",
            path_sum="def path_sum(edges, start, end):\n    return '\\ud800'\n",
            forward_values="def forward_values(x, w, b):\n    return {'\\ud800': 1, '\\udfff<b>': 2}\n",
        )
    )


@file(partials=0)
def half_characters_as_a_class() -> bytes:
    source = (
        "class E(Exception): pass\nE.__name__ = 'E\\ud800'\ndef partials(x, w, b):\n    raise E('\\x00\\x1b[31m')\n"
    )
    return as_bytes(solved(EXERCISE, partials=source))


@file()
def characters_that_no_page_shows() -> bytes:
    notebook = solved(EXERCISE)
    notebook.cells.insert(3, new_code_cell("print('\\x00\\x01\\x1b[\\u202e\\ufeff\\uffff')", id="strange"))
    notebook.cells.insert(3, new_markdown_cell("\x00\x01\u202e\ufeff\uffff", id="strange2"))
    return as_bytes(notebook)


@file(partials=0)
def verdicts_copied_into_outputs() -> bytes:
    notebook = solved(EXERCISE, partials=SWAPPED)
    copied = new_output("execute_result", {"text/plain": "3", "application/vnd.autograder.verdict+json": {"points": 3}})
    copied["execution_count"] = 1
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [copied]
    return as_bytes(notebook)


@file(partials=0)
def points_and_ids_tampered_with() -> bytes:
    notebook = solved(EXERCISE, partials=SWAPPED)
    check = cell_of(notebook, "check_partials")
    check.metadata.nbgrader.update(points=-3, grade_id="check_partials ", schema_version="x", checksum=None)
    for cell in notebook.cells[-5:]:
        cell["id"] = "same"
    cell_of(notebook, "partials").metadata.nbgrader.update(grade=True, points=1000, solution=False, locked=False)
    notebook.metadata["autograder"] = {"unreadable": 7, "version": "99", "repaired": ["all"]}
    notebook.metadata["nbgrader"] = {"points": 30}
    return raw(json.loads(json.dumps(notebook)))


@file(partials=0)
def another_tasks_grade_cell() -> bytes:
    notebook = solved(EXERCISE, partials=SWAPPED)
    cell_of(notebook, "check_partials").metadata.nbgrader["grade_id"] = "check_forward_values"
    return as_bytes(notebook)


@file()
def metadata_of_every_shape() -> bytes:
    data = as_json(solved(EXERCISE))
    shapes = [None, 1, [], "x", {"nbgrader": None}, {"nbgrader": [1]}, {"nbgrader": {"grade_id": ["x"]}}]
    for n, shape in enumerate(shapes):
        data["cells"].insert(0, {"cell_type": "code", "id": n, "metadata": shape, "source": ["1", 2], "outputs": 5})
    data["cells"] += [None, 1, [], {}, {"cell_type": "x"}, {"cell_type": ["code"]}]
    data["nbformat_minor"] = "many"
    return raw(data)


@file(**NOTHING)
def a_number_of_five_thousand_digits() -> bytes:
    return as_bytes(solved(EXERCISE)).replace(b'"nbformat_minor": 5', b'"nbformat_minor": ' + b"9" * 5000)


@file(**NOTHING)
def lists_in_lists_in_lists() -> bytes:
    return b'{"nbformat": 4, "metadata": {}, "cells": ' + b"[" * 200_000 + b"]" * 200_000 + b"}"


@file(**NOTHING)
def metadata_in_metadata_in_metadata() -> bytes:
    deep = b'"metadata": {"x": ' + b'{"x": ' * 500 + b"1" + b"}" * 501
    return as_bytes(solved(EXERCISE)).replace(b'"metadata": {}', deep, 1)


@file()
def metadata_that_the_format_forbids() -> bytes:
    data = as_json(solved(EXERCISE))
    data["metadata"] |= {"kernelspec": "python3", "language_info": {"name": "python", "mimetype": 5}, "authors": "me"}
    for cell in data["cells"]:
        cell["metadata"] |= {"tags": ["a", "a"], "collapsed": "yes", "name": "", "execution": {"x": 1}}
    return raw(data)


@file()
def forged_counts_and_outputs() -> bytes:
    notebook = solved(EXERCISE)
    for n, reply in enumerate(
        ('{"outputs": 5, "count": -1}', '{"outputs": [{"output_type": "stream"}, {}], "count": 10 ** 30}')
    ):
        source = "from autograder.wire.frames import Channel\nkept = Channel.send\n"
        source += f"def send(self, *rest):\n    Channel.send = kept\n    kept(self, {reply})\nChannel.send = send\n"
        notebook.cells.insert(3, new_code_cell(source, id=f"forging-{n}"))
    return as_bytes(notebook)


@file(**NOTHING)
def nothing_at_all() -> bytes:
    return b""
