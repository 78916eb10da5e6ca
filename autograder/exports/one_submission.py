"""`autograder gradescope`: grade the one submission in a Gradescope container, as in class grading.

The notebook runs in a sandbox; this process, which is another, judges it and writes Gradescope's results.json. If the
grader itself fails, it writes nothing, and Gradescope tells student and instructor so.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.checks.catalogue import exercises, tasks_of
from autograder.exports.results_json import VISIBILITIES, TaskScore, results_json, write_json
from autograder.gradebook_access.known_cells import KnownCells
from autograder.gradebook_access.repairs import repair
from autograder.grader.grading import grade
from autograder.grader.sandbox_process import tier_in_use
from autograder.notebooks.opening import opened_folder
from autograder.notebooks.reading import UnavailableNotebookError, UnreadableNotebookError, read_submission
from autograder.notebooks.submission_files import notebook_bytes
from autograder.notebooks.walking import walk
from autograder.sandbox.limits import Limits
from autograder.supervisor.tiers import MEANING
from autograder.tasks.folders import released_name
from autograder.verdicts.verdict import Verdict
from autograder.wire.outcome import Outcome

HERE = Path("/autograder")
"""Gradescope's folder in the container."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `autograder gradescope`."""
    parser.add_argument("exercise", help="01_doubling, say")
    parser.add_argument("--submission", type=Path, default=HERE / "submission", help="the folder with the notebook")
    parser.add_argument("--results", type=Path, default=HERE / "results" / "results.json", help="what to write")
    parser.add_argument("--seed", type=Path, default=HERE / "source", help="the folder with secret_seed")
    parser.add_argument(
        "--released", type=Path, default=Path(released_name(Path())), help="the folder of released exercises"
    )
    parser.add_argument("--visibility", choices=VISIBILITIES, default="visible", help="when students see the tests")
    parser.add_argument("--require", choices=("a", "b", "c"), default="b", help="grade in no lower tier of sandbox")


def grade_submission(options: argparse.Namespace) -> int:
    """Run `autograder gradescope`.

    Returns:
        The exit status: 0, or 2 if nothing was graded and nothing written.
    """
    start = time.monotonic()
    if options.exercise not in exercises():
        print(f"autograder gradescope: there is no exercise {options.exercise!r}", file=sys.stderr)
        return 2
    tier = tier_in_use()
    print(MEANING[tier])
    if tier > options.require:
        print(
            f"autograder gradescope: not graded, for tier {options.require} is required and tier {tier} is what there "
            "is; --require allows a lower one",
            file=sys.stderr,
        )
        return 2
    said = ""
    try:
        verdicts = _verdicts(options)
    except UnavailableNotebookError as error:
        print(f"autograder gradescope: not graded, for {error}", file=sys.stderr)
        return 2
    except UnreadableNotebookError as error:
        said = str(error)
        verdicts = {
            name: Verdict.nothing(task, Outcome.UNREADABLE, said) for name, task in tasks_of(options.exercise).items()
        }
    tasks = [TaskScore.of(verdict) for verdict in verdicts.values()]
    made = results_json(
        options.exercise, tasks, visibility=options.visibility, said=said, seconds=time.monotonic() - start
    )
    write_json(options.results, made)
    print(f"{options.exercise}: {made['score']:g} of {sum(task.maximum for task in tasks):g} points")
    return 0


def _verdicts(options: argparse.Namespace) -> dict[str, Verdict]:
    notebook = read_submission(_notebook(options.submission.resolve(), options.exercise))
    notebook.metadata.pop("autograder", None)
    released = options.released / options.exercise / f"{options.exercise}.ipynb"
    repair(notebook, _released_cells(nbformat.read(released, as_version=4)))
    return grade(notebook, options.exercise, options.seed, Limits(), variant="gradescope")


def _notebook(folder: Path, exercise: str) -> bytes:
    """Return the content of the submitted notebook: the one with the exercise's name, else the only one.

    Raises:
        UnreadableNotebookError: there is no notebook, several, or a symbolic link instead.
    """
    with opened_folder(folder) as descriptor:
        entries = [entry.parts for entry in walk(descriptor, lambda name: name == ".ipynb_checkpoints")]
    found = [parts for parts in entries if parts[-1].endswith(".ipynb")]
    named = [parts for parts in found if parts[-1] == f"{exercise}.ipynb"]
    wanted = named or found
    if len(wanted) != 1:
        what = "holds no notebook" if not found else f"holds {len(found)} notebooks"
        raise UnreadableNotebookError(f"The submission {what}: hand in {exercise}.ipynb and no other.")
    return notebook_bytes(folder, wanted[0])


def _released_cells(notebook: NotebookNode) -> KnownCells:
    """Return the cells that nbgrader's gradebook would know, read from the released notebook."""
    return {
        cell.metadata.nbgrader.grade_id: (dict(cell.metadata.nbgrader), cell.cell_type, cell.source)
        for cell in notebook.cells
        if "nbgrader" in cell.metadata
    }
