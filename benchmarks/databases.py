"""`python -m benchmarks.databases [SIZE]`: a class graded with SQLite and with PostgreSQL on one machine.

Two times are measured: the whole command, and recording alone, where the same class is graded again from its stored
answers and each transaction is timed. Both databases commit to the disk.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from autograder.classroom.recording import Recorded, Recorder
from benchmarks.classes import new_class
from benchmarks.usage import used_by
from tests.class_runs import EXERCISE, run_class
from tests.course import rows
from tests.postgresql import PostgreSQL


def main(size: int) -> None:
    """Measure both databases, check that their rows are equal, print a table."""
    server = PostgreSQL(durable=True)
    try:
        server.start()
        os.environ["PGPASSFILE"] = str(server.passwords)
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            sqlite = measured(Path(folder) / "sqlite", size)
            os.environ["COURSE_DB_URL"] = server.create("gradebook")
            postgresql = measured(Path(folder) / "postgresql", size)
    finally:
        server.close()
    assert sqlite[0] == postgresql[0], "the rows differ"
    print(f"| class of {size} | SQLite | PostgreSQL |\n|---|---|---|")
    for what, one, other in zip(
        ("`autograder grade`, start included", "recording alone, from stored answers"),
        sqlite[1:],
        postgresql[1:],
        strict=True,
    ):
        print(f"| {what} | {size / one:.1f} submissions/s | {size / other:.1f} submissions/s |")


def measured(course: Path, size: int) -> tuple[dict[str, list[tuple[Any, ...]]], float, float]:
    """Return the gradebook's rows, and the seconds of the whole command and of writing alone."""
    new_class(course, EXERCISE, size)
    whole = used_by(["autograder", "grade", EXERCISE], course).wall
    shutil.rmtree(course / "gradebook" / "results")
    with timed_recording() as seconds:
        assert len(run_class(course)) == size
    return rows(course, EXERCISE), whole, sum(seconds)


@contextmanager
def timed_recording() -> Iterator[list[float]]:
    """Collect the seconds of each transaction inside the `with` block."""
    seconds, record = list[float](), Recorder.record

    def timed(*arguments: Any) -> list[Recorded]:
        start = time.monotonic()
        try:
            return record(*arguments)
        finally:
            seconds.append(time.monotonic() - start)

    with mock.patch.object(Recorder, "record", timed):
        yield seconds


if __name__ == "__main__":
    main(*map(int, sys.argv[1:] or ["100"]))
