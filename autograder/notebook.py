"""What a notebook calls: `check("task")`, `hint("task")` and `progress("exercise")`.

The check asks the live namespace, lets the same pytest tests judge that grade a submission, shows what was
seen, and has the points as its value, so that they stand as the cell's result.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from typing import Any

from autograder.surroundings import loading, torch_note

WIDTH = 80
"""Columns that are seen in every notebook's window."""
SANDBOX = "AUTOGRADER_SANDBOX"
"""Set where a submission runs for grading: there, nothing is judged beside the student's code."""
IN_KERNEL = "AUTOGRADER_IN_KERNEL"
"""Set to let stock nbgrader run the checks in the kernel, for comparisons."""


TOLD = (0, 2)
"""Exit statuses of a command that has said what there is to say."""


class ChecksMissedError(Exception):
    """Raised by `check` under nbgrader's Validate, which shows errors and nothing else."""

    def _render_traceback_(self) -> list[str]:
        """One line; what IPython prints instead of a traceback."""
        return [str(self)]


class Points(float):
    """Points earned, shown as a plain number."""

    def __repr__(self) -> str:
        return f"{float(self):g}"


def check(task: str, device: str | None = None) -> Points | None:
    """Check a task of the exercise against what the notebook defines now.

    Args:
        task: the task's name, as its heading gives it.
        device: where it is asked: "cpu", "cuda", "mps" or "auto"; on the notebook's default device where left out.

    Returns:
        The points earned; shows what was seen on the way.

    Raises:
        ChecksMissedError: under nbgrader's Validate, where points are missing.
        RuntimeError: under `nbgrader autograde` without this course's configuration, whose grades would
            be decided inside the student's own process.
    """
    if os.environ.get(SANDBOX):
        print(f"check({task!r}) is answered in its own cell when the notebook is graded.")
        return None
    execution = os.environ.get("NBGRADER_EXECUTION")
    if execution == "autograde" and not os.environ.get(IN_KERNEL):
        raise RuntimeError(
            "This notebook is being graded without this project's configuration: run nbgrader in the course's "
            "folder, where nbgrader_config.py is."
        )
    with loading():
        from autograder.executions import provenance
        from autograder.grader.live import judge_namespace
        from autograder.report.text import verdict_as_text

    namespace = _namespace()
    try:
        run = provenance(task, namespace)
        verdict, printed = judge_namespace(task, namespace, device)
    except (LookupError, ValueError) as error:  # no such task, no such device
        print(error.args[0], file=sys.stderr)
        return None
    if execution == "validate" and verdict.points < verdict.maximum:
        raise ChecksMissedError(f"{task}: {verdict.points:g} of {verdict.maximum:g} points. {verdict.reason}")
    _show(verdict, verdict_as_text(verdict, drawn=_shell() is not None, run=run), printed, run)
    return Points(verdict.points)


def _namespace() -> dict[str, Any]:
    """The notebook's global names; those of `__main__` outside IPython."""
    shell = _shell()
    return shell.user_ns if shell is not None else vars(sys.modules["__main__"])


def _shell() -> Any:
    ipython = sys.modules.get("IPython")  # where nobody has loaded it, there is no notebook
    return ipython.get_ipython() if ipython is not None else None


def _show(verdict: Any, text: str, printed: str, run: Any) -> None:
    if _shell() is None:
        print(text)
        return
    from IPython.display import publish_display_data

    from autograder.report.html import verdict_as_html

    publish_display_data({"text/html": verdict_as_html(verdict, printed, run), "text/plain": text})


def hint(task: str) -> None:
    """Print the next hint for a task: first a question, then a pointer, then almost the idea.

    Args:
        task: the task's name.
    """
    from autograder.hints import next_hint

    try:
        print(textwrap.fill(next_hint(task), WIDTH))  # JupyterLab breaks a longer line in the middle of a word
    except LookupError as error:
        print(error.args[0], file=sys.stderr)


def progress(*exercises: str) -> None:
    """Print how far you are: the saved notebooks are run from clean, each in a process of its own, as at grading.

    Args:
        exercises: names; with one of them, task by task; all that are there, where left out.
    """
    if os.environ.get(SANDBOX) or os.environ.get("NBGRADER_EXECUTION"):
        return  # the notebook is being graded or validated, and has no file of its own to run
    if not all(isinstance(name, str) and "\0" not in name for name in exercises):
        print('An exercise is given by its name, as text in quotes: progress("01_scalar_graphs").', file=sys.stderr)
        return
    command = [sys.executable, "-m", "autograder.command_line", "progress", "--", *exercises]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=_plain())
    said = done.stdout.strip()
    if done.returncode not in TOLD:
        said = f"progress could not be computed: {said.splitlines()[-1] if said else 'the process was ended'}"
    print(said)


def _plain() -> dict[str, str]:
    """An environment in which a command does not take its pipe for a terminal, as a kernel's lets it."""
    kept = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "CLICOLOR_FORCE")}
    return kept | {"COLUMNS": "100"}


def _get_ready() -> None:
    """In a kernel, load now what the first check, or a first use of torch in it, would load."""
    if _shell() is not None and not os.environ.get(SANDBOX):
        from autograder.grader.judge import judge
        from autograder.grader.live import get_ready

        judge()
        get_ready()
        if (note := torch_note()) is not None:
            print(note)


_get_ready()
