"""A worker's last part: the notebook as nbgrader's conversion would write it, and its scores.

The configured steps of `nbgrader autograde` run here one after the other on one notebook in memory. Those that read
it, run it or write rows are left out: the coordinator reads, repairs and records, and a worker has run it.
"""

from __future__ import annotations

import json
from typing import Any

import nbformat
from nbconvert.preprocessors import ExecutePreprocessor
from nbformat import NotebookNode
from nbgrader.converters import Autograde
from nbgrader.preprocessors import (
    AssignLatePenalties,
    ClearOutput,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
)
from traitlets.config import Config
from traitlets.utils.importstring import import_item

from autograder.classroom.cell_scores import CellScores
from autograder.classroom.errors import CourseError
from autograder.gradebook_access.penalties import QUIET
from autograder.grader.fingerprint import identity, unreadable
from autograder.nbgrader_plugin.execution import Grade
from autograder.nbgrader_plugin.repair import Repair
from autograder.nbgrader_plugin.ungraded_cells import LeaveUngraded
from autograder.notebooks.notes import KEY
from autograder.standings.handed_in import digest

GRADE = f"{Grade.__module__}.{Grade.__qualname__}"
DONE_ELSEWHERE = (
    ClearOutput,
    OverwriteKernelspec,
    OverwriteCells,
    Repair,
    Grade,
    LeaveUngraded,
    AssignLatePenalties,
)


def steps_of(config: Config) -> dict[str, Any]:
    """Return the configured steps of autograding and their settings, as data that a job carries.

    Raises:
        CourseError: if students' code would run outside the sandbox, a step cannot be imported, or a setting is no
            data, but a class, say.
    """
    converter = Autograde(config=config)
    named = [*converter.sanitize_preprocessors, *converter.autograde_preprocessors]
    taken = [step if isinstance(step, str) else f"{step.__module__}.{step.__qualname__}" for step in named]
    if GRADE not in taken or any(issubclass(_step(name), ExecutePreprocessor) for name in taken):
        raise CourseError(
            "nbgrader_config.py does not use the sandbox, because c.Autograde.autograde_preprocessors has other steps: "
            "put `configure(c)` of docs/own_assignments.md at its end"
        )
    names = [name for at, name in enumerate(taken) if name not in taken[at + 1 :]]  # the file between is not written
    kinds = {ancestor.__name__ for name in names for ancestor in _step(name).mro()}
    settings = {section: dict(config[section]) for section in config if section in kinds}
    for section, of in settings.items():
        for key, value in of.items():
            try:
                json.dumps(value)
            except (TypeError, ValueError):
                raise CourseError(
                    f"c.{section}.{key} cannot be sent to workers: give it as text, numbers or lists of them"
                ) from None
    return {"steps": names, "settings": settings}


def _step(name: str) -> type:
    try:
        step: type = import_item(name)
        return step
    except ImportError:
        raise CourseError(
            f"workers cannot import the step {name}: put it into a module on Python's path and name it 'module.Step'"
        ) from None


def graded_copy(notebook: NotebookNode, steps: dict[str, Any], names: dict[str, str]) -> tuple[bytes, CellScores]:
    """Take the steps that concern the notebook alone, and read its scores where nbgrader would save them.

    Args:
        notebook: repaired, with the outputs of its run; it is changed.
        steps: as `steps_of` returns them.
        names: of the student, the assignment and the notebook.

    Returns:
        The notebook's file, and the scores.
    """
    config, scores = Config(steps["settings"]), None
    resources: Any = {"nbgrader": names}
    for kind in map(import_item, steps["steps"]):
        if issubclass(kind, SaveAutoGrades):
            scores = _scores(notebook)
        elif not issubclass(kind, DONE_ELSEWHERE):
            notebook, resources = kind(config=config, log=QUIET)(notebook, resources)
    return file_of(notebook), scores or _scores(notebook)


def _scores(notebook: NotebookNode) -> CellScores:
    """Return the scores, and note in the notebook what later runs compare: the code and the answers."""
    scores, about = CellScores.of(notebook), notebook.metadata.setdefault(KEY, {})
    about["answers"], about["graded"] = scores.answers, digest(identity(notebook.cells, unreadable(notebook)))
    return scores


def file_of(notebook: NotebookNode) -> bytes:
    """Return a notebook as the bytes of its file."""
    text: str = nbformat.v4.writes(notebook)
    return f"{text}\n".encode()
