"""`autograder grade`: the command line of class grading."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from autograder.classroom.course import Course, CourseError
from autograder.classroom.database import opened
from autograder.classroom.done import Done
from autograder.classroom.executors import Cores, Place, PlaceError
from autograder.classroom.failures import note_failure
from autograder.classroom.run import ClassRun, Wish
from autograder.classroom.student_data import export_anonymously, forget, stored
from autograder.classroom.summary import Summary, changes
from autograder.standings.open_cells import open_cells
from autograder.terminal import Terminal, complain

INTERRUPTED = 130
SECONDS_BETWEEN_LINES = 5.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `autograder grade`."""
    parser.add_argument("assignments", nargs="*", help="names of assignments; all that have submissions where left out")
    parser.add_argument("--student", action="append", help="only this student; may be given several times")
    parser.add_argument("--workers", type=int, default=None, help="how many at a time; one per core where left out")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="grade on a Dask cluster, as tcp://10.0.0.1:8786")
    parser.add_argument("--reach", type=float, metavar="SECONDS", default=60, help="how long to try to reach it")
    parser.add_argument(
        "--device",
        metavar="NAME",
        help="cpu, cuda, mps or auto; Grade.device, which is cpu, where left out",
    )
    parser.add_argument("--force", action="store_true", help="run and write everything anew")
    parser.add_argument("--rejudge", action="store_true", help="judge stored answers again with today's checks")
    parser.add_argument("--diff", action="store_true", help="with --rejudge: say what would change, write nothing")


def grade(options: argparse.Namespace) -> int:
    """Run it.

    Returns:
        0, 1 where a submission could not be graded, 2 where the course cannot, 130 after Ctrl-C.
    """
    console = Terminal()
    wish = Wish(rejudge=options.rejudge or options.diff, write=not options.diff, force=options.force)
    summary, start = Summary(), time.monotonic()
    try:
        course = Course(device=options.device, here=options.scheduler is None)
        if course.device != "cpu":
            console.print(f"Notebooks run on the device {course.device}.")
        run = ClassRun(course, wish, _place(options))
        with run.store.only_one():
            course.require(options.student or [])
            assignments = course.assignments(options.assignments)
            console.lines(course.notes())
            for assignment in assignments:
                count = sum(1 for _ in course.submissions(assignment, options.student))
                for done in _watched(run, assignment, options.student, count, console):
                    summary.add(done)
                    if done.state == "failed" and wish.write:
                        note_failure(course, run.store, done)
                with opened(course.directory.db_url) as gradebook:
                    summary.waits(open_cells(gradebook, assignment, options.student, summary.failures(assignment)))
    except (CourseError, PlaceError) as error:
        written = f" What is written stays ({summary.states()}); the same command goes on." if summary.seen else ""
        complain("autograder grade", f"{error}.{written}" if written else error)
        return 2
    except KeyboardInterrupt:
        console.print(
            f"Stopped after {summary.states() or 'nothing'}. What is written stays; the same command goes on."
        )
        return INTERRUPTED
    if options.diff:
        console.print(changes(summary.changed))
    summary.show(console, time.monotonic() - start)
    if options.diff:
        console.print("Nothing was written.")
    return 1 if summary.failed else 0


def _place(options: argparse.Namespace) -> Place:
    """This machine's cores, or a cluster."""
    if options.scheduler is None:
        return Cores(options.workers)
    try:
        from autograder.classroom.cluster import Cluster
    except ImportError as error:
        raise PlaceError(f"--scheduler needs Dask ({error}): pip install -c constraints.txt -e '.[cluster]'") from error
    return Cluster(options.scheduler, options.reach)


def _watched(
    run: ClassRun, assignment: str, students: list[str] | None, count: int, console: Console
) -> Iterator[Done]:
    """The run, with a bar in a terminal and plain lines elsewhere."""
    if not console.is_terminal:
        yield from _with_lines(run, assignment, students, count, console)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[note]}"))
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=console) as progress:
        bar, failures = progress.add_task(assignment, total=count, note=""), 0
        for done in run.grade(assignment, progress.console.print, students):
            failures += done.state == "failed"
            speed = progress.tasks[0].speed
            rate = f"{speed:.1f}/s" if speed else ""
            progress.update(bar, advance=1, note=f"{rate} {failures} failed" if failures else rate)
            yield done


def _with_lines(
    run: ClassRun, assignment: str, students: list[str] | None, count: int, console: Console
) -> Iterator[Done]:
    finished = failures = 0
    start = said = time.monotonic()
    for done in run.grade(assignment, console.print, students):
        finished, failures = finished + 1, failures + (done.state == "failed")
        now = time.monotonic()
        if now - said > SECONDS_BETWEEN_LINES or finished == count:
            said, left = now, (count - finished) * (now - start) / finished
            console.print(f"{assignment}: {finished} of {count}, {failures} failed, {left:.0f} s left")
        yield done


def forget_student(options: argparse.Namespace) -> int:
    """`autograder forget`: ask, then delete.

    Returns:
        0, 1 where the answer was no, 2 where there is nothing of the student, no course or nobody to ask.
    """
    try:
        course = Course()
        found = stored(course, options.student)
        if not options.yes:
            Terminal().lines(found)
            if not _confirmed(options.student):
                print("Nothing was deleted.")
                return 1
        removed = forget(course, options.student)
    except CourseError as error:
        complain("autograder forget", error)
        return 2
    Terminal().lines([f"deleted: {one}" for one in removed])
    return 0


def _confirmed(student: str) -> bool:
    """Ask for the student's name.

    Raises:
        CourseError: where there is no terminal.
    """
    if not sys.stdin.isatty():
        raise CourseError("there is no terminal to ask in: look at what stands above, then repeat it with --yes")
    try:
        return input("Delete all of this? Type the student's name: ") == student
    except EOFError:
        return False


def export_class(options: argparse.Namespace) -> int:
    """`autograder export-anonymous`.

    Returns:
        0, or 2 where there is no course.
    """
    try:
        with options.file.open("w", newline="", encoding="utf-8") as file:
            count = export_anonymously(Course(), file)
    except CourseError as error:
        complain("autograder export-anonymous", error)
        return 2
    print(f"{count} rows in {options.file}")
    return 0
