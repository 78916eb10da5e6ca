"""`autograder grade`: the command line of class grading."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from autograder.classroom.changes import changes
from autograder.classroom.course import Course
from autograder.classroom.database import opened
from autograder.classroom.done import Done, State
from autograder.classroom.errors import CourseError
from autograder.classroom.executors import Backend, BackendError, Cores
from autograder.classroom.failures import note_failure
from autograder.classroom.run import ClassRun
from autograder.classroom.run_options import RunOptions
from autograder.classroom.store import Store
from autograder.classroom.summary import Summary
from autograder.classroom.undoing import Undo
from autograder.decisions.contests import is_appeal, open_appeals_note
from autograder.decisions.log import LONGEST_REASON, this_user
from autograder.grader.secret_seed import keep_fingerprint
from autograder.nbgrader_plugin.delimited import read_once
from autograder.nbgrader_plugin.registering import exercises, released_folder
from autograder.standings.handed_in import HandedIn
from autograder.standings.last_seen import LastSeen
from autograder.standings.open_cells import open_cells
from autograder.standings.participants import withdrawn
from autograder.standings.points_to_check import points_to_check
from autograder.tasks.folders import is_left_out
from autograder.tasks.folders import left_out as left_out_of_the_course
from autograder.terminal import Terminal, complain

INTERRUPTED = 130
MOST_NAMED = 5
SECONDS_BETWEEN_LINES = 5.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `autograder grade`."""
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
    parser.add_argument("--reason", metavar="WORDS", default="", help="why points change; kept in the log of decisions")
    parser.add_argument("--by", metavar="NAME", default=this_user(), help="who decides; you where left out")
    parser.add_argument("--undo", metavar="NUMBER", type=int, help="put back what a rejudgement changed, with --reason")


def grade(options: argparse.Namespace) -> int:
    """Run `autograder grade`.

    Returns:
        0; 1 if a submission could not be graded, 2 if the course could not, 130 after Ctrl-C.
    """
    console = Terminal()
    run_options = RunOptions(
        rejudge=options.rejudge or options.diff,
        write=not options.diff,
        force=options.force,
        reason=options.reason.strip()[:LONGEST_REASON],
        by=options.by.strip()[:LONGEST_REASON],
    )
    summary, start = Summary(), time.monotonic()
    try:
        if options.undo is not None:
            return _undo(options, run_options, console)
        course = Course(device=options.device, here=options.scheduler is None)
        if course.device != "cpu":
            console.print(f"Notebooks run on the device {course.device}.")
        run = ClassRun(course, run_options, _backend(options))
        with run.store.only_one(), run.workers, read_once():
            course.require(options.student or [])
            if refused := next(filter(is_left_out, options.assignments), None):
                raise CourseError(left_out_of_the_course(refused))
            assignments = [one for one in course.assignments(options.assignments) if not is_left_out(one)]
            summary = Summary(several=len(assignments) > 1)
            console.lines(filter(None, [run.seed_is_another]))
            if run_options.write:
                keep_fingerprint(course.gradebook)
            console.lines(course.notes())
            console.lines(_nobody(course, options.assignments))
            for name in options.assignments or sorted({*assignments, *exercises(course.directory)}):
                expected = _expected(course, name, name in assignments)
                summary.gradebook.others(name, expected, HandedIn(course.directory, name).others(expected))
            for assignment in assignments:
                count = sum(1 for _ in course.submissions(assignment, options.student))
                for done in _watched(run, assignment, options.student, count, console):
                    summary.add(done)
                    if done.state == State.FAILED and run_options.write:
                        note_failure(course, run.store, done)
                summary.unseen(assignment, _unseen(course, assignment, options.student))
                summary.gradebook.differs(list(open_appeals_note(course.directory, assignment)))
                with opened(course.directory.db_url) as gradebook:
                    gone = withdrawn(gradebook, course.directory, assignment)
                    left_out = [*summary.failures(assignment), *gone]
                    summary.waits(open_cells(gradebook, assignment, options.student, left_out))
                    summary.gradebook.withdrawn(assignment, gone)
                    odd = points_to_check(gradebook, assignment, options.student, left_out)
                    summary.gradebook.check(assignment, odd)
                    seen = LastSeen(gradebook, course.directory, assignment)
                    summary.gradebook.differs(seen.differences())
                    if run_options.write:
                        seen.keep()
    except (CourseError, BackendError) as error:
        written = f" What is written stays ({summary.states()}); the same command goes on." if summary.seen else ""
        complain("autograder grade", f"{error}.{written}" if written else error)
        return 2
    except KeyboardInterrupt:
        console.print(
            f"Stopped after {summary.states() or 'nothing'}. What is written stays; the same command goes on."
        )
        return INTERRUPTED
    if options.diff:
        console.print(changes(summary.changed, summary.left_out))
    summary.show(console, time.monotonic() - start)
    if options.diff:
        console.print("Nothing was written.")
    if summary.held_back:
        console.print(changes([one for one in summary.changed if one.state == State.HELD_BACK]))
        console.print(held_back(summary.held_back, " ".join(options.assignments)))
    return 1 if summary.failed or summary.held_back else 0


