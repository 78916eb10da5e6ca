"""A check names the execution that it judges, and leads with it where the student has written something newer."""

from __future__ import annotations

import os
import textwrap
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from autograder.executions.records import Execution, Record, defines
from autograder.grader.custody import evidence_of_file
from autograder.judging.judge import judge
from tests.depth import proof
from tests.kernel_cells import Kernel
from tests.sandboxes import said, sandbox
from tests.submissions import as_bytes, solution_sources, solved

RIGHT = "def partials(x, w, b):\n    g = float(x * w + b > 0)\n    return dict(x=g * w, w=g * x, b=g, u=g, v=g)\n"
BROKEN = RIGHT.replace("b):", "b)")
CHECK = 'check("partials")'
JUDGED = "the one before it, as run in [2], is judged."


NEW = "from autograder.executions import judged_run\njudged_run._records.clear()\nget_ipython().reset(new_session=True)"
"""Makes a kernel as new, in a tenth of the time that a new one takes."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the notebook's file is."""
    return tmp_path_factory.mktemp("course")


@pytest.fixture(scope="module")
def started(folder: Path) -> Iterator[Kernel]:
    """A kernel of a notebook file."""
    with Kernel(folder, folder / "01.ipynb") as kernel:
        yield kernel


@pytest.fixture
def kernel(started: Kernel, folder: Path) -> Kernel:
    """The kernel as new, the notebook not saved yet, and `check` imported: execution 1."""
    (folder / "01.ipynb").unlink(missing_ok=True)
    started.run(NEW)
    started.run("from autograder import check", "setup")
    return started


def save(folder: Path, source: str, later: float = 1.0) -> None:
    """Save the notebook with this answer, so many seconds from now."""
    cell = nbformat.v4.new_code_cell(source, id="answer")
    path = folder / "01.ipynb"
    path.write_text(nbformat.writes(nbformat.v4.new_notebook(cells=[cell])))
    os.utime(path, (time.time() + later,) * 2)


def test_a_card_names_the_execution_that_it_judges(kernel: Kernel) -> None:
    kernel.run(RIGHT, "answer")
    assert kernel.card(CHECK).startswith("partials: 3 of 3 points, as run in [2] ")
    kernel.run(RIGHT, "answer")
    assert kernel.card(CHECK).startswith("partials: 3 of 3 points, as run in [4] ")
    assert kernel.card(f"{RIGHT}{CHECK}").startswith("partials: 3 of 3 points, as run in [6] ")


def test_a_version_that_does_not_compile_leads_the_card(kernel: Kernel) -> None:
    kernel.run(RIGHT, "answer")
    kernel.run(BROKEN, "answer")
    sentence = f"Your last version of this cell did not run (SyntaxError, line 1); {JUDGED}"
    text, html = kernel.card(CHECK), kernel.card(CHECK, "text/html")
    assert text.startswith(f"{sentence} partials: 3 of 3 points, as run in [2] ")
    assert text.endswith("Run the cell, and then this check again.")
    assert "All checks passed" not in text
    assert html.index(sentence) < html.index("<h3")
    kernel.run(RIGHT, "answer")
    assert kernel.card(CHECK).startswith("partials: 3 of 3 points, as run in [6] ")


@pytest.mark.parametrize("cell", ["answer", None])
def test_without_the_cells_id_its_text_tells_what_it_was_to_define(kernel: Kernel, cell: str | None) -> None:
    kernel.run(RIGHT)
    kernel.run(BROKEN, cell)
    assert kernel.card(CHECK).startswith("Your last version of this cell did not run (SyntaxError, line 1); ")


def test_a_version_that_stopped_before_its_definition(kernel: Kernel) -> None:
    kernel.run(RIGHT, "answer")
    kernel.run(f"# a comment\nmissing\n{RIGHT}", "answer")
    assert kernel.card(CHECK).startswith(f"Your last version of this cell stopped (NameError, line 2); {JUDGED} ")


def test_a_version_that_stopped_after_its_definition_is_the_one_that_is_judged(kernel: Kernel) -> None:
    kernel.run(RIGHT, "answer")
    kernel.run(f"{RIGHT}missing", "answer")
    assert kernel.card(CHECK).startswith("partials: 3 of 3 points, as run in [3] ")


