"""Lesson 12 with TensorFlow and JAX. `make twins` runs this file in .venv-twins; `make test` does not collect it."""

from __future__ import annotations

import tomllib

import nbformat
import pytest

from tests import three_systems
from tests.lessons import executed, outputs_are_fit_to_read, said

SYSTEMS = ("by hand", "PyTorch", "TF graph", "TF tape", "JAX")
PARTIALS = {  # of x, w, b, u, v
    "toy graph": (2, 3, 1, 1, 1),
    "twin": (12, 18, 15, 6, 3),
    "gate shut": (0, 0, 0, 0, 0),
    "at the corner": (0, 0, 0, 0, 0),
}


@pytest.fixture(scope="session")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> nbformat.NotebookNode:
    return executed("12_twins", tmp_path_factory.mktemp("lesson"))


@pytest.fixture(scope="session")
def texts(lesson: nbformat.NotebookNode) -> dict[str, str]:
    return said(lesson)


def test_the_lesson_is_quiet_and_every_cell_for_the_twins_ran(
    lesson: nbformat.NotebookNode, texts: dict[str, str]
) -> None:
    outputs_are_fit_to_read(lesson)
    assert texts["imports"] == ""
    for cell in lesson.cells:
        if "if twins:" in cell.source and "print(" in cell.source:
            assert texts[cell["id"]], cell["id"]


def test_the_same_five_numbers_from_everybody(texts: dict[str, str]) -> None:
    found, graph = {}, ""
    for line in texts["same-run"].splitlines():
        if not line.startswith(" "):
            graph = line
        else:
            system, *partials = line.split("d_a_")
            found[graph, system.strip()] = tuple(float(partial.split()[1]) for partial in partials)
    assert found == {(graph, system): PARTIALS[graph] for graph in PARTIALS for system in SYSTEMS}


def test_a_vector_output_is_summed_or_refused(texts: dict[str, str]) -> None:
    assert texts["vector-pytorch"].startswith("PyTorch:  RuntimeError: grad can be implicitly created only for scalar")
    assert texts["vector-twins"].splitlines() == [
        "TF graph: [-3.0, 7.0, -3.0]",
        "TF tape:  [-3.0, 7.0, -3.0]",
        "JAX:      TypeError: Gradient only defined for scalar-output functions. Output had shape: (2,).",
    ]
    assert texts["vector-rows"].count("[1.0, 2.0, 3.0]") == 3
    assert "PyTorch, tuple of scalars: [-3.0, 7.0, -3.0]" in texts["vector-borders-run"]
    assert texts["vector-borders-run"].count("TypeError: Gradient only defined for scalar-output") == 2
    assert texts["vector-drift"].splitlines() == [
        "4 samples, the port's step:      [0.25, 0.3125]",
        "4 samples, the original's step:  [1.0, 1.25]",
        "8 samples, the port's step:      [0.25, 0.3125]",
        "8 samples, the original's step:  [2.0, 2.5]",
    ]


def test_an_unused_input(texts: dict[str, str]) -> None:
    lines = [line.strip() for line in texts["unused-run"].splitlines()]
    assert lines[0].startswith("PyTorch:  RuntimeError")
    assert lines[1:] == [
        "allow_unused:      (None,)",
        "materialize_grads: (tensor(0.),)",
        "TF tape:  None",
        "unconnected_gradients: 0.0",
        "TF graph: [None]",
        "JAX:      0.0",
    ]


def test_what_a_second_question_gets(texts: dict[str, str]) -> None:
    found = dict(line.split(": ", 1) for line in texts["twice-run"].splitlines())
    refused = {name for name, answer in found.items() if "Error" in answer}
    assert refused == {"PyTorch, square, second", "TF tape, sum, second"}
    assert found["TF persistent, square, second"].strip() == "6.0"
    assert found["JAX vjp, square, weight 10"].strip() == "60.0"


def test_corners_stops_and_leaks(texts: dict[str, str]) -> None:
    assert texts["corners-run"].splitlines() == [
        "PyTorch     {'relu': 0.0, 'maximum': 0.5, 'clip': 1.0, 'abs': 0.0}",
        "TensorFlow  {'relu': 0.0, 'maximum': 1.0, 'clip': 1.0, 'abs': 0.0}",
        "JAX         {'relu': 0.0, 'maximum': 0.5, 'clip': 0.5, 'abs': 1.0}",
    ]
    assert texts["stop-run"].count(": 3.0") == 5
    assert texts["stop-run"].endswith("nudged: 6.0\n")
    assert [line.split(":")[1].strip() for line in texts["stop-slip"].splitlines()] == [
        *["3.0"] * 3, *["ConcretizationTypeError"] * 3,
    ]  # fmt: skip


def test_old_listings_and_what_a_tape_hears(texts: dict[str, str]) -> None:
    assert texts["graph-removed"] == "AttributeError: module 'tensorflow' has no attribute 'placeholder'\n"
    assert texts["graph-built"].startswith('Tensor("mul')
    assert texts["graph-claims"].startswith("RuntimeError: tf.gradients is not supported when eager execution is")
    assert texts["tape-run"].splitlines() == ["a is 51.0", "x None", "w 18.0", "b 15.0", "u 6.0", "v 3.0"]
    assert texts["jax-traced"].count("u is") == 3
    assert texts["mistake-none-run"] == "TensorFlow: None\n"
    assert texts["mistake-if-run"].splitlines() == [
        "PyTorch:  -1.0",
        "TF graph: OperatorNotAllowedInGraphError",
        "JAX:      -1.0",
        "JAX jit:  TracerBoolConversionError",
    ]


def test_what_was_recorded_is_what_the_systems_answer(texts: dict[str, str]) -> None:
    record = tomllib.loads(three_systems.TASK_RECORD.read_text(encoding="utf-8"))
    assert record["versions"] == three_systems.versions()
    assert record["answers"] == three_systems.columns(), "make twins RECORD=1 records them anew"


def test_what_the_lesson_shows_without_the_extra_is_what_it_shows_with_it(texts: dict[str, str]) -> None:
    record = tomllib.loads(three_systems.LESSON_RECORD.read_text(encoding="utf-8"))
    assert record["versions"] == three_systems.versions()
    numbers = {system: {graph: list(PARTIALS[graph]) for graph in PARTIALS} for system in SYSTEMS[2:]}
    assert record["partials"] == numbers
    assert [f"{system:11} {slopes}" for system, slopes in record["corners"].items()] == [
        line for line in texts["corners-run"].splitlines() if not line.startswith("PyTorch")
    ]
    refused = [name for name, answers in record["works"].items() if not all(answers)]
    assert refused == ["TF tape, x + 1"]
    assert record["runs"] == {"JAX": {"plain": 1, "grad": 1, "jit": 1}}
    assert "recorded)" not in texts["same-run"]
