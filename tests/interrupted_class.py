"""`python -m tests.interrupted_class [SIZE] [KILLS]`: a class killed again and again ends as one that was not.

The command is killed with all that it started at random moments and started again until it ends by itself; then
gradebook, graded notebooks and results are compared with those of an uninterrupted run. A thousand submissions
take some minutes, so this is no part of `make test`, where a small class is killed twice.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from tests.course import autograded, hand_in, nbgrader, new_course, results, rows, start_grading
from tests.submissions import as_bytes, released, remarked, solved

EXERCISE = "01_scalar_graphs"
KINDS = (
    lambda: solved(EXERCISE),
    lambda: solved(
        EXERCISE, partials="def partials(x, w, b):\n    return {'x': x, 'w': w, 'b': 1.0, 'u': 1.0, 'v': 1.0}"
    ),
    lambda: released(EXERCISE),
    lambda: solved(EXERCISE, path_sum="import os\nos._exit(3)"),
)
SECONDS = (3.0, 40.0)


def new_class(folder: Path, size: int) -> Path:
    """A course in which so many have handed in."""
    course = new_course(folder)
    nbgrader(course, "generate_assignment", EXERCISE, "--force")
    for number in range(size):
        notebook = remarked(KINDS[number % len(KINDS)](), number)
        hand_in(course, f"student-{number:04}", EXERCISE, as_bytes(notebook))
    return course


def main(size: int, kills: int) -> None:
    """Grade twice, compare, say so."""
    with tempfile.TemporaryDirectory() as folder:
        whole = new_class(Path(folder) / "whole", size)
        killed = Path(folder) / "killed"
        begun = time.monotonic()
        first = start_grading(whole, EXERCISE)
        said, _ = first.communicate()
        assert first.returncode == 0, said
        print(f"uninterrupted: {size} in {time.monotonic() - begun:.0f} s")
        shutil.copytree(
            whole, killed, ignore=shutil.ignore_patterns("autograded", "answers", "results", "gradebook.db*")
        )
        nbgrader(killed, "generate_assignment", EXERCISE, "--force")
        source = random.Random(size)
        for number in range(kills):
            process = start_grading(killed, EXERCISE)
            time.sleep(source.uniform(*SECONDS))
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            print(f"kill {number + 1}: {len(results(killed))} of {size} are written")
        last = start_grading(killed, EXERCISE)
        said, _ = last.communicate()
        assert last.returncode == 0, said
        print(next(line for line in said.splitlines() if "submissions in" in line))
        compare(whole, killed)
        print(f"killed {kills} times: gradebook, notebooks and results of all {size} are the same")


def compare(one: Path, other: Path) -> None:
    """Fail where two courses differ in what was graded."""
    scores = rows(one, EXERCISE)
    assert rows(other, EXERCISE) == scores
    for student in scores:
        assert autograded(one, student, EXERCISE) == autograded(other, student, EXERCISE), student
    assert [path.relative_to(one) for path in results(one)] == [path.relative_to(other) for path in results(other)]


if __name__ == "__main__":
    main(*(int(word) for word in (*sys.argv[1:], *("1000", "10")[len(sys.argv) - 1 :])))
