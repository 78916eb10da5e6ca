"""The formgrader, in a real Jupyter server: its button grades, its tables show the scores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.course import nbgrader, new_course
from tests.jupyter_server import Server
from tests.sample_class import EXERCISE
from tests.submissions import as_bytes, solved


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server on a course with one submission."""
    course = new_course(tmp_path / "course")
    nbgrader(course, "generate_assignment", EXERCISE, "--force")
    folder = course / "gradebook" / "submitted" / "student-01" / EXERCISE
    folder.mkdir(parents=True)
    wrong = "def partials(x, w, b):\n    return dict(x=x, w=w, b=1, u=1, v=1)\n"
    (folder / f"{EXERCISE}.ipynb").write_bytes(as_bytes(solved(EXERCISE, partials=wrong)))
    with Server(course) as server:
        yield server


def test_the_button_grades_and_the_table_shows_the_score(server: Server) -> None:
    done = server.ask(f"formgrader/api/submission/{EXERCISE}/student-01/autograde", method="POST")
    assert done["success"], done
    (row,) = server.ask(f"formgrader/api/submissions/{EXERCISE}")
    assert row["student"] == "student-01"
    assert row["autograded"]
    assert (row["score"], row["max_score"]) == (27, 30)
    assert not [name for name in server.modules() if name.startswith("libtorch")], "torch is in the server"
