"""Two assistants, each a system user of their own, share a gradebook as docs/instructors.md says; nobody else looks in.

Real users are made and removed, so this needs root.
"""

from __future__ import annotations

import os
import re
import secrets
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.course import hand_in, new_course, rows
from tests.depth import proof
from tests.submissions import COURSE, as_bytes, released, remarked

pytestmark = [
    proof,
    pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("useradd"), reason="making users needs root and useradd"),
]
EXERCISE = "01_scalar_graphs"
GRADING = (f"autograder grade {EXERCISE}", f"nbgrader autograde {EXERCISE}")
MARK = secrets.token_hex(3)
GROUP, ADA, BEN, EVE = (f"{name}-{MARK}" for name in ("graders", "ada", "ben", "eve"))


def documented() -> list[str]:
    """The commands that give the gradebook to the group, as the document has them."""
    text = (COURSE / "docs" / "instructors.md").read_text().partition("## Two assistants")[2].partition("\n## ")[0]
    lines = re.findall(r"^    (.+)$", text, re.MULTILINE)
    assert lines[0].startswith("sudo groupadd")
    assert lines[1].startswith("sudo usermod")
    return [line.replace("graders", GROUP) for line in lines[2:]]


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder that everybody reaches, and the users."""
    place = Path(tempfile.mkdtemp(prefix="two-graders-"))
    place.chmod(0o755)
    try:
        subprocess.run(["groupadd", GROUP], check=True)
        for user in (ADA, BEN, EVE):
            groups = ["-G", GROUP] if user != EVE else []
            subprocess.run(["useradd", "-d", str(place / user), "-m", "-s", "/bin/bash", *groups, user], check=True)
        yield place
    finally:
        for user in (ADA, BEN, EVE):
            subprocess.run(["userdel", user], check=False)
        subprocess.run(["groupdel", GROUP], check=False)
        shutil.rmtree(place, ignore_errors=True)


def closed_to_others(path: Path) -> Path | None:
    """The first folder on the way to a path that only its owner may pass, as root's own is."""
    return next((one for one in reversed(path.parents) if not one.stat().st_mode & 0o001), None)


def opened_ways() -> str:
    """Shell commands that let others pass to Python and to this course, for one process alone: in mounts of its own."""
    lines = []
    for path in {Path(sys.base_prefix).resolve(), COURSE}:
        if closed := closed_to_others(path):
            kept = shlex.quote(f"/run/kept-{MARK}-{len(lines)}")
            lines += [
                f"mkdir -p {kept} && mount --bind {shlex.quote(str(path))} {kept}",
                f"mount -t tmpfs -o mode=755 none {shlex.quote(str(closed))}",
                f"mkdir -p {shlex.quote(str(path))} && mount --bind {kept} {shlex.quote(str(path))}",
            ]
    return " && ".join(["mount -t tmpfs -o mode=755 none /run", *lines])


def as_user(user: str, course: Path, command: str) -> subprocess.CompletedProcess:
    """Run a shell command as somebody, in the course's folder."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    own = f"umask 022; cd {course}; export HOME={course.parent / user} PATH={shlex.quote(path)}; {command}"
    asked = f"runuser -u {user} -- bash -c {shlex.quote(own)}"
    return subprocess.run(
        ["unshare", "--mount", "bash", "-c", f"{opened_ways()} && {asked}"], capture_output=True, text=True, timeout=300
    )


def done(user: str, course: Path, command: str) -> str:
    """The same for what must succeed; what it says."""
    ended = as_user(user, course, command)
    said = ended.stdout + ended.stderr
    assert ended.returncode == 0, f"{user}: {command}\n{said[-3000:]}"
    assert "Traceback" not in said
    return said


@pytest.fixture(scope="module")
def course(place: Path) -> Path:
    """A course of Ada's, shared as the document says."""
    course = new_course(place / "course")
    subprocess.run(["chown", "-R", f"{ADA}:{ADA}", str(course)], check=True)
    for line in documented():
        done(ADA, course, line)
    return course


def submit(course: Path, student: str, user: str) -> None:
    """Put a submission there as one of them would."""
    folder = hand_in(course, student, EXERCISE, as_bytes(remarked(released(EXERCISE), student)))
    for path in (folder.parent.parent, folder.parent, folder, *folder.iterdir()):
        shutil.chown(path, user, GROUP)
        path.chmod(0o664 if path.is_file() else 0o2775)


