"""The answers by which an exercise's checks are proved, from the folders of its tasks."""

from __future__ import annotations

from autograder.checks.catalogue import tasks_of
from autograder.tasks.answers import Answer

__all__ = ["Answer", "few", "right_answers", "wrong_answers"]


def wrong_answers(exercise: str) -> list[Answer]:
    """All wrong answers to an exercise, "01_scalar_graphs"."""
    return _answers(exercise, "wrong")


def right_answers(exercise: str) -> list[Answer]:
    """All right answers to an exercise, beside the solution's own."""
    return _answers(exercise, "right")


def few(answers: list[Answer]) -> list[Answer]:
    """Of the answers that make the same mistake in a task the last, which rarely predicts it; and all right numbers."""
    last = {(one.task, one.diagnosed or one.name): one for one in answers}
    return list(last.values())


def _answers(exercise: str, kind: str) -> list[Answer]:
    return [one for task in tasks_of(exercise).values() for one in task.answers.answers if one.kind == kind]