def test_a_version_that_no_longer_defines_the_name(kernel: Kernel) -> None:
    kernel.run(RIGHT, "answer")
    kernel.run(RIGHT.replace("partials", "partial"), "answer")
    lead = f"Your last version of this cell, run in [3], no longer defines `partials`; {JUDGED} "
    assert kernel.card(CHECK).startswith(lead)


def test_functions_that_a_cell_adds_to_a_class_of_another_cell(kernel: Kernel) -> None:
    cells = solution_sources("01_scalar_graphs")
    kernel.run(cells["value_arithmetic"], "class")
    kernel.run(cells["value_functions"], "answer")
    check = 'check("value_functions")'
    assert kernel.card(check).startswith("value_functions: 2 of 2 points, as run in [3] ")
    kernel.run(cells["value_functions"].replace("def log(self)", "def log(self"), "answer")
    assert kernel.card(check).startswith("Your last version of this cell did not run (SyntaxError, line ")


def test_a_helper_that_did_not_run_is_named(kernel: Kernel) -> None:
    kernel.run("def slope(v):\n    return float(v > 0)\n", "helper")
    kernel.run(RIGHT.replace("float(x * w + b > 0)", "slope(x * w + b)"), "answer")
    kernel.run("def slope(v:\n    return 0.0\n", "helper")
    lead = (
        "Your last version of the cell of `slope` did not run (SyntaxError, line 1); the one before it, as run in [2],"
    )
    assert kernel.card(CHECK).startswith(f"{lead} is judged. partials: 3 of 3 points, as run in [3] ")


def test_other_cells_that_fail_are_nobodys_newer_version(kernel: Kernel) -> None:
    kernel.run(RIGHT, "answer")
    kernel.run("partials(1", "scratch")
    kernel.run("1 / 0", "scratch")
    assert kernel.card(CHECK).startswith("partials: 3 of 3 points, as run in [2] ")


def test_what_ran_before_the_import_is_named_as_ipython_knows_it(started: Kernel) -> None:
    started.run(NEW)
    started.run(RIGHT, "answer")
    started.run("from autograder import check")
    assert started.card(CHECK).startswith("partials: 3 of 3 points, as run in [1] ")


def test_a_name_that_is_missing_because_its_cell_did_not_run(kernel: Kernel) -> None:
    kernel.run(BROKEN, "answer")
    assert "The notebook defines no `partials`: its cell did not run (SyntaxError, line 1)." in kernel.card(CHECK)


def test_a_name_that_was_deleted_is_not_missing_for_an_earlier_failure(kernel: Kernel) -> None:
    kernel.run(RIGHT, "answer")
    kernel.run(BROKEN, "answer")
    kernel.run("del partials", "elsewhere")
    assert "its cell" not in kernel.card(CHECK)
    kernel.run(RIGHT + "assert False", "answer")
    kernel.run("del partials", "elsewhere")
    assert "its cell" not in kernel.card(CHECK)


def test_what_the_checks_own_cell_binds_is_that_cells(kernel: Kernel) -> None:
    kernel.run("def made():\n" + textwrap.indent(RIGHT, "    ") + "    return partials", "maker")
    assert "3 of 3 points, as run in [3]" in kernel.card("partials = made(); " + CHECK)


def test_a_decorated_function_has_an_execution_too(kernel: Kernel) -> None:
    kernel.run("import functools\n@functools.lru_cache\n" + RIGHT, "answer")
    assert "3 of 3 points, as run in [2]" in kernel.card(CHECK)
    kernel.run("import functools\n@functools.lru_cache\n" + BROKEN, "answer")
    assert "did not run (SyntaxError, line 3); " + JUDGED in kernel.card(CHECK)


def test_a_version_that_could_not_be_imported_leads_the_card(kernel: Kernel, folder: Path) -> None:
    (folder / "broken_helper.py").write_text("def partials(:\n")
    kernel.run(RIGHT, "answer")
    kernel.run("1\nfrom broken_helper import partials", "elsewhere")
    assert "Your last version of this cell stopped (SyntaxError, line 2); " + JUDGED in kernel.card(CHECK)


