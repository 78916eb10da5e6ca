"""Whether an assignment can be graded at all: its kernel, and whether its asserts pass on its own solution."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory

from autograder.gradebook_access.known_cells import KnownCells
from autograder.gradebook_access.repairs import repair
from autograder.notebooks.asserted_cells import asks_for_a_check, is_asserted
from autograder.notebooks.reading import PYTHON, UnreadableNotebookError, read_submission
from autograder.standings.number_text import number
from autograder.tasks.folders import exercise_folder
from autograder.visible_text import visible

OTHERS = re.compile(r"(ir|julia|bash|octave|matlab|sas|scala|almond|javascript|deno|xcpp|xc|rust|evcxr|gophernotes)\b")
"""How the names of well-known kernels for other languages begin."""


def other_kernel(assignment: str, notebook: str, kernelspec: Mapping[str, Any]) -> str:
    """Say that a notebook is not for Python; empty if it is, or if its kernel is unknown.

    Args:
        assignment, notebook: their names.
        kernelspec: nbgrader's record of the kernel.
    """
    language, name = (str(kernelspec.get(key) or "").lower() for key in ("language", "name"))
    if language in PYTHON or (not language and not OTHERS.match(name)):
        return ""
    said = f"{assignment}/{notebook} is written for {language or name}, and only Python notebooks are graded here"
    return visible(said, kept="")


def solution(course: CourseDirectory, assignment: str, notebook: str, known: KnownCells) -> NotebookNode | None:
    """Return the instructor's own notebook with the released tests; None without one, or if it asserts nothing."""
    folder = exercise_folder(notebook)
    tasks = folder.tasks if folder is not None else ()
    cells = [
        {"cell_type": kind, "metadata": {"nbgrader": metadata}, "source": text}
        for metadata, kind, text in known.values()
    ]
    if not any(is_asserted(cell, tasks) and not asks_for_a_check(cell, cells, tasks) for cell in cells):
        return None
    path = Path(course.format_path(course.source_directory, ".", assignment), f"{notebook}.ipynb")
    try:
        found = read_submission(path.read_bytes())
    except (OSError, UnreadableNotebookError):
        return None  # it is elsewhere, as on a machine that only grades
    repair(found, known)
    return found


def unsolved(assignment: str, notebook: str, verdicts: Iterable[Mapping[str, Any]]) -> list[str]:
    """Say which cells with asserts an assignment's own solution does not pass, a sentence each."""
    return [
        f"{assignment}/{notebook}: its own solution earns {number(one['points'])} of {number(one['maximum'])} in "
        f"{one['cell']} ({one['reason'].rstrip('.')}): mend the assignment before you trust these points, and run "
        f"`nbgrader generate_assignment {assignment} --force`"
        for one in verdicts
        if one.get("cell") and one["points"] < one["maximum"]
    ]
