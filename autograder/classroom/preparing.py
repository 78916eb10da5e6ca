"""From a file that was handed in to a job: read it, repair its cells, find its seed and its key."""

from __future__ import annotations

import functools
import hashlib
import hmac
from importlib import metadata
from pathlib import Path

import autograder
from autograder.classroom.course import Course, Submission
from autograder.classroom.job import Job
from autograder.grader.fingerprint import fingerprint
from autograder.grader.secret_seed import submission_seed
from autograder.nbgrader_plugin.repair import Known, repair
from autograder.notebooks.reading import UnreadableNotebookError, read_submission
from autograder.notebooks.submission_files import refusal

ASKING = ("probes", "wire", "sandbox", "supervisor")
"""Folders of this package on which an answer to a given question depends."""
JUDGING = ("checks", "comparison", "diagnosis", "references")
"""Folders on which verdicts depend; which questions there are is kept beside the answers."""


def prepare(submission: Submission, course: Course, known: Known, secret: bytes) -> tuple[Job, list[str]]:
    """The job for a submission, without stored answers, and what had to be repaired in its notebook."""
    limits, variant = course.limits, course.variant
    cells, reason = [], None
    try:
        if (why := refusal(submission.path.parent.resolve() / submission.path.name, course.submitted)) is not None:
            raise UnreadableNotebookError(f"The submitted notebook is {why}. Hand in the notebook itself.")
        notebook = read_submission(submission.path.read_bytes())
    except (UnreadableNotebookError, OSError) as error:
        reason = str(error)
        return Job(cells, submission.notebook, reason, limits, submission_seed(secret, reason.encode(), variant)), []
    repaired = repair(notebook, known)
    seed = submission_seed(secret, fingerprint(notebook), variant)
    return Job(notebook.cells, submission.notebook, None, limits, seed), repaired


def key(job: Job) -> str:
    """Names the answers: other code, seed, exercise, probes, limits or torch, other answers."""
    parts = [job.seed.hex(), job.exercise, job.unreadable or "", sources(ASKING), repr(sorted(job.limits.items()))]
    return _digest("\n".join([*parts, _torch_version()]))


@functools.cache
def _torch_version() -> str:
    return metadata.version("torch")  # without loading it


def exercise_key(known: Known) -> str:
    """Names the released exercise that a notebook was repaired from."""
    return _digest(repr(sorted(known.items())))


@functools.cache
def sources(folders: tuple[str, ...]) -> str:
    """One digest of all files in these folders of the package."""
    root = Path(autograder.__file__).parent
    paths = (path for name in folders for path in sorted((root / name).rglob("*")))
    contents = (path.read_bytes() for path in paths if path.suffix in (".py", ".toml"))
    return hmac.new(b"", b"\0".join(contents), hashlib.sha256).hexdigest()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
