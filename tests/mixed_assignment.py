"""An assignment that has one of everything nbgrader knows: hidden tests, partial credit, data, a module, stderr."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tests.own_assignment import KERNEL, marked

MIXED, FIRST, SECOND = "mixed", "an analysis (1)", "two words"
CHANGES_DATA = "test_changes_data"
DATA = "data/my points.csv"
FILES = {
    DATA: "2\n3\n",
    "rubric.py": "def part(function):\n    return 0.5 * (function([2]) == 2) + 0.5 * (function([1, 2]) == 1.5)\n",
}
MEAN = """
def mean(numbers):
    ### BEGIN SOLUTION
    return sum(numbers) / len(numbers)
    ### END SOLUTION
"""
SAVE = """
from pathlib import Path

def save(path, into):
    ### BEGIN SOLUTION
    numbers = [int(line) for line in Path(path).read_text().split()]
    Path(into).write_text(str(mean(numbers)))
    ### END SOLUTION
"""
TEST_SAVE = f"""
save("{DATA}", "mean.txt")
assert Path("mean.txt").read_text() == "2.5"
### BEGIN HIDDEN TESTS
Path("more.csv").write_text("4\\n8")
save("more.csv", "mean.txt")
assert Path("mean.txt").read_text() == "6.0", "the second file"
### END HIDDEN TESTS
"""
TASK = """
Draw it on paper.

=== BEGIN MARK SCHEME ===
neat: 3
=== END MARK SCHEME ===
"""
COUNT = """
def count(text):
    ### BEGIN SOLUTION
    return len(text.split())
    ### END SOLUTION
"""
TEST_CASE = """
import unittest

case = unittest.TestCase()
case.assertEqual(count("a b"), 2)
with case.assertRaises(AttributeError):
    count(3)
"""


def answer(name: str, source: str) -> NotebookNode:
    """A cell that students write in."""
    return marked(new_code_cell(source.strip()), name, solution=True)


def graded(name: str, points: float, source: str) -> NotebookNode:
    """A cell that nbgrader grades by running it."""
    return marked(new_code_cell(source.strip()), name, points, grade=True, locked=True)


def first() -> list[NotebookNode]:
    """Files, partial credit, stderr, and all that a person grades."""
    return [
        answer("mean", MEAN),
        graded("test_mean", 2, "assert mean([1, 2]) == 1.5\nassert mean([4]) == 4"),
        graded("test_part", 3, "import rubric\n3 * rubric.part(mean)"),
        answer("save", SAVE),
        graded("test_save", 2.5, TEST_SAVE),
        graded(CHANGES_DATA, 1, f"save('{DATA}', '{DATA}')"),
        graded("test_hidden", 1, "### BEGIN HIDDEN TESTS\nassert mean([-1, 1]) == 0\n### END HIDDEN TESTS"),
        graded("test_stderr", 1, "import sys\nprint('a remark', file=sys.stderr)"),
        graded("test_warning", 1, "import warnings\nwarnings.warn('careful')\nassert mean([1]) == 1"),
        marked(new_markdown_cell("What is a mean?"), "essay", 4, grade=True, solution=True),
        marked(new_code_cell("# Plot it."), "plot", 2, grade=True, solution=True),
        marked(new_markdown_cell(TASK), "paper", 3, task=True, locked=True),
    ]


def second() -> list[NotebookNode]:
    """What a test may end with, print and show."""
    return [
        answer("count", COUNT),
        graded("test_case", 2, TEST_CASE),
        graded("test_word", 1, "'done' if count('a') == 1 else 0"),
        graded("test_negative", 1, "-count('a b')"),
        graded("test_none", 1, "None"),
        graded(
            "test_shown", 1, "from IPython.display import display\ndisplay(0)\nprint(count(''))\nassert count('') == 0"
        ),
        graded("test_loud", 1, "print('line\\n' * 5000)\nassert count('a b c') == 3"),
        graded("test_magic", 1, "%matplotlib inline\n!echo said\nassert count(' ') == 0"),
        graded("test_worthless", 0, "assert count('a') == 1"),
    ]


def write_mixed(source: Path, *notebooks: str) -> Path:
    """Put it, or some of its notebooks, into a course's `source/`."""
    for name, content in FILES.items():
        path = source / MIXED / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    for name, cells in ((FIRST, first()), (SECOND, second())):
        if name in (notebooks or (FIRST, SECOND)):
            cells = [new_markdown_cell(f"# {name}"), *cells]
            nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": KERNEL}), source / MIXED / f"{name}.ipynb")
    return source
