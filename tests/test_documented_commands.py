"""The documents' shell commands, line by line as they stand there: on a fresh clone, a fresh gradebook, a small class.

A changed or new command is run as it is. What cannot be run is listed with its reason; the list may only shrink.
"""

from __future__ import annotations

import os
import pty
import re
import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest
from nbgrader.api import Gradebook

from tests.course import hand_in
from tests.depth import proof
from tests.documented_commands import commands
from tests.submissions import COURSE, as_bytes, remarked, solved

DOCUMENTS = ("README.md", "docs/instructors.md", "docs/class_grading.md", "docs/exports.md")
INSTALLS = "installs over a network; every run of the tests stands on what it installs"
SERVER = "a server that runs until it is stopped: tests/test_workspace_in_a_browser.py, tests/test_jupyterlab.py"
WINDOWS = "Windows"
OF_THE_TESTS = "is the tests themselves, or takes hours"
OFFLINE = "downloads gigabytes"
USERS = "needs users of the machine's own: tests/test_two_graders.py"
CLUSTER = "needs a cluster's machines: tests/test_cluster.py"
NAME = "names a command that takes an exercise, and is run where it has one"
NOT_RUN = {
    "make setup": INSTALLS,
    "make setup && . .venv/bin/activate": INSTALLS,
    "export PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu": INSTALLS,
    "make lab": SERVER,
    "make lab OPTIONS=--ip=0.0.0.0": SERVER,
    "make teach": SERVER,
    "autograder watch": "runs until it is stopped: tests/test_desk.py",
    "py -3.11 -m venv .venv": WINDOWS,
    r".venv\Scripts\python -m pip install -r requirements.txt": WINDOWS,
    r".venv\Scripts\autograder lab": WINDOWS,
    "make test": OF_THE_TESTS,
    "make proof": OF_THE_TESTS,
    "make exhaustive": OF_THE_TESTS,
    "make test TASK=attach_savers": OF_THE_TESTS,
    "make fuzz": OF_THE_TESTS,
    "make soak": OF_THE_TESTS,
    "make upgrade": OFFLINE,
    "make twins": OFFLINE,
    "make site": "takes minutes: tests/site",
    "make checks-table": "takes an hour",
    "make bench": "takes an hour",
    "nbgrader zip_collect": NAME,
    "nbgrader autograde": NAME,
    "nbgrader generate_assignment": NAME,
    "nbgrader release_assignment": NAME,
    "autograder similarity": NAME,
    "autograder gradescope": NAME,
    "autograder gradescope 01_scalar_graphs --submission FOLDER --results FILE": "tests/test_gradescope.py",
    "sudo groupadd graders": USERS,
    "sudo usermod -aG graders ada && sudo usermod -aG graders ben": USERS,
    "chgrp -R graders gradebook && chmod -R g+rwX,o-rwx gradebook": USERS,
    "pip download -c constraints.txt -r requirements.txt setuptools wheel -d wheels": OFFLINE,
    ".venv/bin/pip install --no-index --find-links wheels -r requirements.txt": OFFLINE,
    "python3 -m venv .venv": INSTALLS,
    "pip install -c constraints.txt -e '.[cluster]'": INSTALLS,
    "dask scheduler": CLUSTER,
    "dask worker tcp://10.0.0.1:8786 --nworkers=-1 --nthreads 1": CLUSTER,
    "autograder grade 01_scalar_graphs --scheduler tcp://10.0.0.1:8786": CLUSTER,
}
MOST_NOT_RUN = 38
STATUS = {
    "pytest exercises/01_scalar_graphs/01_scalar_graphs.ipynb": 1,  # nothing is solved there yet
    'autograder grade --undo 3 --reason "The old check was right."': 2,  # nothing was rejudged there
}
"""Exit statuses other than 0."""
NOT_THE_READERS = ("COURSE_", "NBGRADER_", "MAKE", "MFLAGS", "EXERCISE", "TASK")
"""Variables of whoever runs the tests, by how they begin; `make proof` sets some of them to nothing."""
TYPED = {"autograder forget student-07": "student-07\n"}
"""What the reader types when asked."""
ROSTER = """Student,ID,SIS Login ID,Section,01_scalar_graphs (11)
    Points Possible,,,,30
"Doe, Ann",101,student-01,One,
"Roe, Ben",107,student-07,One,
"""
STUDENTS = ("student-01", "student-05", "student-07")
BY_MAIL = "student-05"
"""Hands nothing in through the exchange."""


