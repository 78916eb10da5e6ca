"""A class run's first step: it tells which asserts of an assignment its own solution does not pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from autograder.classroom.course import Course, Submission
from autograder.classroom.handing_out import Pending, Workers
from autograder.classroom.job import JobResult
from autograder.classroom.preparing import answers_key, job_of
from autograder.classroom.store import Store
from autograder.gradebook_access.known_cells import KnownCells
from autograder.gradebook_access.repairs import Repairs
from autograder.nbgrader_plugin.own_solution import solution, unsolved

NOBODY = ".solution"
"""Stands in the place of a student's name, which never begins with a dot."""


def tell_unsolved(
    course: Course,
    assignment: str,
    known: Mapping[str, KnownCells],
    store: Store,
    workers: Workers,
    say: Callable[[str], None],
) -> None:
    """Run the assignment's own solutions that have changed, and say which of their cells lose points.

    Args:
        course: the course.
        assignment: its name.
        known: the cells of its notebooks that the gradebook knows.
        store: where the results are kept, so that an unchanged solution is not run again.
        workers: run them.
        say: called with a sentence for each such cell.
    """
    for arrived in workers.results(_todo(course, assignment, known, store, say), say):
        for pending, result in arrived:
            said = _said(pending, result)
            store.keep_record(pending.submission, {"key": pending.key, "said": said})
            for sentence in said:
                say(sentence)


def _todo(
    course: Course, assignment: str, known: Mapping[str, KnownCells], store: Store, say: Callable[[str], None]
) -> Iterator[Pending]:
    for name, cells in known.items():
        notebook = solution(course.directory, assignment, name, cells)
        if notebook is None:
            continue
        submission = Submission(NOBODY, assignment, name, Path(f"{name}.ipynb"))
        job = job_of(notebook, submission, course, cells, b"")
        key, before = answers_key(job), store.record(submission) or {}
        if before.get("key") != key:
            yield Pending(submission, job, key, {}, Repairs())
        else:
            for sentence in before["said"]:
                say(sentence)


def _said(pending: Pending, result: JobResult) -> list[str]:
    about = pending.submission
    if result.error:
        why = result.error.strip().splitlines()[-1]
        return [f"{about.assignment}/{about.notebook}: its own solution could not be graded ({why})"]
    return unsolved(about.assignment, about.notebook, result.verdicts)
