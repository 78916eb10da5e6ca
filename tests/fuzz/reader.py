"""A file that was handed in: read, repaired, sanitised. Any bytes."""

from __future__ import annotations

import functools
import json
import random
import warnings

import nbformat

from autograder.gradebook_access.known_cells import KnownCells
from autograder.gradebook_access.repairs import repair
from autograder.notebooks.reading import UnreadableNotebookError, read_submission
from autograder.sanitising.inert_notebook import sanitise
from tests.fuzz.json_mutations import mutate
from tests.submissions import released

EXERCISE = "01_scalar_graphs"
LONGEST = 16_384
DIGEST = "0" * 32


@functools.cache
def known() -> KnownCells:
    """What the gradebook knows of the exercise, as `known_cells` makes it."""
    cells = [cell for cell in released(EXERCISE).cells if "nbgrader" in cell.metadata]
    return {
        cell.metadata.nbgrader.grade_id: (
            dict(cell.metadata.nbgrader) | {"checksum": DIGEST},
            cell.cell_type,
            cell.source,
        )
        for cell in cells
    }


def check(data: bytes) -> None:
    """Unreadable with a reason; or a notebook that can be repaired, sanitised, validated and written.

    Raises:
        AssertionError: where it is neither; any other exception is a find, too.
    """
    try:
        notebook, reason = read_submission(data), ""
    except UnreadableNotebookError as error:
        notebook, reason = None, str(error)
    if notebook is None:
        assert reason.endswith("."), "the reason is no sentence"
        assert len(reason) < 300, "the reason is as long as the student wishes"
        return
    _is_valid(notebook)
    repair(notebook, known())
    _has_each_cell_once(notebook)
    assert not repair(notebook, known()), "repaired twice"
    sanitise(notebook, lambda _: False)
    _is_valid(notebook)
    assert notebook.metadata["language_info"] == {"name": "python"}, "the student chooses the lexer"
    assert "kernelspec" not in notebook.metadata, "the student chooses the kernel"
    assert nbformat.reads(nbformat.writes(notebook), as_version=4) == notebook, "written and read, it is another"


def _is_valid(notebook: nbformat.NotebookNode) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a missing or doubled id is a warning
        nbformat.validate(notebook)
    json.dumps(notebook, ensure_ascii=False, indent=1).encode("utf-8")


def _has_each_cell_once(notebook: nbformat.NotebookNode) -> None:
    claimed = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
    ids = [cell.metadata["nbgrader"]["grade_id"] for cell in claimed]
    graded = {grade_id for grade_id, (metadata, _, _) in known().items() if metadata["grade"]}
    assert len(ids) == len(set(ids)), "a cell twice"
    assert graded <= set(ids) <= set(known()), "a graded cell is missing, or a foreign one is left"
    for cell in claimed:
        metadata, kind, source = known()[cell.metadata["nbgrader"]["grade_id"]]
        assert dict(cell.metadata["nbgrader"]) == metadata, "not the gradebook's metadata"
        assert cell.cell_type == kind, "not the gradebook's type"
        assert not metadata["locked"] or cell.source == source, "a locked cell with another source"


def mutated(data: bytes, chance: random.Random) -> bytes | None:
    """A notebook changed as JSON; None where it is none."""
    try:
        return json.dumps(mutate(json.loads(data), chance)).encode()
    except (ValueError, RecursionError):
        return None


def seeds() -> dict[str, bytes]:
    """Small notebooks of every shape that the repository has."""
    from tests.hostile.notebooks import FILES

    small = {}
    exercise = released(EXERCISE)
    graded = [cell for cell in exercise.cells if "nbgrader" in cell.metadata][:4]
    for number, cell in enumerate(exercise.cells[:6]):
        small[f"cell-{number}"] = _with(exercise, [cell])
    small["graded"] = _with(exercise, graded)
    small["doubled"] = _with(exercise, graded + graded)
    small["format-3"] = json.dumps(
        {
            "nbformat": 3,
            "nbformat_minor": 0,
            "metadata": {"name": "x"},
            "worksheets": [
                {
                    "metadata": {},
                    "cells": [
                        {"cell_type": "code", "input": "1", "language": "python", "outputs": [], "prompt_number": 1},
                        {"cell_type": "heading", "level": 2, "source": "x", "metadata": {}},
                        {"cell_type": "markdown", "source": ["x"], "metadata": {}},
                    ],
                }
            ],
        }
    ).encode()
    for one in FILES:
        if one.name not in ("ten_thousand_cells", "a_thousand_cells_that_print", "a_hundred_megabytes"):
            small[one.name] = _small(one.make())
    return small


def _with(notebook: nbformat.NotebookNode, cells: list) -> bytes:
    return json.dumps(notebook | {"cells": cells}).encode()


def _small(data: bytes) -> bytes:
    """The strange part of a hostile file: its cells that the exercise does not have, and six of the others."""
    if len(data) <= LONGEST:
        return data
    try:
        notebook = json.loads(data)
    except (ValueError, RecursionError):
        return data[: LONGEST // 8]
    own = {json.dumps(cell["source"]) for cell in json.loads(nbformat.writes(released(EXERCISE)))["cells"]}
    strange = [c for c in notebook["cells"] if not isinstance(c, dict) or json.dumps(c.get("source")) not in own]
    rest = [cell for cell in notebook["cells"] if cell not in strange]
    return json.dumps(notebook | {"cells": strange[:12] + rest[:4]}).encode()[: 2 * LONGEST]
