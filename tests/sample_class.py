"""A sample class, made on the fly from solutions and answers: `python -m tests.sample_class GRADEBOOK EXERCISE`.

Every student of exercise 01 stands for a situation that instructors meet, and knows the points that it must get.
Those of the other exercises give the repository's right and wrong answers.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Callable
from pathlib import Path

from nbformat.v4 import new_code_cell

from autograder.checks.catalogue import tasks_of
from tests.answers import right_answers, wrong_answers
from tests.submissions import COURSE, as_bytes, cell_of, released, solution_sources, solved, submission

EXERCISE = "01_scalar_graphs"
FULL = {
    "forward_values": 2,
    "partials": 3,
    "partials_twin": 3,
    "path_sum": 4,
    "finite_difference": 4,
    "value_arithmetic": 4,
    "value_functions": 2,
    "value_backward": 2,
    "value_long_chains": 2,
    "fit_neuron": 4,
}
NOTHING = dict.fromkeys(FULL, 0)


@dataclasses.dataclass(frozen=True)
class Student:
    """One submission of the sample class.

    Attributes:
        situation: what it stands for.
        raw: the file handed in.
        points: what each task must get; those that no one has worked out are left out.
    """

    name: str
    situation: str
    raw: bytes
    points: dict[str, float]


_situations: list[tuple[str, Callable[[], bytes], dict[str, float]]] = []


def situation(what: str, **points: float) -> Callable:
    """Declare a situation: full points but for those given here."""

    def declare(make: Callable[[], bytes]) -> Callable[[], bytes]:
        _situations.append((what, make, FULL | points))
        return make

    return declare


def sample_class() -> list[Student]:
    """All students, student-01 and on."""
    return [
        Student(f"student-{number:02}", what, make(), points)
        for number, (what, make, points) in enumerate(_situations, start=1)
    ]


@situation("everything right")
def _everything() -> bytes:
    return as_bytes(solved(EXERCISE))


@situation("everything right, written another way")
def _another_way() -> bytes:
    answers = {answer.task: answer.source for answer in right_answers(EXERCISE)}
    return as_bytes(submission(EXERCISE, answers))


@situation("partly solved", value_backward=0, value_long_chains=0, fit_neuron=0)
def _partly() -> bytes:
    sources = solution_sources(EXERCISE)
    return as_bytes(submission(EXERCISE, {task: sources[task] for task in list(FULL)[:7]}))


@situation("untouched", **NOTHING)
def _untouched() -> bytes:
    return as_bytes(released(EXERCISE))


@situation("typical mistakes", partials=1, partials_twin=1, path_sum=0, finite_difference=0, fit_neuron=0)
def _mistakes() -> bytes:
    chosen = {
        "partials": "x and w swapped",
        "partials_twin": "names and gradients out of step",
        "path_sum": "only one path",
        "finite_difference": "one-sided",
        "fit_neuron": "gradients never zeroed",
    }
    return as_bytes(solved(EXERCISE, **{task: _wrong(task, mistake) for task, mistake in chosen.items()}))


def _wrong(task: str, mistake: str) -> str:
    """The first wrong answer to a task that makes this mistake."""
    answers = wrong_answers(EXERCISE)
    return next(answer.source for answer in answers if (answer.task, answer.diagnosed) == (task, mistake))


@situation("an engine that overwrites gradients, and a task built on it", value_long_chains=0, fit_neuron=0)
def _engine() -> bytes:
    task = "value_long_chains"
    return as_bytes(solved(EXERCISE, **{task: _wrong(task, "overwritten instead of added")}))


@situation("an exception in a task", partials=0)
def _exception() -> bytes:
    return as_bytes(solved(EXERCISE, partials="def partials(x, w, b):\n    return {'x': w, 'w': y}\n"))


@situation("a cell that does not even compile", partials_twin=0)
def _syntax_error() -> bytes:
    return as_bytes(solved(EXERCISE, partials_twin="def partials_twin(x, w, b)\n    return {}\n"))


@situation("an endless loop in a task", path_sum=0)
def _endless_task() -> bytes:
    return as_bytes(solved(EXERCISE, path_sum="def path_sum(edges, start, end):\n    while True:\n        pass\n"))


@situation("a cell that never ends and hears no interrupt")
def _endless_cell() -> bytes:
    notebook = solved(EXERCISE)
    source = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    notebook.cells.insert(3, new_code_cell(source, id="endless"))
    return as_bytes(notebook)


@situation("prints and warns a lot")
def _noisy() -> bytes:
    notebook = solved(EXERCISE)
    cell = cell_of(notebook, "partials")
    noise = "    import sys, warnings\n    print('noise ' * 1000)\n    print('more', file=sys.stderr)\n"
    noise += "    warnings.warn('careful')\n"
    head, body = cell.source.split("\n", 1)
    cell.source = f"import warnings\nwarnings.warn('at once')\n{head}\n{noise}{body}"
    return as_bytes(notebook)


@situation("grade cells deleted, doubled and edited, points raised, an unknown schema version")
def _cells_changed() -> bytes:
    notebook = solved(EXERCISE)
    doubled = cell_of(notebook, "check_partials_twin")
    notebook.cells.append(new_code_cell(doubled.source, id="doubled", metadata=doubled.metadata))
    edited = cell_of(notebook, "check_partials")
    edited.source = "3.0"
    edited.metadata.nbgrader["points"] = 300
    cell_of(notebook, "check_path_sum").metadata.nbgrader["schema_version"] = 99
    notebook.cells.remove(cell_of(notebook, "check_forward_values"))
    notebook.cells.insert(
        1, new_code_cell("'mine'", id="foreign", metadata={"nbgrader": {"grade_id": "check_mine", "grade": True}})
    )
    return as_bytes(notebook)


@situation("cells missing: a whole task is gone", path_sum=0)
def _cells_missing() -> bytes:
    notebook = solved(EXERCISE)
    gone = [cell_of(notebook, name) for name in ("about_path_sum", "path_sum", "check_path_sum")]
    notebook.cells = [cell for cell in notebook.cells if cell not in gone]
    return as_bytes(notebook)


@situation("wrong types returned", forward_values=0, partials=0, partials_twin=0, path_sum=0, finite_difference=0)
def _wrong_types() -> bytes:
    return as_bytes(
        solved(
            EXERCISE,
            forward_values="def forward_values(x, w, b):\n    return None\n",
            partials="def partials(x, w, b):\n    return dict(x='2', w=w, b=1, u=1, v=1)\n",
            partials_twin="def partials_twin(x, w, b):\n    return dict.fromkeys('xwbuv', float('nan'))\n",
            path_sum="import math\ndef path_sum(edges, start, end):\n    return math\n",
            finite_difference="def finite_difference(f, x):\n    f(x)\n    return 3\n",
        )
    )


@situation("a task renamed", partials=0)
def _renamed() -> bytes:
    return as_bytes(
        solved(EXERCISE, partials=solution_sources(EXERCISE)["partials"].replace("def partials", "def mine"))
    )


@situation("not valid JSON", **NOTHING)
def _not_json() -> bytes:
    return as_bytes(solved(EXERCISE))[:-200]


@situation("another kernel", **NOTHING)
def _another_kernel() -> bytes:
    notebook = solved(EXERCISE)
    notebook.metadata["kernelspec"] = {"name": "ir", "language": "R", "display_name": "R"}
    notebook.metadata.pop("language_info", None)
    return as_bytes(notebook)


@situation("JSON, but no notebook", **NOTHING)
def _no_notebook() -> bytes:
    return json.dumps({"nbformat": 4, "cells": "all of them"}).encode()


def class_of_answers(exercise: str) -> list[Student]:
    """Students of any exercise: all right twice over, untouched, and each with one wrong answer to every task."""
    full = {name: task.points for name, task in tasks_of(exercise).items()}
    right = {answer.task: answer.source for answer in right_answers(exercise)}
    made = [
        ("everything right", solved(exercise), full),
        ("everything right, written another way", submission(exercise, right), full),
        ("untouched", released(exercise), dict.fromkeys(full, 0)),
    ]
    wrong: dict[str, list[str]] = {}
    for answer in wrong_answers(exercise):
        wrong.setdefault(answer.task, []).append(answer.source)
    for number, sources in enumerate(zip(*wrong.values(), strict=False), start=1):
        made.append((f"wrong answers, number {number}", solved(exercise, **dict(zip(wrong, sources, strict=True))), {}))
    return [
        Student(f"student-{number:02}", what, as_bytes(notebook), points)
        for number, (what, notebook, points) in enumerate(made, start=1)
    ]


def write_class(submitted: Path, exercise: str = EXERCISE) -> list[Student]:
    """Write the class's files as nbgrader expects them."""
    students = sample_class() if exercise == EXERCISE else class_of_answers(exercise)
    for student in students:
        folder = submitted / student.name / exercise
        folder.mkdir(parents=True)
        (folder / f"{exercise}.ipynb").write_bytes(student.raw)
    return students


if __name__ == "__main__":
    gradebook, *exercise = sys.argv[1:]
    for student in write_class(COURSE / gradebook / "submitted", *exercise):
        print(f"{student.name}: {student.situation}")
