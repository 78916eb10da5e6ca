"""From a file that was handed in to a job: read it, repair its cells, find its seed and its key."""

from __future__ import annotations

import hashlib

from autograder.classroom.course import Course, Submission
from autograder.classroom.job import Job
from autograder.classroom.version import ASKING, code, torch_version, version
from autograder.grader.fingerprint import identity
from autograder.grader.secret_seed import submission_seed
from autograder.grader.weights import weights
from autograder.nbgrader_plugin.repair import Known, Repairs, repair
from autograder.notebooks.reading import UnreadableNotebookError, read_submission
from autograder.notebooks.submission_files import notebook_bytes


def prepare(submission: Submission, course: Course, known: Known, secret: bytes) -> tuple[Job, Repairs]:
    """The job for a submission, without stored answers, and what had to be repaired in its notebook."""
    limits, variant = course.limits, course.variant
    fixed = {"device": course.device, "worth": _worth(known)}
    cells, reason = [], None
    try:
        parts = submission.path.relative_to(course.submitted).parts
        notebook = read_submission(notebook_bytes(course.submitted, parts))
    except UnreadableNotebookError as error:
        reason = str(error)
        seed = submission_seed(secret, identity([], reason), variant)
        return Job(cells, submission.notebook, reason, limits, seed, version(), **fixed), Repairs()
    repaired = repair(notebook, known, course.releases(submission.assignment, submission.notebook))
    seed = submission_seed(secret, identity(notebook.cells, None), variant)
    return Job(notebook.cells, submission.notebook, None, limits, seed, version(), **fixed), repaired


def _worth(known: Known) -> dict[str, float]:
    """What each task is worth, from the cells that the gradebook knows."""
    return weights({"metadata": {"nbgrader": metadata}, "cell_type": kind} for metadata, kind, _ in known.values())


def key(job: Job) -> str:
    """Names the answers: other code, seed, exercise, probes, limits, device or torch, other answers."""
    parts = [
        job.seed.hex(),
        job.exercise,
        job.unreadable or "",
        code(ASKING),
        repr(sorted(job.limits.items())),
        job.device,
    ]
    return _digest("\n".join([*parts, torch_version()]))


def text_key(job: Job) -> str:
    """Names all that was written, answers in Markdown included, which nobody runs and a person may grade."""
    return _digest(repr([(cell["cell_type"], cell["source"]) for cell in job.cells]))


def exercise_key(known: Known) -> str:
    """Names the released exercise that a notebook was repaired from."""
    return _digest(repr(sorted(known.items())))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
