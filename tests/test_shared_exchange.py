"""An instructor and two students, each a system user, share an exchange as docs/jupyterhub.md says, without the hub.

Real users are made and removed, so this needs root.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.course import new_course
from tests.depth import proof
from tests.submissions import COURSE, as_bytes, solved
from tests.test_two_graders import as_user

pytestmark = [
    proof,
    pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("useradd"), reason="making users needs root and useradd"),
]
EXERCISE = "01_scalar_graphs"
PAGE = (COURSE / "docs" / "jupyterhub.md").read_text()
MARK = secrets.token_hex(3)
ADA, SAM, KIM = (f"{name}-{MARK}" for name in ("ada", "sam", "kim"))


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A course of Ada's, an exchange, and two students with the configuration of the page."""
    place = Path(tempfile.mkdtemp(prefix="shared-exchange-"))
    place.chmod(0o755)
    try:
        for user in (ADA, SAM, KIM):
            subprocess.run(["useradd", "-d", str(place / user), "-m", "-s", "/bin/bash", user], check=True)
            (place / user).chmod(0o700)
        exchange = place / "exchange"
        exchange.mkdir()
        shutil.chown(exchange, ADA, ADA)
        exchange.chmod(0o1777)
        (settings,) = re.findall(r"```python\n([^`]*c\.CourseDirectory\.course_id[^`]*)```", PAGE)
        for user in (SAM, KIM):
            file = place / user / ".jupyter" / "nbgrader_config.py"
            file.parent.mkdir()
            file.write_text(settings.replace("/srv/exchange", str(exchange)))
            subprocess.run(["chown", "-R", f"{user}:{user}", str(file.parent)], check=True)
        course = new_course(place / "course")
        subprocess.run(["chown", "-R", f"{ADA}:{ADA}", str(course)], check=True)
        yield place
    finally:
        for user in (ADA, SAM, KIM):
            subprocess.run(["userdel", user], check=False)
        shutil.rmtree(place, ignore_errors=True)


def done(place: Path, user: str, command: str) -> str:
    """Run what must succeed: Ada's commands in the course, students' in their homes; return what is said."""
    ended = as_user(user, place / "course", command if user == ADA else f"cd; {command}")
    said = ended.stdout + ended.stderr
    assert ended.returncode == 0, f"{user}: {command}\n{said[-3000:]}"
    assert "Traceback" not in said
    return said


def refused(place: Path, user: str, command: str) -> str:
    """Run what must fail; return why."""
    ended = as_user(user, place / "course", command)
    assert ended.returncode != 0, f"{user}: {command}\n{ended.stdout}"
    return ended.stderr


def test_from_release_to_feedback_each_student_reads_only_their_own(place: Path) -> None:
    exchange = place / "exchange"
    done(place, ADA, f"export NBGRADER_EXCHANGE={exchange}; nbgrader release_assignment {EXERCISE}")
    done(place, ADA, f"chmod +t {exchange}/gradients/inbound; echo 'c = get_config()' > gradebook/settings.py")
    done(place, ADA, f"""echo 'c.Exchange.root = "{exchange}"' >> gradebook/settings.py""")
    for user in (SAM, KIM):
        done(place, user, f"nbgrader fetch_assignment {EXERCISE}")
    (place / SAM / EXERCISE / f"{EXERCISE}.ipynb").write_bytes(as_bytes(solved(EXERCISE)))
    for user in (SAM, KIM):
        done(place, user, f"umask 077; nbgrader submit {EXERCISE}")

    (submission,) = (exchange / "gradients" / "inbound").glob(f"{SAM}+*")
    for command in (
        f"ls {exchange}/gradients/inbound",
        f"mv {exchange}/gradients {exchange}/mine",
        f"mv '{submission}' {exchange}/gradients/inbound/mine",
        "ls gradebook",
        "cat gradebook/gradebook.db",
        f"ls {place / SAM}",
    ):
        assert re.search("Permission denied|Operation not permitted", refused(place, KIM, command)), command

    done(place, ADA, f"nbgrader collect {EXERCISE}; autograder grade {EXERCISE} --workers 1")
    done(place, ADA, f"umask 077; autograder feedback {EXERCISE}; nbgrader release_feedback {EXERCISE}")
    assert "Permission denied" in refused(place, KIM, f"ls {exchange}/gradients/feedback")
    assert "Permission denied" in refused(place, KIM, "cat gradebook/secret_seed")
    for user, score in ((SAM, "30.0"), (KIM, "0.0")):
        done(place, user, f"nbgrader fetch_feedback {EXERCISE}")
        (page,) = (place / user / EXERCISE / "feedback").rglob("*.html")
        assert f"(Score: {score} / 30.0)" in page.read_text()
