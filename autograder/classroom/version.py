"""Digests that identify the course's version, compared with those of stored answers, verdicts and other machines."""

from __future__ import annotations

import functools
import hashlib
import hmac
from pathlib import Path

import autograder
from autograder.grader.provenance import JUDGING, torch_version
from autograder.tasks.folders import TASKS, course_file, course_folder


def judging_digest() -> str:
    """Return one digest of all files that determine verdicts."""
    return _sources(JUDGING, course_folder(), _choice())


def _choice() -> bytes:
    """Return the course file, which determines whose verdicts there are; empty without one."""
    file = course_file()
    return b"" if file is None else file.read_bytes()


@functools.cache
def _sources(folders: tuple[str, ...], course: Path, choice: bytes) -> str:
    root = Path(autograder.__file__).parent
    places = [root / name for name in folders] + sorted(course.glob(f"*/{TASKS}"))
    paths = (path for place in places for path in sorted(place.rglob("*")))
    contents = (path.read_bytes() for path in paths if path.suffix in (".py", ".toml"))
    return hmac.new(b"", b"\0".join([*contents, *filter(None, [choice])]), hashlib.sha256).hexdigest()


def version() -> str:
    """Return the version of everything that determines a grade: machines with the same version give the same grades."""
    return f"{_sources(('.',), course_folder(), _choice())[:12]} with torch {torch_version().partition('+')[0]}"
