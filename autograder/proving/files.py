"""Check a task's files: each is usable, none is missing; beyond the checks that are made on reading them."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from autograder import diagnosis
from autograder.checks.catalogue import tasks_of
from autograder.checks.task import Task
from autograder.hints import hints_of
from autograder.probes.programs import Program, compiled
from autograder.proving.problems import Problem, explained, syntax_problem
from autograder.proving.regions.declared import declared
from autograder.tasks.answers import AnswerKind
from autograder.tasks.cases import groups
from autograder.tasks.lesson_sections import FILE, TOPIC, topics_of

LEAST = {AnswerKind.WRONG: 5, AnswerKind.RIGHT: 2}
"""Minimum number of different answers of each kind."""
CONFIGURATIONS = ("pyproject.toml", "ruff.toml", ".ruff.toml")


def usable(task: Task) -> Iterator[Problem]:
    """Report solutions, answers and programs that are not Python, and unknown topics in `reading.toml`.

    Raises:
        TaskFolderError: if a TOML file is malformed.
    """
    cells = [(str(task.folder / "solution.py"), task.solution)]
    cells += [(f"{one.where}: the {one.kind} answer {one.name}", one.source) for one in task.answers.answers]
    yield from filter(None, (syntax_problem(where, source) for where, source in cells))
    for inputs in (case.inputs for check in task.checks for case in check.public):
        if inputs and isinstance(inputs[0], Program):
            try:
                compiled(inputs[0].text)
            except SyntaxError as error:
                yield Problem(explained(task, error, inputs))
    hints_of(task.name)
    declared(task)
    with contextlib.suppress(ModuleNotFoundError):  # Cosmic Ray, which makes the mutants, is an optional dependency
        from autograder.proving.mutants.equivalent import entries

        entries(task)
    known = {
        topic for path in Path(diagnosis.__file__).parent.glob("*.py") for topic in TOPIC.findall(path.read_text())
    }
    for topic in topics_of(task.exercise).keys() - known:
        file = task.folder.parent / FILE
        yield Problem(f"{file}: no mistake speaks of {topic!r}; the topics are {', '.join(sorted(known))}")


def whole(task: Task) -> Iterator[Problem]:
    """Report what a task lacks: checks with questions and points, minutes, mistakes, enough answers."""
    if not task.checks:
        yield Problem(f"{task.name} has no check")
    for check in task.checks:
        if check.points <= 0:
            yield Problem(f"{check.id} is worth nothing")
        if not (check.public or check.strata):
            yield Problem(f"{check.id} asks nothing")
    rest = [one for one in tasks_of(task.exercise).values() if one.name != task.name]
    others = {check.name: one for one in rest for check in one.checks}
    for name in [check.name for check in task.checks if check.name in others]:
        also = others[name].folder / "task.py"
        yield Problem(f"{task.folder / 'task.py'}: {also} has a test {name} too, and `pytest` runs both: rename one")
    if task.minutes <= 0:
        yield Problem(f"{task.name} takes no time")
    if not task.mistakes:
        yield Problem(f"{task.name} names no mistake")
    cases = task.folder / "cases.toml"
    for group in groups(cases) - task.asked if None not in task.asked else ():
        which = f"of the group {group!r}" if group else "without a group"
        yield Problem(f"{cases}: no check asks the cases {which}")
    for kind, least in LEAST.items():
        if (count := len({one.source for one in task.answers.answers if one.kind == kind})) < least:
            yield Problem(f"{task.name} has {count} {kind} answers, and {least} are needed")


def styled(task: Task) -> Iterator[Problem]:
    """Report ruff's findings in the task's Python files and notebook, if ruff is installed and configured."""
    above = [folder / name for folder in task.folder.parents for name in CONFIGURATIONS]
    if importlib.util.find_spec("ruff") is None or not any(path.is_file() for path in above):
        return
    notebook = task.folder.parent.parent / f"{task.exercise}.ipynb"
    files = [*sorted(task.folder.glob("*.py")), *sorted(task.folder.parent.glob("*.py"))]
    files += [notebook] if notebook.exists() else []
    for verb in (["check"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *verb, "--output-format=json", *map(str, files)]
        for one in json.loads(subprocess.run(command, capture_output=True, text=True).stdout or "[]"):
            cell = f"cell {one['cell']}, " if one["cell"] else ""
            where = f"{one['filename']}, {cell}line {one['location']['row']}"
            yield Problem(f"{where}: {one['message']} ({one['code']})", f"places that `ruff {verb[0]}` reports")