def held_back(count: int, named: str) -> str:
    """Say that points were not written, and what to do."""
    again = " ".join(filter(None, ["autograder grade", named, '--rejudge --reason "..."']))
    whose = f"{count} submission{'' if count == 1 else 's'}"
    return (
        f"The points of {whose} would change and were not written, because no reason was given: look at them with "
        f"`--rejudge --diff`, then run `{again}`."
    )


def _undo(options: argparse.Namespace, run_options: RunOptions, console: Terminal) -> int:
    """Put back what a rejudgement changed.

    Raises:
        CourseError: if there is no such rejudgement, or no reason.
    """
    if not run_options.reason:
        raise CourseError("--undo changes points, so say why: add --reason with a few words")
    if options.diff or options.rejudge or options.force:
        raise CourseError("--undo does one thing only: leave out --diff, --rejudge and --force")
    course = Course()
    store = Store(course.gradebook)
    with store.only_one():
        undo = Undo(course, store, options.undo, run_options)
        undo.run(console.print)
    console.lines(["Put back:", *(f"  {one}" for one in undo.restored)] if undo.restored else [])
    console.lines(["Left as they are:", *(f"  {one}" for one in undo.left)] if undo.left else [])
    if not undo.restored:
        raise CourseError(f"nothing of decision {options.undo} was put back")
    console.lines([f"Decision {options.undo} is undone. `autograder grade` leaves these points until you rejudge."])
    return 0


def _expected(course: Course, name: str, known: bool) -> set[str]:
    """Return the names of an assignment's notebooks: the gradebook's, by which the run goes, or else the released."""
    if known:
        return set(course.cells(name))
    return {path.stem for path in released_folder(course.directory, name).glob("*.ipynb")}


def _nobody(course: Course, names: list[str]) -> Iterator[str]:
    """Yield a sentence for each named assignment without a submission."""
    for name in names:
        if not HandedIn(course.directory, name).students():
            yield f"No submission of {name} was handed in: there is nothing to grade in {course.submitted}."


def _unseen(course: Course, assignment: str, students: list[str] | None) -> Iterator[str]:
    """Yield, for each student with files that do not reach their notebooks, their names."""
    for student in sorted(HandedIn(course.directory, assignment).students()):
        names = [name for name in course.files.unseen(assignment, student) if not is_appeal(name)]
        if names and (not students or student in students):
            yield f"{student}: {', '.join(names[:MOST_NAMED])}{' and others' if len(names) > MOST_NAMED else ''}"


def _backend(options: argparse.Namespace) -> Backend:
    """Return the cluster that the options name, or else this machine's cores."""
    if options.scheduler is None:
        return Cores(options.workers)
    try:
        from autograder.classroom.cluster import Cluster  # here, because Dask need not be installed
    except ImportError as error:
        raise BackendError(
            f"--scheduler needs Dask ({error}): pip install -c constraints.txt -e '.[cluster]'"
        ) from error
    return Cluster(options.scheduler, options.reach)


def _watched(
    run: ClassRun, assignment: str, students: list[str] | None, count: int, console: Console
) -> Iterator[Done]:
    """Grade an assignment, with a progress bar in a terminal and plain lines elsewhere."""
    if not console.is_terminal:
        yield from _with_lines(run, assignment, students, count, console)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[note]}"))
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=console) as progress:
        bar, failures = progress.add_task(assignment, total=count, note=""), 0
        for done in run.grade(assignment, progress.console.print, students):
            failures += done.state == State.FAILED
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
        finished, failures = finished + 1, failures + (done.state == State.FAILED)
        now = time.monotonic()
        if now - said > SECONDS_BETWEEN_LINES or finished == count:
            said, left = now, (count - finished) * (now - start) / finished
            console.print(f"{assignment}: {finished} of {count}, {failures} failed, {left:.0f} s left")
        yield done