def test_a_cell_under_a_magic_that_does_not_compile_did_not_run(kernel: Kernel) -> None:
    kernel.run(RIGHT, "answer")
    kernel.run("%%time\n" + BROKEN, "answer")
    assert "did not run (SyntaxError); " + JUDGED in kernel.card(CHECK)


def test_a_cell_that_was_saved_with_another_text_leads_the_card(kernel: Kernel, folder: Path) -> None:
    save(folder, RIGHT, later=-60)
    kernel.run(RIGHT, "answer")
    save(folder, BROKEN)
    changed = "This cell has changed since it was run; the version that was run, in [2], is judged."
    assert kernel.card(CHECK).startswith(f"{changed} partials: 3 of 3 points, as run in [2] ")
    save(folder, f"{RIGHT}\n")
    assert kernel.card(CHECK).startswith("partials: 3 of 3 points, as run in [2] ")


def test_a_notebook_that_was_saved_before_the_run_says_nothing(kernel: Kernel, folder: Path) -> None:
    kernel.run(RIGHT, "answer")
    save(folder, BROKEN, later=-60)
    assert kernel.card(CHECK).startswith("partials: 3 of 3 points")


def test_a_dead_weak_reference_among_the_names_is_no_definition() -> None:
    names = {"gone": weakref.proxy(Execution(1))}
    record = Record(names)
    record.add(Execution(2))
    assert record.definer("gone", Execution(3)) is None


def test_a_cell_that_binds_the_same_object_again_has_defined_it(kernel: Kernel) -> None:
    kernel.run(RIGHT.replace("partials", "mine"), "other")
    kernel.run("partials = mine", "answer")
    kernel.run("partials = mine", "answer")
    assert kernel.card(CHECK).startswith("partials: 3 of 3 points, as run in [4] ")


def test_in_vs_code_the_cell_is_known_by_what_it_defines(kernel: Kernel, folder: Path) -> None:
    """VS Code names the file among the notebook's names, and gives cells ids that the file does not hold."""
    kernel.run(f"__vsc_ipynb_file__ = {str(folder / '01.ipynb')!r}")
    kernel.run(RIGHT, "vscode-notebook-cell:/01.ipynb#W0")
    save(folder, BROKEN)
    assert kernel.card(CHECK).startswith("This cell has changed since it was run; ")


@proof
def test_where_nbgrader_runs_a_notebook_from_clean_the_card_is_that_of_grading(tmp_path: Path) -> None:
    switches = {"NBGRADER_EXECUTION": "autograde", "AUTOGRADER_IN_KERNEL": "1"}
    with Kernel(tmp_path, **switches) as kernel:
        kernel.run("from autograder import check")
        kernel.run(RIGHT)
        assert kernel.card(CHECK).startswith("partials: 3 of 3 points [passed]")


def test_in_a_sandbox_which_sees_nothing_of_this_the_names_are_there() -> None:
    with sandbox() as process:
        assert said(process, "from autograder import check, draw, hint\nprint(check.__name__)") == "check\n"


def test_at_the_other_doors_the_same_is_said_of_a_cell_that_did_not_run(tmp_path: Path) -> None:
    path = tmp_path / "01_scalar_graphs.ipynb"
    path.write_bytes(as_bytes(solved("01_scalar_graphs", partials=BROKEN)))
    verdict = judge().verdicts(["partials"], evidence_of_file(path))["partials"]
    assert verdict.reason == "The notebook defines no `partials`: its cell did not run (SyntaxError, line 1)."


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (RIGHT, True),
        (BROKEN, True),
        ("async def partials(): pass", True),
        ("class partials: pass", True),
        ("partials = lambda x: x", True),
        ("partials: object = 3", True),
        ("partials == 3", False),
        ("partials(3.0, 2.0, 1.0)", False),
        ("gx = partials(3.0, 2.0, 1.0)['x']", False),
        ("first, (partials, *rest) = 1, (2, 3)", True),
        ("def partials_twin(): pass", False),
        ("class A:\n    def partials(self): pass", False),
        ("'''\ndef partials(): pass\n'''", False),
        ("%%time\ndef partials(): pass", True),
        (None, False),
    ],
)
def test_which_texts_are_to_define_a_name(source: str | None, expected: bool) -> None:
    assert defines(source, "partials") is expected
