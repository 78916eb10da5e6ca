"""The command-line verbs for task authors: `autograder new`, `autograder notebook` and `autograder check-task`."""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Callable

from autograder.authoring.scaffolding import begin_exercise, begin_task, to_fill_in
from autograder.tasks.folders import exercises, whole_course
from autograder.tasks.tables import TaskFolderError


def add_verbs(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verbs for task authors to the command line."""
    new = verbs.add_parser("new", help="begin an exercise or a task: folders that run and say what you fill in")
    new.add_argument("what", choices=("exercise", "task"))
    new.add_argument("name", help="14_optimizers, or 14_optimizers/sgd_step")
    new.set_defaults(run=new_folder)
    notebook = verbs.add_parser("notebook", help="make the notebooks of exercises from the folders of their tasks")
    notebook.add_argument("exercises", nargs="*", help="all of them where left out")
    notebook.add_argument("--back", action="store_true", help="read edited cells into the files they come from")
    notebook.add_argument("--force", action="store_true", help="also where what was changed meanwhile is lost")
    notebook.set_defaults(run=make_notebooks)
    check = verbs.add_parser("check-task", help="prove one task: references, mistakes, answers, mutants, notebook")
    check.add_argument("task", help="sgd_step, or 14_optimizers/sgd_step")
    check.add_argument("--all", action="store_true", help="show every problem, also where many are alike")
    check.set_defaults(run=check_task)
    for verb in (notebook, check):
        verb.add_argument("--traceback", action="store_true", help="show exceptions of the task's files whole, too")


def task_errors_told(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """Decorate a verb to print errors in task folders as one sentence and exit with status 2.

    The verb sees the whole course, because what it makes is the same whatever an instructor's course file chooses.
    """

    def running(given: argparse.Namespace) -> int:
        try:
            with whole_course():
                return run(given)
        except (TaskFolderError, LookupError) as error:
            if getattr(given, "traceback", False):
                traceback.print_exception(error)
            print(error.args[0], file=sys.stderr)
            return 2

    return running


@task_errors_told
def new_folder(given: argparse.Namespace) -> int:
    """Run `autograder new`: scaffold an exercise or a task."""
    if given.what == "exercise":
        path = begin_exercise(given.name)
        print(f"{path} is made; next run: autograder new task {given.name}/NAME")
        return 0
    exercise, _, name = given.name.partition("/")
    if not name:
        raise TaskFolderError(f"a task is given with its exercise: autograder new task EXERCISE/{exercise}")
    path = begin_task(exercise, name)
    print(f"{path} is made and runs; fill in:", *(f"    {one}" for one in to_fill_in(path)), sep="\n")
    print(f"Then run: autograder notebook {exercise} && autograder check-task {given.name}")
    return 0


@task_errors_told
def make_notebooks(given: argparse.Namespace) -> int:
    """Run `autograder notebook`: write notebooks, after reading edits back if asked to."""
    from autograder.authoring.exercise_notebook import write_notebook  # imports torch
    from autograder.authoring.notebook_edits import read_back

    for exercise in given.exercises or exercises():
        if given.back:
            for changed in read_back(exercise, given.force):
                print(f"{changed} now has the edits of the notebook")
        if (path := write_notebook(exercise, given.force or given.back)) is not None:
            print(f"{path} is written")
    return 0


@task_errors_told
def check_task(given: argparse.Namespace) -> int:
    """Run `autograder check-task`: prove one task."""
    from autograder.proving.command import prove  # imports torch

    return prove(given.task.rpartition("/")[2], given.traceback, given.all)
