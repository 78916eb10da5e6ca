"""The functions that a notebook calls: `check("task")`, `hint("task")` and `progress("exercise")`.

A check asks its questions in the live namespace, has the answers judged by the same pytest tests as a submission, shows
what was seen, and returns the points.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING, Any

from autograder.surroundings import is_graded, loading, torch_note

if TYPE_CHECKING:
    from autograder.executions import Provenance
    from autograder.verdicts.verdict import Verdict

WIDTH = 80
"""Columns that fit into every notebook's window."""
SANDBOX = "AUTOGRADER_SANDBOX"
"""Set while a submission runs for grading, where nothing may be judged in the process of the student's code."""
IN_KERNEL = "AUTOGRADER_IN_KERNEL"
"""Set to let stock nbgrader run the checks in the kernel, for comparisons."""
EXPLAINED = (0, 2)
"""Exit statuses of a command that has printed its result or explained its failure."""


class ChecksMissedError(Exception):
    """Raised by `check` under nbgrader's Validate, which shows errors and nothing else."""

    def _render_traceback_(self) -> list[str]:
        """Return the one line that IPython prints instead of a traceback."""
        return [str(self)]


class Points(float):
    """Points earned, a plain number; as a cell's result it shows nothing, because the card has the score."""

    def __repr__(self) -> str:
        return f"{float(self):g}"

    def _ipython_display_(self) -> None:
        if os.environ.get("NBGRADER_EXECUTION") or getattr(_shell(), "kernel", None) is None:
            raise NotImplementedError  # so that IPython shows the number, which nbgrader reads, or a terminal's prompt


def check(task: str | None = None, device: str | None = None) -> Points | None:
    """Check a task of the exercise against what the notebook defines now; without a name, list the tasks.

    Args:
        task: the task's name, as its heading gives it.
        device: where it is asked: "cpu", "cuda", "mps" or "auto"; the notebook's default device if omitted.

    Returns:
        The points earned, after showing what was seen.

    Raises:
        ChecksMissedError: under nbgrader's Validate, if points are missing.
        RuntimeError: under `nbgrader autograde` without this course's configuration, whose grades would be decided
            inside the student's own process.
    """
    if os.environ.get(SANDBOX):
        if getattr(_shell(), "asserting", False):
            raise LookupError(f"this cell asks for check({task!r}), and the course has no such task")
        print(f"check({task!r}) is answered in its own cell when the notebook is graded.")
        return None
    execution = os.environ.get("NBGRADER_EXECUTION")
    if execution == "autograde" and not os.environ.get(IN_KERNEL):
        raise RuntimeError(
            "This notebook is being graded without this project's configuration: run nbgrader in the course's "
            "folder, where nbgrader_config.py is."
        )
    if task is None:
        print(_tasks())
        return None
    with loading():
        from autograder.checks.catalogue import find_task
        from autograder.executions import provenance
        from autograder.grader.live import judge_namespace
        from autograder.tasks.own_versions import own_label

    namespace = _namespace()
    try:
        found = find_task(own_label(task))
        run = provenance(found.defines, namespace)
        verdict, printed = judge_namespace(found.label, namespace, device)
    except (LookupError, ValueError) as error:  # no such task, no such device
        print(error.args[0], file=sys.stderr)
        return None
    if execution == "validate" and verdict.points < verdict.maximum:
        raise ChecksMissedError(f"{task}: {verdict.points:g} of {verdict.maximum:g} points. {verdict.reason}")
    _show(verdict, printed, None if is_graded() else run)  # graded, the card is that of grading
    _note(verdict)
    return Points(verdict.points)


def _tasks() -> str:
    """Return the list of tasks: those of this notebook's exercise, of all where the notebook is not known."""
    from autograder.checks.catalogue import named_tasks
    from autograder.executions.saved import notebook_file, saved_notebook
    from autograder.tasks.folders import exercise_of
    from autograder.tasks.listing import task_list

    file = notebook_file()
    return task_list(exercise_of(file.stem) if file is not None else None, named_tasks(saved_notebook()))


