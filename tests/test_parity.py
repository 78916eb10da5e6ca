"""On honest submissions this course's grading is nbgrader's own: same gradebook, same notebooks.

Stock nbgrader executes a notebook in its kernel, where AUTOGRADER_IN_KERNEL lets the same checks judge.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert.filters.ansi import strip_ansi
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.api import Gradebook

from autograder.verdicts.verdict import VERDICT
from tests.answers import right_answers, wrong_answers
from tests.course import hand_out, make_stock, new_course
from tests.depth import proof
from tests.sample_class import EXERCISE
from tests.submissions import as_bytes, released, solved

pytestmark = proof

RIGHT_ROUNDS = 2
# None that is wrong only for some inputs, as the grader draws others than the kernel; none that is slow.
WRONG_ROUNDS = (
    {
        "forward_values": "relu_forgotten",
        "partials": "x_and_w_swapped",
        "partials_twin": "names_out_of_step",
        "path_sum": "dict_of_edges",
        "finite_difference": "forward_difference",
        "value_arithmetic": "addition: overwritten instead of added: grad =",
        "value_functions": "tanh: overwritten instead of added: grad =",
        "value_backward": "everything_reset",
        "value_long_chains": "first_come_first_served",
        "fit_neuron": "never_zeroed",
    },
    {
        "forward_values": "v_cut_at_zero",
        "partials": "gate_forgotten",
        "partials_twin": "twin_gate_forgotten",
        "path_sum": "one_sweep",
        "finite_difference": "tiny_step",
        "value_arithmetic": "factors_swapped",
        "value_functions": "tanh: wrong local derivative: out.data",
        "value_backward": "everything_reset",
        "value_long_chains": "upstream_ignored_everywhere",
        "fit_neuron": "uphill",
    },
)
VOLATILE = re.compile(
    r"0x[0-9a-f]+"  # addresses
    r"|<ipython-input-[\w-]+>:\d+:|[\w/.-]+/ipykernel_\d+/\d+\.py:\d+:"  # the file that a warning names
    r"|In\[\d+\]"  # counts in tracebacks; stock counts grade cells, too
)


def chosen() -> dict[str, NotebookNode]:
    """Submissions by student: untouched, solved, and right and wrong answers spread over notebooks."""
    notebooks = {"student-01": released(EXERCISE), "student-02": with_own_cells()}
    by_task: dict[str, list[str]] = defaultdict(list)
    for answer in right_answers(EXERCISE):
        by_task[answer.task].append(answer.source)
    rounds = [{task: sources[number] for task, sources in by_task.items()} for number in range(RIGHT_ROUNDS)]
    wrong = {(answer.task, answer.name): answer.source for answer in wrong_answers(EXERCISE)}
    rounds += [{task: wrong[task, name] for task, name in names.items()} for names in WRONG_ROUNDS]
    for sources in rounds:
        notebooks[f"student-{len(notebooks) + 1:02}"] = solved(EXERCISE, **sources)
    return notebooks


def with_own_cells() -> NotebookNode:
    """Solved, with what a student adds: Markdown of all kinds, prints, tables, plots, warnings, an error."""
    notebook = solved(EXERCISE)
    sources = [
        "print('a'); import sys; print('b', file=sys.stderr); 'result'",
        "import torch\nx = torch.tensor([1.0, 2.0], requires_grad=True)\n(x * x).sum()",
        "import warnings\nwarnings.warn('careful')",
        "from IPython.display import HTML, Markdown, Math, display\ndisplay(Markdown('**b** $a < b$'), Math('a<b'))\n"
        "HTML('<b>bold</b>')",
        "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2, 3]);",
        "1 / 0",
    ]
    text = (
        "# My notes\n\n$a < b$ and `x < y`, <b>bold</b>, [docs](https://pytorch.org)\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    )
    notebook.cells += [new_markdown_cell(text, id="notes")]
    notebook.cells += [new_code_cell(source, id=f"own-{number}") for number, source in enumerate(sources)]
    return notebook


STUDENTS = sorted(chosen())


@pytest.fixture(scope="module")
def courses(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same class graded twice, at the same time."""
    courses = {name: new_course(tmp_path_factory.mktemp(name) / "course") for name in ("ours", "stock")}
    make_stock(courses["stock"])
    running = []
    for name, course in courses.items():
        for student, notebook in chosen().items():
            folder = course / "gradebook" / "submitted" / student / EXERCISE
            folder.mkdir(parents=True)
            (folder / f"{EXERCISE}.ipynb").write_bytes(as_bytes(notebook))
        hand_out(course)
        switch = {"AUTOGRADER_IN_KERNEL": "1"} if name == "stock" else {}
        command = ["nbgrader", "autograde", EXERCISE]
        running.append(subprocess.Popen(command, cwd=course, env=os.environ | switch, stderr=subprocess.DEVNULL))
    assert [process.wait(500) for process in running] == [0, 0]
    return courses


def rows(course: Path, student: str) -> dict[str, tuple]:
    """What the gradebook holds of a student."""
    with Gradebook(f"sqlite:///{course}/gradebook/gradebook.db") as gradebook:
        submission = gradebook.find_submission(EXERCISE, student)
        found = {"all": (submission.score, submission.max_score, submission.needs_manual_grade)}
        for notebook in submission.notebooks:
            for grade in notebook.grades:
                values = (grade.auto_score, grade.manual_score, grade.extra_credit, grade.max_score)
                found[grade.cell.name] = (*values, grade.needs_manual_grade, grade.failed_tests)
        return found


def cells(course: Path, student: str) -> list[dict[str, Any]]:
    """The cells of an autograded notebook, without what changes from run to run, and what differs on purpose.

    On purpose: grade cells are not executed, and so not counted; a verdict's data stands beside its display.
    """
    path = course / "gradebook" / "autograded" / student / EXERCISE / f"{EXERCISE}.ipynb"
    found = []
    for cell in nbformat.read(path, as_version=4).cells:
        cell.metadata.pop("execution", None)  # times
        cell.pop("execution_count", None)
        for output in cell.get("outputs", []):
            output.pop("execution_count", None)
            output.get("data", {}).pop(VERDICT, None)
        text = json.dumps(cell).replace("\\u001b", "\x1b")
        found.append(json.loads(VOLATILE.sub("...", strip_ansi(text))))
    return found


@pytest.mark.parametrize("student", STUDENTS)
def test_the_gradebook_is_stock_nbgraders(courses: dict[str, Path], student: str) -> None:
    assert rows(courses["ours"], student) == rows(courses["stock"], student)


@pytest.mark.parametrize("student", STUDENTS)
def test_the_notebooks_are_stock_nbgraders(courses: dict[str, Path], student: str) -> None:
    assert cells(courses["ours"], student) == cells(courses["stock"], student)


def test_the_class_has_all_kinds_of_scores(courses: dict[str, Path]) -> None:
    totals = [rows(courses["stock"], student)["all"][0] for student in STUDENTS]
    assert totals[:4] == [0, 30, 30, 30]
    assert all(0 < total < 20 for total in totals[4:])
