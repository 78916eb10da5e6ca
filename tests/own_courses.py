"""An assignment made for nbgrader, graded by stock nbgrader and by this project: which of its rows differ.

A course's folder is as `nbgrader quickstart` makes it: `source/ASSIGNMENT/NOTEBOOK.ipynb`, perhaps a configuration.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import MappingProxyType
from typing import Any

import nbformat
import nbgrader

from tests.own_class import EVERYONE, submissions
from tests.row_differences import Comparison, compared, rows

PLAIN = "c = get_config()\n"
PATIENT = "\nc.Execute.timeout, c.Grade.cell_seconds, c.Grade.notebook_seconds = 120, 120.0, 1200.0\n"
"""Both stop a cell after 30 s, which a machine with much to do does not always take for the same one."""
TWO_LINES = "\nfrom autograder.nbgrader_plugin.configuration import configure\nconfigure(c)\n"
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
ERROR = re.compile(r"(?:\w+Error|refuses this notebook): (.+)$", re.MULTILINE)
NBGRADERS_OWN = Path(nbgrader.__file__).parent / "docs" / "source" / "user_guide"


def run(course: Path, *command: str) -> subprocess.CompletedProcess:
    """Run a command in a course's folder."""
    return subprocess.run(command, cwd=course, capture_output=True, text=True, env=dict(os.environ))


def copied(source: Path, assignment: str, course: Path, configuration: str) -> Path:
    """A course with one of the assignments of another's `source/`, for the kernel that is installed everywhere."""
    shutil.copytree(source / assignment, course / "source" / assignment)
    for path in filter(Path.is_file, source.iterdir()):
        shutil.copy(path, course / "source")
    for path in (course / "source").rglob("*.ipynb"):
        content = json.loads(path.read_text(encoding="utf-8"))
        content["metadata"]["kernelspec"] = KERNEL
        path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    own = source.parent / "nbgrader_config.py"
    beginning = own.read_text() if own.exists() else PLAIN
    (course / "nbgrader_config.py").write_text(beginning + PATIENT + configuration)
    autotests = [folder / "autotests.yml" for folder in (source.parent, NBGRADERS_OWN)]
    shutil.copy(next(filter(Path.exists, autotests)), course)
    return course


def is_old(source: Path) -> bool:
    """Tell whether nbgrader's metadata has an earlier form than today's, which `nbgrader update` changes."""
    about = [
        cell["metadata"]["nbgrader"]
        for path in source.rglob("*.ipynb")
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
        if "nbgrader" in cell["metadata"]
    ]
    return any(one.get("schema_version", 0) < 3 for one in about)


def released(course: Path, assignment: str) -> list[tuple[str, list[tuple[str, str, Any]]]]:
    """The cells of the notebooks that students get."""
    found = []
    for path in sorted((course / "release" / assignment).glob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        found.append((path.stem, [(cell.cell_type, cell.source, cell.metadata.get("nbgrader")) for cell in cells]))
    return found


def compare(
    source: Path,
    assignment: str,
    folder: Path,
    students: tuple[str, ...] = EVERYONE,
    *,
    meant: Mapping[str, str] = MappingProxyType({}),
    by_nbgrader: bool = False,
) -> Comparison:
    """Generate an assignment twice, grade the same class twice, and compare the rows.

    Args:
        source: a course's `source/`.
        assignment: one of its folders.
        folder: where the two courses are made.
        students: some of `EVERYONE`, the honest one among them.
        meant: reasons for differences in cells that are made for them, by grade_id.
        by_nbgrader: whether `nbgrader autograde` grades this project's course once more, with the same rows.
    """
    stock = copied(source, assignment, folder / "stock", "")
    ours = copied(source, assignment, folder / "ours", TWO_LINES)
    with ThreadPoolExecutor() as both:
        failed = list(both.map(lambda course: _generate(course, assignment), (stock, ours)))
    assert failed[0] == failed[1]
    if failed[0]:
        return Comparison(failed[0])
    release = released(stock, assignment)
    assert released(ours, assignment) == release
    for student, name, content in submissions(stock / "source" / assignment, stock / "release" / assignment, students):
        for course in (stock, ours):
            path = course / "submitted" / student / assignment / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    if by_nbgrader:
        shutil.copytree(ours, folder / "third")
    with ThreadPoolExecutor() as both:
        grading = both.submit(run, stock, "nbgrader", "autograde", assignment)  # it fails if one submission does
        _grade(ours, sys.executable, "-m", "autograder.command_line", "grade", assignment)
        grading.result()
    if by_nbgrader:
        _grade(folder / "third", "nbgrader", "autograde", assignment)
        assert rows(folder / "third", assignment) == rows(ours, assignment)
    return compared(rows(stock, assignment), rows(ours, assignment), release[0][0], meant)


def _generate(course: Path, assignment: str) -> str:
    """Make the release; return why that failed, if it did."""
    if is_old(course / "source"):
        run(course, "nbgrader", "update", "source")
    made = run(course, "nbgrader", "generate_assignment", assignment)
    return _reason(made.stderr) if made.returncode else ""


def _grade(course: Path, *command: str) -> None:
    done = run(course, *command)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def _reason(text: str) -> str:
    """Return the exception that made nbgrader give up, of which it tells in a traceback, and this project in a line."""
    found: list[str] = ERROR.findall(text)
    return found[-1] if found else text[-300:]
