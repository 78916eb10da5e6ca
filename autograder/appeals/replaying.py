"""Replay of the stored answers to one task: each question with what was expected and what came back.

No student code runs. Instructors see the numbers of drawn questions, which no feedback shows.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import Any

import torch

from autograder.checks import questions
from autograder.checks.answers import Answers
from autograder.checks.catalogue import graded_tasks
from autograder.checks.task import Case, Check, Task
from autograder.classroom.course import Course, Submission
from autograder.classroom.preparing import prepare
from autograder.classroom.store import Store
from autograder.comparison import agree
from autograder.diagnosis.hypothesis import Finding
from autograder.grader.answers_file import unpack_answers
from autograder.grader.custody import Custody
from autograder.grader.secret_seed import secret_seed
from autograder.judging.judge import judge
from autograder.judging.time_and_memory import MEMORY
from autograder.notebooks.reading import UnavailableNotebookError
from autograder.verdicts.verdict import Verdict
from autograder.visible_text import visible
from autograder.wire.frames import TornFrameError

MOST_SHOWN = 3
"""Questions of a check that are shown; wrong answers come first, to drawn questions before public ones."""
LONGEST_VALUE = 400
NO_ANSWERS = "its answers are not stored"
OTHER_QUESTIONS = "the check asks other questions now than those that were answered"


@dataclasses.dataclass(frozen=True)
class Asked:
    """One question of a check.

    Attributes:
        question: as code, with its numbers.
        expected: the right answer.
        got: what came back, or why nothing did.
        is_right: whether they agree.
        is_drawn: whether it was drawn for this submission.
    """

    question: str
    expected: str
    got: str
    is_right: bool
    is_drawn: bool


@dataclasses.dataclass(frozen=True)
class Replay:
    """The replay of a task's stored answers.

    Attributes:
        checks: by the title of each check, its questions, in the order of `MOST_SHOWN`.
        counts: by the same title, how many answers there are and how many of them are wrong.
        today: the verdict of today's checks; None if it cannot be known without running the notebook.
        why_not: why a check, or all of them, cannot be replayed.
    """

    checks: dict[str, list[Asked]]
    counts: dict[str, tuple[int, int]]
    today: Verdict | None
    why_not: str = ""


def replay(course: Course, submission: Submission, name: str) -> Replay:
    """Replay the stored answers of a submission to one task.

    Args:
        course: the course.
        submission: names the student, the assignment and the notebook.
        name: the task.

    Raises:
        KeyError: if the course's exercise has no such task.
    """
    task = graded_tasks(submission.notebook)[name]
    known = course.cells(submission.assignment)[submission.notebook]
    try:
        job, _ = prepare(submission, course, known, secret_seed(course.gradebook))
    except UnavailableNotebookError as error:
        return Replay({}, {}, None, str(error))
    store = Store(course.gradebook)
    record = store.record(submission) or {}
    raw = store.answers(submission, str(record.get("key", "")))
    if raw is None:
        return Replay({}, {}, None, NO_ANSWERS)
    try:
        custody = unpack_answers(raw, job.seed, job.device)
    except TornFrameError as error:
        return Replay({}, {}, None, str(error))
    return _replayed(task, custody)


def _replayed(task: Task, custody: Custody) -> Replay:
    checks, counts, other = dict[str, list[Asked]](), dict[str, tuple[int, int]](), False
    for check in task.checks:
        if custody.asked.get(check.id) != custody.evidence.questions(check):
            other = True
            continue
        asked = sorted(_asked(check, custody), key=lambda one: (one.is_right, not one.is_drawn))
        checks[check.title] = asked[:MOST_SHOWN]
        counts[check.title] = len(asked), sum(not one.is_right for one in asked)
    today = None if other else judge().verdicts({task.name: task}, custody.evidence, MEMORY)[task.name]
    return Replay(checks, counts, today, OTHER_QUESTIONS if other else "")


def _asked(check: Check, custody: Custody) -> Iterator[Asked]:
    answers = custody.evidence.answers.get(check.id, [])
    for case, answer in zip(custody.evidence.cases(check), answers, strict=False):
        one = Answers(check, [case], [answer])
        expected: Any = None
        with contextlib.suppress(Exception):  # a task's own oracle, which may not know a lone case
            expected = one.expected(case)
        try:
            ((_, seen),) = one
            got = seen.get("result", seen)
            right = agree(got, expected, check.task.tolerance) if "result" in seen else True
            shown = value_shown(got)
        except Finding as finding:
            right, shown = False, visible(finding.seen, kept="")
        except Exception as error:  # of the task's own code
            right, shown = False, f"it cannot be compared ({type(error).__name__})"
        yield Asked(question_shown(check.task.target, case), value_shown(expected), shown, bool(right), case.secret)


def question_shown(target: str, case: Case) -> str:
    """Return a question as code, with its numbers even if they are secret."""
    program = questions.program_of(case)
    if program is not None:
        return visible(program.as_cell)
    return visible(questions.shown(target, dataclasses.replace(case, secret=False)).strip("`"))


def value_shown(value: Any) -> str:
    """Return a value as one line of text, cut where it is long; a student may have chosen it."""
    text = visible(" ".join(repr(_plain(value)).split()), kept="")
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 3] + "..."


def _plain(value: Any) -> Any:
    """Return a value with tensors as lists, because their own text leaves numbers out."""
    if isinstance(value, torch.Tensor):
        return value.tolist() if value.numel() <= LONGEST_VALUE else f"<tensor {tuple(value.shape)}>"
    tensor = getattr(value, "tensor", None)  # one with the device that it came from
    if isinstance(tensor, torch.Tensor):
        return _plain(tensor)
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(_plain, value)) if type(value) in (list, tuple) else value
    return value
