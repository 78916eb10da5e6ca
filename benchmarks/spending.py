"""`python -m benchmarks.spending [EXERCISE]`: what the CPU time of one submission is spent on, from file to record.

A class of solved notebooks is graded twice in one process, and each part of the second run is timed. Linux does not
report what a process used that is killed with its PID namespace, so sandboxes are those of tier b, which has no
namespaces and is otherwise the same.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from autograder.classroom import run, worker
from autograder.classroom.course import Course
from autograder.classroom.finishing import Finisher
from autograder.classroom.job import Job, JobResult
from autograder.classroom.recording import Recorder
from autograder.classroom.run import ClassRun
from autograder.classroom.run_options import RunOptions
from autograder.grader.sandbox_process import SandboxProcess
from autograder.grader.supervision import close_all, supervisor
from benchmarks.classes import new_class
from benchmarks.sandbox_start import cpu_seconds
from tests.class_runs import Here, inside

SIZE = 40
EXERCISE = "01_scalar_graphs"
CELLS, EMPTY = "sandbox: student's cells and answers", "sandbox: fork, start and end"
PARTS = {
    "coordinator: read and repair": [(run, "prepare")],
    "coordinator: plan and pack": [(ClassRun, "_plan"), (Job, "pack"), (JobResult, "unpack")],
    "coordinator: files": [(Finisher, "_written"), (Finisher, "_keep")],
    "coordinator: rows": [(Recorder, "record")],
    "worker: ask the sandbox": [(worker.NotebookRun, "custody")],
    "worker: judge": [(worker, "conclude")],
    "worker: graded copy": [(worker, "graded_copy")],
    "worker: pack": [(worker, "pack_answers"), (Job, "unpack"), (JobResult, "pack")],
}
"""The functions whose time makes a part; a part does not count what it calls of another."""


def spending(exercise: str = EXERCISE) -> dict[str, float]:
    """Return the CPU seconds of one submission of an exercise by what they are spent on."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as folder,
        mock.patch.dict(os.environ, AUTOGRADER_SANDBOX_TIER="b"),
    ):
        course = new_class(Path(folder), exercise, SIZE)
        _graded(course, exercise)
        gc.freeze()  # as in a worker: a collection would look at every imported object
        with _timed() as used:
            before = cpu_seconds(supervisor().pid)
            _graded(course, exercise)
            sandbox = cpu_seconds(supervisor().pid) - before
        empty = _empty_sandboxes()
        close_all()
    parts = {name: used[name] / SIZE for name in PARTS}
    return {CELLS: sandbox / SIZE - empty, EMPTY: empty} | parts


def _graded(course: Path, exercise: str) -> None:
    with inside(course):
        done = list(ClassRun(Course(), RunOptions(force=True), Here).grade(exercise, print))
    assert [one.state for one in done] == ["graded"] * SIZE, done[0].reason


def _empty_sandboxes() -> float:
    """Return the CPU seconds of a sandbox in which nothing is run."""
    before = cpu_seconds(supervisor().pid)
    for _ in range(SIZE):
        with SandboxProcess() as process:
            process.request({"op": "run", "source": ""}, seconds=60)
    return (cpu_seconds(supervisor().pid) - before) / SIZE


@contextmanager
def _timed() -> Iterator[Counter[str]]:
    """Count the CPU seconds of this process by part inside the `with` block."""
    used, inner = Counter[str](), [0.0]

    def timed(part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            inner.append(0.0)
            start = time.process_time()
            try:
                return function(*arguments, **named)
            finally:
                spent = time.process_time() - start
                used[part] += spent - inner.pop()
                inner[-1] += spent

        return call

    with ExitStack() as patches:
        for part, functions in PARTS.items():
            for owner, name in functions:
                function = timed(part, getattr(owner, name))
                kind = staticmethod(function) if isinstance(vars(owner).get(name), staticmethod) else function
                patches.enter_context(mock.patch.object(owner, name, kind))
        yield used


if __name__ == "__main__":
    found = spending(*sys.argv[1:])
    for part, seconds in found.items():
        print(f"{seconds * 1000:6.1f} ms  {part}")
    print(f"{sum(found.values()) * 1000:6.1f} ms  in all")
