"""Check a task's versions: an answer that is right in one must lose its points in all others, under its own name."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.checks.catalogue import cells_before, find_task, tasks_of
from autograder.checks.task import Task
from autograder.proving.mutants.bench import Bench
from autograder.proving.problems import Problem
from autograder.proving.written_answers import verdict_problems
from autograder.tasks.answers import Answer, AnswerKind
from autograder.tasks.cells import needed
from autograder.tasks.siblings import NAME
from autograder.tasks.versions import FILE, label, source_of_version, versions_of

MOST_KEPT = 0.5
"""The fraction of a task's points that an answer to another version may keep."""


def versions(task: Task) -> list[Task]:
    """Return the versions of a task, each as a task of its own; none if it has only one."""
    known = versions_of(task.folder)
    return [find_task(label(task.name, one)) for one in range(1, known.count + 1)] if known is not None else []


def parameters_used(task: Task) -> Iterator[Problem]:
    """Report texts of `versions.toml` that no file of the task's folder holds, and tasks that build on this one."""
    known = versions_of(task.folder)
    if known is None:
        return
    files = [file for file in task.folder.iterdir() if file.is_file() and file.name != FILE]
    texts = [file.read_text(encoding="utf-8") for file in files]
    for row in known.texts:
        if not any(row[0] in text for text in texts):
            yield Problem(f"{task.folder / FILE}: no file of the folder says {row[0]!r}", "texts that nothing holds")
    cells = {name: one.solution for name, one in tasks_of(task.exercise).items()}
    for name in cells:
        if task.solution in needed(name, cells):
            yield Problem(
                f"{task.folder / FILE}: {name} builds on {task.name}, so its author would need the version that was "
                "dealt; give versions to tasks that no other task uses"
            )


def other_answers(task: Task) -> Iterator[Problem]:
    """Report right answers to other versions that keep more than half of the points, or do not get their name.

    Args:
        task: one version of a task.
    """
    own, version = source_of_version(task.folder)
    before = cells_before(task)
    with Bench() as bench:
        for other in versions(find_task(own.name)):
            if other.version == version:
                continue
            answers = [one for one in other.answers.answers if one.kind is AnswerKind.RIGHT]
            published = Answer(task.name, "published", other.solution)
            for answer in (published, *answers):
                name = f"right in version {other.version}, {answer.name}"
                copied = Answer(task.name, name, answer.source, NAME, where=str(own / FILE))
                verdict = bench.verdict(task, answer.source, before)
                yield from verdict_problems(copied, verdict)
                if verdict.points > MOST_KEPT * verdict.maximum:
                    sentence = f"{own / FILE}: in version {version} an answer {name} keeps {verdict.points:g} of "
                    yield Problem(f"{sentence}{verdict.maximum:g} points", "answers to other versions keep points")
