"""Whatever is asked wrongly, a notebook shows the student's own lines and one sentence, and nothing of this package."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import autograder
from tests.depth import proof

pytestmark = proof

PACKAGE = str(Path(autograder.__file__).parent)
START = """
import torch
from torch import nn
from autograder import check, counters, digits, draw, figure, hint, progress
import autograder
import matplotlib.pyplot as plt


class Odd:
    data = 1

    def __repr__(self):
        raise ValueError("no")


def stumbles(x):
    return x.no_such_attribute
"""
THINGS = (
    "",
    "3",
    "None",
    "[]",
    "{}",
    "'nope'",
    "''",
    "'x' * 5000",
    "print",
    "object()",
    "torch.ones(2)",
    "Odd()",
    "b'x'",
)
DOORS = {
    "check": (*THINGS, "'partials', 3", "name='partials'"),
    "hint": (*THINGS, "'partials', 3"),
    "progress": ("3", "None", "[]", "'99'", "''", "'../x'", "'--help'", "'-x'", "'a\\0b'", "exercise='01'"),
    "draw": (
        *THINGS,
        "[('a',)]",
        "[('a', 3)]",
        "[1, 2]",
        "[('a', 'b', 1)], values=3",
        "[('a', 'b', 1)], gradients=[1]",
        "[('a', 'b', 1)], names=stumbles",
        "torch.ones(1), names=3",
        "torch.ones(1), names=['x']",
        "[('a', 'b', 1)], wrong='x'",
        "[('a', 'b', 1)], title=3",
        "[('a', 'b', 1)], nonsense=1",
        "nn.Linear(2, 1)",
        "lambda x: x",
    ),
    "figure": ("", "3", "3, alt='x'", "plt.figure()", "plt.figure(), alt=''", "plt.figure(), alt=3", "None, alt='x'"),
    "counters.backward_nodes": ("3", "None", "'x'"),
    "counters.nodes_run(3).__enter__": ("",),
    "counters.counted": ("3", "None"),
    "counters.counted(stumbles)": ("3",),
    "counters.counted(nn.Linear(2, 1))": ("torch.ones(3)", "'x'"),
    "digits.load": ("3", "device='moon'"),
    "digits.trained": ("'x'", "nonsense=1"),
    "autograder.chek": ("",),
}
CALLS = [f"{door}({given})" for door, values in DOORS.items() for given in values]
IMPORTS = ["from autograder import chek", "from autograder.notebook import chek", "import autograder.nothing"]
IN_QUESTIONS = [
    "def partials(x, w, b):\n    return stumbles(x)\ncheck('partials')",
    "with counters.passes_run() as passes:\n    stumbles(1)",
    "with counters.nodes_run(torch.ones(1, requires_grad=True) * 2):\n    stumbles(1)",
    "counters.counted(stumbles)(1)",
]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """All text that each cell leaves, from one real kernel in a folder that is no course."""
    sources = [*CALLS, *IMPORTS, *IN_QUESTIONS]
    cells = [nbformat.v4.new_code_cell(source) for source in (START, *sources)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    folder = tmp_path_factory.mktemp("elsewhere")
    NotebookClient(notebook, allow_errors=True, timeout=300, resources={"metadata": {"path": folder}}).execute()
    assert not [output for output in notebook.cells[0].outputs if output.output_type == "error"], notebook.cells[0]
    return {cell.source: "\n".join(map(_text, cell.outputs)) for cell in notebook.cells[1:]}


def _text(output: nbformat.NotebookNode) -> str:
    if output.output_type == "error":
        return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(output.traceback))
    return output.get("text", "") + output.get("data", {}).get("text/plain", "")


@pytest.mark.parametrize("source", [*CALLS, *IMPORTS, *IN_QUESTIONS])
def test_no_path_and_no_frame_of_the_package_is_shown(shown: dict[str, str], source: str) -> None:
    text = shown[source]
    assert PACKAGE not in text
    assert "autograder/" not in text
    frames = re.findall(r"^(?:Cell|File) .*$", text, re.MULTILINE)
    assert all(frame.startswith("Cell In[") for frame in frames), text


@pytest.mark.parametrize("source", [call for call in CALLS if not call.startswith("counters.counted(")])
def test_what_was_asked_wrongly_is_told_in_a_sentence(shown: dict[str, str], source: str) -> None:
    text = shown[source].strip()
    if source == "draw(Odd())":
        return  # an object with .data is a node of an engine
    last = text.splitlines()[-1]
    assert re.search(r"\w+ \w+ \w+", last), text
    assert len(last) < 250
    assert "object at 0x" not in last


def test_the_students_own_frames_stay(shown: dict[str, str]) -> None:
    text = shown["counters.counted(stumbles)(1)"]
    assert "return x.no_such_attribute" in text
    assert "AttributeError: 'int' object has no attribute 'no_such_attribute'" in text
    assert "no_such_attribute" in shown[IN_QUESTIONS[0]]
