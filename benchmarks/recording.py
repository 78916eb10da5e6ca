"""`python -m benchmarks.recording [SIZE]`: how many submissions a second one coordinator prepares and records.

One submission is graded for real; then a class is graded with that result in the place of all work, so that the time
is the coordinator's alone: reading, repairing and packing each notebook, writing the graded copy, the rows and the
record. Through Dask the jobs and results cross the network too. Both databases commit to the disk.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from autograder.classroom.course import Course
from autograder.classroom.executors import Backend
from autograder.classroom.run import ClassRun
from autograder.classroom.run_options import RunOptions
from benchmarks.classes import new_class
from benchmarks.replaying import Keeping, Replaying, ReplayingCluster
from tests.class_runs import EXERCISE, inside
from tests.dask_cluster import DaskCluster
from tests.postgresql import PostgreSQL
from tests.submissions import COURSE

WAYS = ("SQLite", "PostgreSQL", "SQLite, through Dask")


def main(size: int) -> None:
    """Measure all ways, and print a table."""
    print("| gradebook | submissions a second | CPU time of the coordinator, a submission |\n|---|---|---|")
    for way, (wall, cpu) in measured(size).items():
        print(f"| {way} | {1 / wall:.0f} | {cpu * 1000:.1f} ms |")


def measured(size: int) -> dict[str, tuple[float, float]]:
    """Return for each way the wall and CPU seconds of a submission in a class of `size`."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, servers(Path(folder)) as (database, cluster):
        result = Path(folder) / "result"
        course = new_class(Path(folder) / "one", EXERCISE, 1)
        seconds(course, 1, Keeping(result))
        backends: dict[str, Backend] = dict.fromkeys(WAYS, Replaying(result))
        backends[WAYS[2]] = ReplayingCluster(cluster.address, result)
        found = {}
        for way, backend in backends.items():
            with _environment("COURSE_DB_URL", database if way == "PostgreSQL" else None):
                found[way] = seconds(new_class(Path(folder) / way, EXERCISE, size), size, backend)
        return found


def seconds(folder: Path, size: int, backend: Backend) -> tuple[float, float]:
    """Return the wall and CPU seconds of a submission in one run over a class."""
    with inside(folder), contextlib.redirect_stdout(io.StringIO()):
        run = ClassRun(Course(), RunOptions(), backend)
        wall, cpu = time.monotonic(), time.process_time()
        done = list(run.grade(EXERCISE, print))
        spent = (time.monotonic() - wall) / size, (time.process_time() - cpu) / size
    assert [one.state for one in done] == ["graded"] * size, done[0].reason
    return spent


@contextlib.contextmanager
def servers(folder: Path) -> Iterator[tuple[str, DaskCluster]]:
    """A PostgreSQL database, and a Dask cluster with one worker."""
    (folder / "machines").mkdir()
    server = PostgreSQL(durable=True)
    try:
        server.start()
        with (
            _environment("PGPASSFILE", str(server.passwords)),
            _environment("PYTHONPATH", str(COURSE)),  # for the Dask worker
            DaskCluster(folder / "machines") as cluster,
        ):
            cluster.add_worker()
            cluster.wait_for_workers(1)
            yield server.create("gradebook"), cluster
    finally:
        server.close()


@contextlib.contextmanager
def _environment(name: str, value: str | None) -> Iterator[None]:
    before = os.environ.pop(name, None)
    try:
        if value is not None:
            os.environ[name] = value
        yield
    finally:
        os.environ.pop(name, None)
        if before is not None:
            os.environ[name] = before


if __name__ == "__main__":
    main(*map(int, sys.argv[1:] or ["300"]))
