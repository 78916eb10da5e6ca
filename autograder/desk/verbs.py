"""The command-line verbs for students; each loads what it needs when it runs."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_verbs(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the verbs for students to the command line; `lab` gets the arguments that it does not know as `rest`."""
    progress = verbs.add_parser("progress", help="how far you are: all exercises, or some by name or file")
    progress.add_argument("--concepts", action="store_true", help="your tasks and your predictions, by concept")
    progress.set_defaults(run=_progress)
    watch = verbs.add_parser(
        "watch", help="check a notebook whenever it is saved: all exercises, or some by name or file"
    )
    watch.set_defaults(run=_watch)
    for verb in (progress, watch):
        verb.add_argument("exercises", nargs="*")
    lab = verbs.add_parser("lab", help="open JupyterLab in work/, a student's workspace; takes jupyter lab's options")
    lab.set_defaults(run=_lab)
    work = verbs.add_parser("work", help="fill work/ with what is missing, and say what is newer in the course")
    work.add_argument("--take", nargs="+", default=[], metavar="EXERCISE", help="the newer version of these, by name")
    work.set_defaults(run=_work)
    record = verbs.add_parser("export-record", help="your own predictions and attempts, without your name")
    record.add_argument("file", type=Path, nargs="?", help="a new file; it is shown first, then you are asked")
    record.add_argument("--show", action="store_true", help="show what it would hold, and write nothing")
    record.set_defaults(run=_export_record)


def _progress(given: argparse.Namespace) -> int:
    if given.concepts:
        from autograder.desk.concepts import print_concepts

        return print_concepts()
    from autograder.desk.progress import print_progress

    return print_progress(given.exercises)


def _watch(given: argparse.Namespace) -> int:
    from autograder.desk.watch import watch_notebooks

    return watch_notebooks(given.exercises)


def _lab(given: argparse.Namespace) -> int:
    from autograder.desk.lab import open_lab

    return open_lab(given.rest)


def _work(given: argparse.Namespace) -> int:
    from autograder.desk.lab import fill_workspace

    return fill_workspace(given.take)


def _export_record(given: argparse.Namespace) -> int:
    from autograder.desk.record_export import export_record

    return export_record(given)
