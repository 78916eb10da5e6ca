"""`python -m benchmarks.own_assignment`: an assignment made for nbgrader, graded by stock nbgrader and by this project.

It is ps1 of `nbgrader quickstart`: two notebooks, four cells with asserts, written answers. The section of
docs/benchmarks.md and the figures in benchmarks/results.json are written anew.
"""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat

from benchmarks.usage import Usage, used_by
from tests.submissions import COURSE

ASSIGNMENT = "ps1"
LINES = "\nfrom autograder.nbgrader_plugin.configuration import configure\nconfigure(c)\n"
STOCK, PLAIN, SIZES = 6, 20, (60, 300)
GOAL = "8 times"
HEADING = "## An assignment made for nbgrader"
SECTION = """{heading}: ps1 of `nbgrader quickstart`

Two notebooks a submission, which solve it, with a course's two lines of configuration
(`python -m benchmarks.own_assignment`).

| what | a submission | ratio | goal | memory |
|---|---|---|---|---|
"""
PAGE, RESULTS = COURSE / "docs" / "benchmarks.md", COURSE / "benchmarks" / "results.json"


def measured() -> dict[str, Any]:
    """Grade it in each way."""
    autograde, grade = ["nbgrader", "autograde", ASSIGNMENT], [sys.executable, "-m", "autograder.command_line", "grade"]
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        stock = used_by(autograde, quickstart(Path(folder, "stock"), STOCK, ours=False))
        plain = used_by(autograde, quickstart(Path(folder, "plain"), PLAIN))
        classes = {str(size): used_by(grade, quickstart(Path(folder, f"class-{size}"), size)) for size in SIZES}
    found = {"stock": _with(stock, STOCK), "plain": _with(plain, PLAIN)}
    return found | {"class": {size: _with(usage, int(size)) for size, usage in classes.items()}}


def _with(usage: Usage, size: int) -> dict[str, Any]:
    return dataclasses.asdict(usage) | {"size": size}


def quickstart(folder: Path, size: int, ours: bool = True) -> Path:
    """Make the course of `nbgrader quickstart` with a class that hands in the instructor's own answers."""
    subprocess.run(["nbgrader", "quickstart", folder.name], cwd=folder.parent, check=True, capture_output=True)
    if ours:
        with (folder / "nbgrader_config.py").open("a") as config:
            config.write(LINES)
    solved = {}
    for path in (folder / "source" / ASSIGNMENT).glob("*.ipynb"):
        notebook = nbformat.read(path, as_version=4)
        notebook.metadata.kernelspec.name = "python3"  # a kernel that is installed
        nbformat.write(notebook, path)
        solved[path.name] = notebook
    command = ["nbgrader", "generate_assignment", ASSIGNMENT]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    for number in range(size):
        place = folder / "submitted" / f"student-{number:04}" / ASSIGNMENT
        place.mkdir(parents=True)
        for name, notebook in solved.items():
            notebook.cells[-1].source += f"\n# {number}" if notebook.cells[-1].cell_type == "code" else ""
            nbformat.write(notebook, place / name)
    return folder


def section(found: dict[str, Any]) -> str:
    """Return the page's section."""
    stock = found["stock"]["wall"] / found["stock"]["size"]
    rows = [("stock `nbgrader autograde`", found["stock"], "")]
    rows += [("plain `nbgrader autograde` with this configuration, start included", found["plain"], "")]
    for size, usage in found["class"].items():
        goal = GOAL if size == str(SIZES[0]) else ""
        rows += [(f"`autograder grade`, class of {size}, start included", usage, goal)]
    lines = [SECTION.format(heading=HEADING)]
    for what, usage, goal in rows:
        each = usage["wall"] / usage["size"]
        ratio = "1" if usage is found["stock"] else f"{stock / each:.1f} times faster"
        lines += [f"| {what} | {each * 1000:.0f} ms | {ratio} | {goal} | {usage['memory'] >> 20} MiB |\n"]
    return "".join(lines)


def main() -> None:
    """Measure, and write the section and the figures."""
    found = measured()
    results = json.loads(RESULTS.read_text()) | {"own_assignment": found}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    others = re.sub(rf"(?ms)^{re.escape(HEADING)}.*?(?=^## |\Z)", "", PAGE.read_text()).rstrip("\n")
    PAGE.write_text(f"{others}\n\n{section(found)}")
    print(section(found))


if __name__ == "__main__":
    main()