def test_what_is_not_run_is_there_and_does_not_grow() -> None:
    documented = {command for name in DOCUMENTS for command in commands(COURSE / name)}
    assert not set(NOT_RUN) - documented
    assert len(NOT_RUN) <= MOST_NOT_RUN
    assert len(documented - set(NOT_RUN)) > 30


def fresh_clone(folder: Path) -> Path:
    """What `git clone` gives, with the changes that are not committed yet, and an environment that is installed."""
    clone = folder / "course"
    subprocess.run(["git", "clone", "--quiet", str(COURSE), str(clone)], check=True)
    listed = ["git", "ls-files", "--modified", "--others", "--exclude-standard"]
    for name in subprocess.run(listed, cwd=COURSE, check=True, capture_output=True, text=True).stdout.splitlines():
        if (COURSE / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            (clone / name).write_bytes((COURSE / name).read_bytes())
    (clone / ".venv").mkdir()
    for entry in (COURSE / ".venv").iterdir():
        (clone / ".venv" / entry.name).symlink_to(entry)
    (clone / ".venv" / "installed").unlink()
    (clone / ".venv" / "installed").write_text(str(clone.resolve()))  # or make takes it for one that was moved
    for name in ("requirements.txt", "constraints.txt", "pyproject.toml"):
        os.utime(clone / name, (0, 0))  # older than what was installed from them
    return clone


def changed(clone: Path) -> str:
    """What git sees of changes in files that it keeps; `git pull` would stop at them."""
    command = ["git", "status", "--porcelain", "--untracked-files=no"]
    return subprocess.run(command, cwd=clone, check=True, capture_output=True, text=True).stdout


def work(student: str, exercise: str) -> bytes:
    """A student's notebook; two share code that nobody else has."""
    return as_bytes(remarked(solved(exercise), student))


def prepare(clone: Path, command: str) -> None:
    """Do what others do before a command: students hand in, a platform exports."""
    verb = " ".join(command.split()[:2])
    found = re.search(r"\d\d_\w+", command)
    exercise = found[0] if found else "01_scalar_graphs"
    submitted = list((clone / "gradebook" / "submitted").glob(f"*/{exercise}"))
    if verb == "nbgrader collect":
        for student in STUDENTS:
            if student == BY_MAIL:
                hand_in(clone, student, exercise, work(student, exercise))
                continue
            inbound = clone / "gradebook" / "exchange" / "gradients" / "inbound"
            folder = inbound / f"{student}+{exercise}+2026-01-02 10:00:00 UTC+x"
            folder.mkdir()  # release_assignment made the folder that it lies in
            (folder / f"{exercise}.ipynb").write_bytes(work(student, exercise))
            (folder / "timestamp.txt").write_text("2026-01-02 10:00:00 UTC")
            (folder / "submission_secret.txt").write_text(f"secret of {student}")
    elif command.startswith("nbgrader db student import"):
        (clone / "gradebook").mkdir(exist_ok=True)
        (clone / "gradebook" / "students.csv").write_text("\n".join(("id,group", *(f"{one}," for one in STUDENTS))))
    elif verb == "nbgrader zip_collect":
        archive = clone / "gradebook" / "downloaded" / exercise / "archive"
        archive.mkdir(parents=True, exist_ok=True)
        with ZipFile(archive / "all.zip", "w") as file:
            file.writestr(f"student-09_{exercise}.ipynb", work("student-09", exercise))
    elif verb == "autograder grade" and found and not submitted:
        for student in STUDENTS:
            hand_in(clone, student, exercise, work(student, exercise))
    elif "--Canvas.roster" in command:
        (clone / "exported.csv").write_text(ROSTER)


def typed_into(command: str, clone: Path, environment: dict[str, str]) -> subprocess.CompletedProcess:
    """Run a command in a terminal, or without one where nothing is typed."""
    options = {"cwd": clone, "env": environment, "capture_output": True, "text": True, "timeout": 900}
    ours, theirs = pty.openpty()
    try:
        os.write(ours, TYPED.get(command, "").encode())
        stdin = theirs if command in TYPED else subprocess.DEVNULL
        return subprocess.run(["bash", "-c", command], stdin=stdin, **options)
    finally:
        os.close(ours)
        os.close(theirs)


@proof
@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_command_does_what_it_says(document: str, tmp_path: Path) -> None:
    clone, said = fresh_clone(tmp_path), dict[str, str]()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(NOT_THE_READERS)}
    environment |= {"HOME": str(tmp_path), "PATH": f"{clone}/.venv/bin:{environment['PATH']}"}
    wanted = [command for command in commands(COURSE / document) if command not in NOT_RUN]
    if document == "docs/exports.md":  # "a class that was graded here"
        wanted.insert(0, "autograder grade 01_scalar_graphs")
    before = changed(clone)
    for command in wanted:
        prepare(clone, command)
        done = typed_into(command, clone, environment)
        said[command] = done.stdout + done.stderr
        assert done.returncode == STATUS.get(command, 0), f"{document}: {command}\n{said[command][-3000:]}"
        assert "Traceback" not in said[command], f"{document}: {command}\n{said[command][-3000:]}"
    graded = next(text for command, text in said.items() if re.match(r"autograder grade \d\d", command))
    assert "3 graded" in graded
    assert "failed" not in graded.replace("0 failed", "")
    assert changed(clone) == before
    CHECKS.get(document, lambda clone, said: None)(clone, said)


