"""Prepare the job for a submission: read the file, repair its cells, derive its seed and its keys."""

from __future__ import annotations

import dataclasses
import hashlib
from datetime import datetime

from nbformat import NotebookNode

from autograder.classroom.course import Course, Submission
from autograder.classroom.job import Job
from autograder.classroom.version import version
from autograder.gradebook_access.deals import cells_of_student
from autograder.gradebook_access.known_cells import KnownCells, exercise_digest
from autograder.gradebook_access.repairs import Repairs, repair
from autograder.grader.fingerprint import identity, written
from autograder.grader.provenance import (
    ASKING,
    HANDED_IN,
    PROVENANCE,
    code_digest,
    file_digest,
    provenance,
    torch_version,
)
from autograder.grader.secret_seed import submission_seed
from autograder.nbgrader_plugin.reader import released_or_empty
from autograder.notebooks.notes import KEY, note_unreadable, note_versions
from autograder.notebooks.reading import UnavailableNotebookError, UnreadableNotebookError, read_submission
from autograder.notebooks.submission_files import notebook_bytes
from autograder.notebooks.weights import weights
from autograder.tasks.dealing import disagreement, versions_in


def prepare(submission: Submission, course: Course, known: KnownCells, secret: bytes) -> tuple[Job, Repairs]:
    """Return a submission's job, without stored answers, and the repairs made to its notebook.

    Args:
        submission: names the file.
        course: its course.
        known: the released exercise's cells that the gradebook knows.
        secret: the course's secret seed.

    Raises:
        UnavailableNotebookError: if the file cannot be read here.
    """
    unreadable, raw = None, b""
    try:
        raw = notebook_bytes(course.submitted, submission.path.relative_to(course.submitted).parts)
        notebook = read_submission(raw)
    except UnavailableNotebookError:
        raise
    except UnreadableNotebookError as error:
        notebook, unreadable = released_or_empty(course.released(submission)), str(error)
    notebook.metadata[KEY] = NotebookNode({HANDED_IN: file_digest(raw)})
    if unreadable is not None:
        note_unreadable(notebook, unreadable)
    if spec := course.kernelspecs(submission.assignment)[submission.notebook]:
        notebook.metadata["kernelspec"] = spec
    versions = course.versions(submission)
    other = "" if unreadable is not None else disagreement(versions_in(notebook.cells, submission.notebook), versions)
    if other:
        note_versions(notebook, other)
    exercise, known = exercise_digest(known), cells_of_student(known, submission.notebook, versions)
    repaired = repair(notebook, known, course.releases(submission.assignment, submission.notebook))
    about = notebook.metadata.setdefault(KEY, {})
    about["written"], about["exercise"] = written(notebook.cells), exercise
    about[PROVENANCE] = provenance(submission.notebook)
    if repaired.tampered:
        about["repaired"] = repaired.tampered
    job = dataclasses.replace(job_of(notebook, submission, course, known, secret, unreadable), versions=versions)
    return job, dataclasses.replace(repaired, other_versions=other) if unreadable is None else Repairs()


def job_of(
    notebook: NotebookNode,
    submission: Submission,
    course: Course,
    known: KnownCells,
    secret: bytes,
    unreadable: str | None = None,
) -> Job:
    """Return the job for a repaired notebook.

    Args:
        notebook: the notebook.
        submission: names the student, the assignment and the notebook.
        course, known, secret: as above.
        unreadable: why the file cannot be read and this notebook stands for it; or None.
    """
    files = course.files.beside(submission.assignment, submission.student) if unreadable is None else b""
    return Job(
        notebook,
        submission.notebook,
        unreadable,
        course.limits,
        submission_seed(secret, identity(notebook.cells, unreadable), course.variant(submission), files),
        version(),
        device=course.device,
        worth=_worth(known),
        names={"student": submission.student, "assignment": submission.assignment, "notebook": submission.notebook},
        steps=course.steps,
        files=files,
    )


def _worth(known: KnownCells) -> dict[str, float]:
    """Return each task's points, according to the cells that the gradebook knows."""
    return weights({"metadata": {"nbgrader": metadata}, "cell_type": kind} for metadata, kind, _ in known.values())


def depends_on(job: Job, known: KnownCells, time: datetime | None) -> dict[str, str]:
    """Return keys of all that a result depends on, as its record keeps them; if any changes, the result is void.

    Args:
        job: the submission's.
        known: the released exercise's cells that the gradebook knows.
        time: when the submission was handed in.
    """
    return {
        "key": answers_key(job),
        "text": text_key(job),
        "exercise": exercise_key(known),
        "timestamp": timestamp_text(time),
    }


def timestamp_text(time: datetime | None) -> str:
    """Return a time of submission as its record keeps it; empty if it is unknown."""
    return time.isoformat(" ") if time else ""


def settings_key(job: Job, submission: Submission, course: Course, secret: bytes) -> str:
    """Digest the seed and the settings of a course, and what a submission brings beside its notebook.

    If it changes, answers are void, and neither an update nor a change of the exercise is the cause.
    """
    brought = job.files if job.files != course.files.beside(submission.assignment, "") else b""
    seed = submission_seed(secret, b"", course.variant(submission))
    parts = [seed.hex(), repr(sorted(job.limits.items())), job.device]
    return _digest("\n".join([*parts, hashlib.sha256(brought).hexdigest()]))


def answers_key(job: Job) -> str:
    """Name answers by what they depend on: code, seed, exercise, versions, probes, limits, files, torch."""
    parts = [
        job.seed.hex(),
        job.exercise,
        job.unreadable or "",
        code_digest(ASKING),
        repr(sorted(job.limits.items())),
        job.device,
        hashlib.sha256(job.files).hexdigest(),
        *(f"{task}={version}" for task, version in sorted(job.versions.items())),
    ]
    return _digest("\n".join([*parts, torch_version()]))


def text_key(job: Job) -> str:
    """Digest all cells, including answers in Markdown, which are not run but which a person may grade."""
    return _digest(repr([(cell["cell_type"], cell["source"]) for cell in job.cells if job.unreadable is None]))


def exercise_key(known: KnownCells) -> str:
    """Digest the released exercise from which a notebook was repaired."""
    return _digest(repr(sorted(known.items())))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