@pytest.mark.parametrize("released_before", [False, True])
def test_both_release_and_collect(course: Path, released_before: bool) -> None:
    page = (COURSE / "docs" / "jupyterhub.md").read_text().partition("### Several instructors")[2].partition("\n##")[0]
    exchange = course.parent / f"exchange-{released_before}"
    exchange.mkdir()
    shutil.chown(exchange, ADA, ADA)
    exchange.chmod(0o1777)
    told = f"export NBGRADER_EXCHANGE={exchange}"
    share, *repair = re.findall(
        r"^    (.+)$", page.replace("graders", GROUP).replace("/srv/exchange", str(exchange)), re.MULTILINE
    )
    if released_before:
        done(ADA, course, f"{told}; nbgrader release_assignment {EXERCISE}")
        subprocess.run(["bash", "-ec", "\n".join([share, *repair])], check=True)
    else:
        subprocess.run(["bash", "-ec", share], check=True)
        done(ADA, course, f"{told}; nbgrader release_assignment {EXERCISE}")
    submission = exchange / "gradients" / "inbound" / f"{EVE}+{EXERCISE}+2026-01-02 10:00:00 UTC+x"
    submission.mkdir()
    (submission / f"{EXERCISE}.ipynb").write_text("{}")
    for path in (submission, *submission.iterdir()):
        shutil.chown(path, EVE, EVE)
    said = done(BEN, course, f"{told}; nbgrader release_assignment {EXERCISE} --force; nbgrader collect {EXERCISE}")
    assert f"Collecting submission: {EVE}" in said
    shutil.rmtree(course / "gradebook" / "submitted" / EVE)


def test_each_goes_on_where_the_other_was(course: Path) -> None:
    gradebook = course / "gradebook"
    submit(course, "student-01", ADA)
    done(ADA, course, f"autograder grade {EXERCISE} --workers 1")
    assert (gradebook / "secret_seed").stat().st_mode & 0o777 == 0o640
    assert (gradebook / "secret_seed").group() == GROUP
    submit(course, "student-02", BEN)
    assert "1 graded, 1 unchanged" in done(BEN, course, f"autograder grade {EXERCISE} --workers 1")
    done(ADA, course, f"autograder grade {EXERCISE} --workers 1 --force")
    done(BEN, course, f"nbgrader autograde {EXERCISE} --force --student student-01")
    for user in (ADA, BEN):
        done(user, course, f"nbgrader generate_feedback {EXERCISE} --force")
        done(user, course, "nbgrader export")
        done(user, course, f"autograder similarity {EXERCISE}")
        done(user, course, "nbgrader export --exporter=autograder.exports.gradescope.Gradescope")
        done(user, course, "nbgrader export --exporter=autograder.exports.moodle.Moodle")
    assert sorted(rows(course, EXERCISE)) == ["student-01", "student-02"]
    done(ADA, course, "autograder forget student-02 --yes")
    done(BEN, course, "autograder forget student-01 --yes")
    for path in gradebook.rglob("*"):
        assert path.is_symlink() or path.group() == GROUP, path
        needed = 0o2070 if path.is_dir() else 0o040 if path.name == "secret_seed" else 0o060
        assert path.stat().st_mode & needed == needed, (path, oct(path.stat().st_mode))


@pytest.mark.parametrize("command", [*GRADING, "nbgrader export"])
def test_somebody_else_is_told_in_one_sentence(course: Path, command: str) -> None:
    ended = as_user(EVE, course, command)
    assert ended.returncode == 2
    assert re.fullmatch(r"\S+/gradebook is not open to you \(Permission denied\): ask its owner .*\n", ended.stderr)


@pytest.mark.parametrize("command", GRADING)
def test_a_seed_that_is_not_theirs_is_told_in_one_sentence(course: Path, command: str) -> None:
    submit(course, "student-03", ADA)
    done(ADA, course, f"autograder grade {EXERCISE} --workers 1")
    seed = course / "gradebook" / "secret_seed"
    seed.chmod(0o600)
    try:
        ended = as_user(BEN, course, command)
    finally:
        seed.chmod(0o640)
    assert ended.returncode != 0
    assert f"{seed} is not open to {BEN} (Permission denied): ask its owner" in ended.stderr
    assert "Traceback" not in ended.stderr
