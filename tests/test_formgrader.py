"""The formgrader, in a real Jupyter server: its button grades, its tables show the scores."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.course import hand_in, hand_out, new_course, start_grading, wait_for_results
from tests.depth import proof
from tests.jupyter_server import Server
from tests.sample_class import EXERCISE
from tests.submissions import as_bytes, solved

WRONG = "def partials(x, w, b):\n    return dict(x=x, w=w, b=1, u=1, v=1)\n"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server on a course with one submission."""
    course = new_course(tmp_path / "course")
    hand_out(course)
    hand_in(course, "student-01", EXERCISE, as_bytes(solved(EXERCISE, partials=WRONG)))
    with Server(course) as server:
        yield server


@proof
def test_the_button_grades_and_the_table_shows_the_score(server: Server) -> None:
    done = server.ask(f"formgrader/api/submission/{EXERCISE}/student-01/autograde", method="POST")
    assert done["success"], done
    (row,) = server.ask(f"formgrader/api/submissions/{EXERCISE}")
    assert row["student"] == "student-01"
    assert row["autograded"]
    assert (row["score"], row["max_score"]) == (27, 30)
    assert not [name for name in server.modules() if name.startswith("libtorch")], "torch is in the server"


@proof
def test_the_button_waits_for_a_lock_that_another_program_holds(server: Server) -> None:
    with (
        sqlite3.connect(server.course / "gradebook" / "gradebook.db", check_same_thread=False) as other,
        ThreadPoolExecutor(1) as later,
    ):
        other.execute("BEGIN IMMEDIATE")
        later.submit(lambda: (time.sleep(7), other.rollback()))
        done = server.ask(f"formgrader/api/submission/{EXERCISE}/student-01/autograde", method="POST")
    assert done["success"], done


@proof
def test_the_button_and_the_tables_work_while_a_class_is_graded(server: Server) -> None:
    button = f"formgrader/api/submission/{EXERCISE}/student-01/autograde"
    server.ask(button, method="POST")  # its grader is warm then, and the next time it is done before the class is
    for number in range(2, 42):
        one = solved(EXERCISE, partials=f"{WRONG}# {number}\n")
        hand_in(server.course, f"student-{number:02}", EXERCISE, as_bytes(one))
    with start_grading(server.course, EXERCISE) as run:
        # The first in the class is through by then: two programs that write one student's rows at a time, nbgrader
        # cannot bear.
        wait_for_results(server.course, 4, run)
        done = server.ask(button, method="POST")
        still_running = run.poll() is None
        server.ask(f"formgrader/api/submissions/{EXERCISE}")
        said, _ = run.communicate(timeout=300)
    assert done["success"], done
    assert run.returncode == 0, said
    assert still_running
    rows = server.ask(f"formgrader/api/submissions/{EXERCISE}")
    assert [(row["student"], row["score"]) for row in rows] == [(f"student-{n:02}", 27) for n in range(1, 42)]


TIMES = {"words": b"the day before yesterday", "bytes": b"\xff\xfe", "far": b"9999-12-31 23:59:59 UTC", "empty": b""}


def test_a_time_that_is_none_leaves_the_table_of_the_others(server: Server) -> None:
    for student, raw in TIMES.items():
        (hand_in(server.course, student, EXERCISE, b"{}") / "timestamp.txt").write_bytes(raw)
    (hand_in(server.course, "link", EXERCISE, b"{}") / "timestamp.txt").symlink_to("/dev/zero")
    (hand_in(server.course, "time", EXERCISE, b"{}") / "timestamp.txt").write_text("2026-01-02 10:00:00 UTC")
    rows = server.ask(f"formgrader/api/submissions/{EXERCISE}")
    assert {row["student"]: row["timestamp"] for row in rows} == dict.fromkeys((*TIMES, "link", "student-01")) | {
        "time": "2026-01-02T10:00:00"
    }
