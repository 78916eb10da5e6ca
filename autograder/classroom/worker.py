"""A worker's part of class grading: run or judge one submission, from a job in bytes to a result in bytes.

An executor runs `work` on this machine or another; nothing else is shared with the coordinator.
"""

from __future__ import annotations

import dataclasses
import resource
import socket
import threading
import time
import traceback

import nbformat

from autograder.checks.catalogue import graded_tasks
from autograder.checks.task import Task
from autograder.classroom.graded_copy import graded_copy
from autograder.classroom.job import Job, JobResult
from autograder.classroom.version import version
from autograder.gradebook_access.reasons import reason
from autograder.grader.answers_file import fits, pack_answers, unpack_answers
from autograder.grader.custody import Custody, NotebookRun
from autograder.grader.grading import conclude
from autograder.grader.sandbox_process import tier_in_use
from autograder.notebooks.weights import differing
from autograder.sandbox.limits import Limits
from autograder.wire.frames import TornFrameError

ONE_AT_A_TIME = threading.Lock()
"""Held while a job runs, because a process has one pytest session and a Dask worker may have several threads."""


def work(raw: bytes) -> bytes:
    """Run a packed job and return its packed result; a defect of the grader becomes a result with `error` set."""
    try:
        job = Job.unpack(raw)
        if job.version != version():
            return JobResult(error=f"{socket.gethostname()} has another version of the course: update it").pack()
        with ONE_AT_A_TIME:
            return _run(job).pack()
    except Exception as error:
        return JobResult(error=f"{traceback.format_exc()}{reason(error)}").pack()


def _run(job: Job) -> JobResult:
    start, cpu = time.monotonic(), _cpu()
    notebook = nbformat.from_dict(job.notebook)
    tasks, custody = graded_tasks(job.exercise, job.versions), None
    stored: Custody | None = None
    if job.unreadable is None:
        custody = stored = _stored(job, tasks)
        if stored is None and not job.run:
            return JobResult(unanswered=True)
        if stored is None:
            limits = Limits(**job.limits)
            custody = NotebookRun(notebook.cells, tasks, job.seed, limits, job.device, job.files).custody()
    verdicts = conclude(notebook, job.exercise, custody, job.worth or None, job.versions)
    raw, scores = graded_copy(nbformat.from_dict(notebook), job.steps, job.names)
    return JobResult(
        scores=dataclasses.asdict(scores),
        verdicts=[verdict.as_data() for verdict in verdicts.values()],
        ended=custody.ended if custody is not None else {},
        ran=stored is None,
        host=socket.gethostname(),
        tier=tier_in_use(job.device) if stored is None and custody is not None else "",
        seconds=round(time.monotonic() - start, 4),
        cpu=round(_cpu() - cpu, 4),
        scaled=differing({name: task.points for name, task in tasks.items()}, job.worth),
        answers=_packed(custody, tasks) if custody is not None else b"",
        notebook=raw,
    )


def _packed(custody: Custody, tasks: dict[str, Task]) -> bytes:
    """Return the answers to keep; none if they are too many, so that judging them again means running it again."""
    try:
        return pack_answers(custody, tasks)
    except TornFrameError:
        return b""


def _stored(job: Job, tasks: dict[str, Task]) -> Custody | None:
    """Return the answers of an earlier run if they answer today's questions, else None."""
    if job.answers is None:
        return None
    custody = unpack_answers(job.answers, job.seed, job.device)
    return custody if fits(custody, tasks) else None


def _cpu() -> float:
    """Return this process's CPU seconds, without those of sandboxes, which are the supervisor's children."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
