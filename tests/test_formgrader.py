"""The formgrader, in a real Jupyter server: its button grades, its tables show the scores."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.course import nbgrader, new_course
from tests.sample_class import EXERCISE
from tests.submissions import as_bytes, solved

TOKEN = "for-this-test"


class Server:
    """A Jupyter server in a course's folder."""

    def __init__(self, course: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        options = [f"--port={self.port}", "--no-browser", "--allow-root", f"--IdentityProvider.token={TOKEN}"]
        self.process = subprocess.Popen(
            ["jupyter", "lab", *options],
            cwd=course,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ,
        )

    def ask(self, path: str, method: str = "GET") -> object:
        """JSON from a path below the server's root."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/{path}", method=method, headers={"Authorization": f"token {TOKEN}"}
        )
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    def wait(self) -> None:
        """Until it answers."""
        for _ in range(120):
            try:
                self.ask("api/status")
                return
            except OSError:
                time.sleep(0.5)
        raise TimeoutError("the Jupyter server does not start")

    def modules(self) -> set[str]:
        """Shared libraries in the server's memory, by file name."""
        maps = Path(f"/proc/{self.process.pid}/maps").read_text()
        return {line.rsplit("/", 1)[-1] for line in maps.splitlines() if "/" in line}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server on a course with one submission."""
    course = new_course(tmp_path / "course")
    nbgrader(course, "generate_assignment", EXERCISE, "--force")
    folder = course / "gradebook" / "submitted" / "student-01" / EXERCISE
    folder.mkdir(parents=True)
    wrong = "def partials(x, w, b):\n    return dict(x=x, w=w, b=1, u=1, v=1)\n"
    (folder / f"{EXERCISE}.ipynb").write_bytes(as_bytes(solved(EXERCISE, partials=wrong)))
    server = Server(course)
    try:
        server.wait()
        yield server
    finally:
        server.process.terminate()
        server.process.wait(30)


def test_the_button_grades_and_the_table_shows_the_score(server: Server) -> None:
    done = server.ask(f"formgrader/api/submission/{EXERCISE}/student-01/autograde", method="POST")
    assert done["success"], done
    (row,) = server.ask(f"formgrader/api/submissions/{EXERCISE}")
    assert row["student"] == "student-01"
    assert row["autograded"]
    assert (row["score"], row["max_score"]) == (27, 30)
    assert not [name for name in server.modules() if name.startswith("libtorch")], "torch is in the server"