def _readme(clone: Path, said: dict[str, str]) -> None:
    assert "student-07" in said["autograder scores 01_scalar_graphs"]
    assert len(list((clone / "gradebook" / "feedback").glob("*/*/*.html"))) == 3
    assert (clone / "gradebook" / "grades.csv").read_text().count("01_scalar_graphs,") == 3


def _instructors(clone: Path, said: dict[str, str]) -> None:
    released = next(text for command, text in said.items() if "release_feedback" in command)
    assert f"did not hand in through the exchange: {BY_MAIL}." in released
    assert len(list(clone.glob("gradebook/exchange/gradients/feedback/*.html"))) == 2
    assert (clone / "gradebook" / "submitted" / "student-09" / "02_grad" / "02_grad.ipynb").exists()
    assert not (clone / "gradebook" / "submitted" / "student-07").exists()


def _class_grading(clone: Path, said: dict[str, str]) -> None:
    with Gradebook(f"sqlite:///{clone}/gradebook/gradebook.db") as gradebook:
        assert gradebook.find_assignment("01_scalar_graphs").duedate.year == 2026
        assert {student.id for student in gradebook.students} == {"student-01", BY_MAIL}
    assert (clone / "scores.csv").exists()


def _exports(clone: Path, said: dict[str, str]) -> None:
    assert "student-07" in (clone / "gradebook" / "canvas.csv").read_text()
    assert (clone / "gradescope-01_scalar_graphs.zip").exists()
    assert len(list(clone.glob("gradebook/gradescope/*/*/results.json"))) == 3


CHECKS = {
    "README.md": _readme,
    "docs/instructors.md": _instructors,
    "docs/class_grading.md": _class_grading,
    "docs/exports.md": _exports,
}
