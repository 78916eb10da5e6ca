"""Fixtures that several test modules share, how property tests draw, and what a failing run ends with.

They draw the same examples every time; with `--hypothesis-profile=fuzz`, many others.
"""

from __future__ import annotations

import functools
import gc
import os
import shlex
import sys
import warnings
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from autograder.surroundings import GRADING

os.environ.setdefault("AUTOGRADER_RECORD", "off")  # what tests do is nobody's learning
os.environ.setdefault("AUTOGRADER_COURSE_FILE", "")  # an instructor's choice among the tasks, all of which are tested
os.environ["PATH"] = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))  # as in make test

settings.register_profile("suite", derandomize=True, deadline=None)
settings.register_profile(
    "fuzz", derandomize=False, deadline=None, max_examples=3_000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("suite")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without searching for garbage: hardly any is made, and each search looks at millions of objects.

    What there is then stays out of later searches too: one took most of a second of CPU, which a limit on time in the
    code under test then counted as its own.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_xdist_auto_num_workers() -> int:
    """Use more workers than processors, since many tests wait: for a limit of time, a browser, a server."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None]:
    """After the names of what failed: how to run one of them again."""
    yield
    failed = [report.nodeid for kind in ("failed", "error") for report in terminalreporter.stats.get(kind, ())]
    if failed:
        again = f"OMP_NUM_THREADS=1 .venv/bin/python -m pytest {shlex.quote(failed[0])}"
        terminalreporter.write_line(f"{len(failed)} failed, by name above. The first of them again:\n    {again}")


@pytest.fixture(scope="session", autouse=True)
def _one_alembic() -> None:
    """Ask for the version of nbgrader's tables once, because each time a process imports for 1.5 s."""
    from nbgrader import api  # here, because collection needs none of it

    api.get_alembic_version = functools.cache(api.get_alembic_version)


@pytest.fixture(scope="session", autouse=True)
def _once_a_run(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Name the folder that all workers of this run share, for what is made once."""
    own = tmp_path_factory.getbasetemp()
    os.environ["ONCE_A_RUN"] = str(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture(scope="module", autouse=True)
def _nothing_is_graded() -> Iterator[None]:
    """No file's tests leave word that something is being graded, which the next file's kernels would read."""
    yield
    assert not [name for name in GRADING if name in os.environ]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium; a module at a time, for Playwright's event loop is in every other test's way while it runs."""
    from tests.browser import chromium  # here, for it skips whoever imports it where Playwright is missing

    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with a class that has handed in and is not graded."""
    from tests.class_runs import class_that_handed_in, copy_of  # here, for few tests want it
    from tests.course import made_once

    return copy_of(made_once("handed_in", class_that_handed_in), tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, graded by a class run."""
    from tests.class_runs import copy_of, graded_class
    from tests.course import made_once

    return copy_of(made_once("graded", graded_class), tmp_path_factory.mktemp("graded"))


@pytest.fixture
def course(graded: Path, tmp_path: Path) -> Path:
    """A graded course of one's own."""
    from tests.class_runs import copy_of

    return copy_of(graded, tmp_path)


@pytest.fixture(scope="module")
def new_gradebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gradebook's file with one submission that is not graded."""
    from nbgrader.api import Gradebook

    path = tmp_path_factory.mktemp("new") / "gradebook.db"
    with warnings.catch_warnings(), Gradebook(f"sqlite:///{path}") as gradebook:
        warnings.simplefilter("ignore")  # nbgrader's own, of the order in which it adds rows
        gradebook.add_assignment("01")
        gradebook.add_notebook("f", "01")
        gradebook.add_solution_cell("f", "f", "01")
        gradebook.add_solution_cell("essay", "f", "01")
        gradebook.add_grade_cell("check_f", "f", "01", max_score=3, cell_type="code")
        gradebook.add_grade_cell("essay", "f", "01", max_score=3, cell_type="markdown")
        gradebook.add_task_cell("drawing", "f", "01", max_score=3, cell_type="markdown")
        gradebook.add_student("student-01")
        gradebook.add_submission("01", "student-01")
    return path