def _namespace() -> dict[str, Any]:
    """Return the notebook's global names; those of `__main__` outside IPython."""
    shell = _shell()
    return shell.user_ns if shell is not None else vars(sys.modules["__main__"])


def _shell() -> Any:
    ipython = sys.modules.get("IPython")  # a kernel has loaded it
    return ipython.get_ipython() if ipython is not None else None


def _show(verdict: Verdict, printed: str, run: Provenance | None) -> None:
    if _shell() is None:
        from autograder.verdicts.plain_text import verdict_as_text

        print(verdict_as_text(verdict, run=run))
        return
    from IPython.display import publish_display_data

    from autograder.verdicts.verdict_outputs import mime_bundle

    publish_display_data(mime_bundle(verdict, printed, run))


def _note(verdict: Verdict) -> None:
    """Note an attempt in the student's own record, without which a check is complete, too."""
    from autograder.wire.outcome import Outcome

    if all(result.kind in (Outcome.NOT_ATTEMPTED, Outcome.MISSING) for result in verdict.results):
        return
    with contextlib.suppress(Exception):
        from autograder.attempts import note_attempt

        mistakes = dict.fromkeys(result.mistake for result in verdict.results if result.mistake)
        note_attempt(verdict.task, verdict.points, verdict.maximum, [*mistakes])


def hint(task: str | None = None) -> None:
    """Print the next hint for a task: first a question, then a pointer, then almost the idea.

    Args:
        task: the task's name.
    """
    if os.environ.get(SANDBOX):
        print(f"hint({task!r}) helps at your desk; where the notebook is graded, it says nothing.")
        return
    from autograder.hints import next_hint
    from autograder.tasks.own_versions import own_label

    try:
        said = next_hint(own_label(task))
        print(textwrap.fill(said, WIDTH))  # JupyterLab breaks a longer line in the middle of a word
    except LookupError as error:
        print(error.args[0], file=sys.stderr)


def my_versions(**versions: int) -> None:
    """Note which version of each task this notebook holds, so that `check` and `hint` speak of that one.

    Args:
        versions: the version of each task that has several.
    """
    if os.environ.get(SANDBOX):
        return  # grading knows what was dealt, and asks no notebook
    from autograder.tasks.own_versions import note_versions

    try:
        note_versions(versions)
    except LookupError as error:
        print(error.args[0], file=sys.stderr)


def progress(*exercises: str) -> None:
    """Print how far you are: run the saved notebooks from a clean state, each in its own process, as in grading.

    Args:
        exercises: names of exercises or how one begins, such as "01", all by default; for a single one the points are
            listed by task.
    """
    if is_graded():
        return  # the notebook is being graded or validated, and has no file of its own to run
    if not all(isinstance(name, str) and "\0" not in name for name in exercises):
        from autograder.tasks.folders import exercises as known

        example = next(iter(known()), "01_doubling")
        print(f'An exercise is given by its name, as text in quotes: progress("{example}").', file=sys.stderr)
        return
    command = [sys.executable, "-m", "autograder.command_line", "progress", "--", *exercises]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=_plain())
    said = done.stdout.strip()
    if done.returncode not in EXPLAINED:
        said = f"progress could not be computed: {said.splitlines()[-1] if said else 'the process ended'}"
    print(said)


def _plain() -> dict[str, str]:
    """Return an environment without the kernel's variables that make a command write colours into a pipe."""
    kept = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "CLICOLOR_FORCE")}
    return kept | {"COLUMNS": "100"}


def _warm_up() -> None:
    """In a kernel, load now what the first check would load, so that it answers at once."""
    if _shell() is not None and not os.environ.get(SANDBOX):
        from autograder import record
        from autograder.attempts import solved_tasks
        from autograder.grader.live import warm_up
        from autograder.judging.judge import judge

        judge()
        warm_up()
        with contextlib.suppress(Exception):  # as in `_note`
            solved_tasks(record.path())
        if (note := torch_note()) is not None:
            print(note)


_warm_up()
