"""`autograder appeal`: list the appeals of a course, show one with the answers replayed, decide it, show the log."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from autograder.appeals.showing import appeal_shown, appeals_table, decisions_table
from autograder.classroom.assignment_lookup import course_directory, why_unknown
from autograder.classroom.course import Course, Submission
from autograder.classroom.database import known_gradebook
from autograder.classroom.errors import CourseError
from autograder.decisions.contests import Appeal, appeals, readable, task_name
from autograder.decisions.log import LONGEST_REASON, Decision, DecisionLog, Kind, this_user, today
from autograder.gradebook_access.folder import gradebook_folder
from autograder.gradebook_access.known_cells import KnownCells, known_cells
from autograder.gradebook_access.reasons import reason
from autograder.names import with_nearest
from autograder.standings.course_changes import course_changes
from autograder.standings.handed_in import HandedIn
from autograder.tasks.folders import exercise_folder
from autograder.terminal import Terminal, complain
from autograder.verdicts.graded_notebook import GradedNotebook

if TYPE_CHECKING:  # it loads torch
    from autograder.appeals.replaying import Replay

VERB = "autograder appeal"
WORDS = {"upheld": Kind.UPHELD, "rejected": Kind.REJECTED}
NEXT = (
    "This gives no points by itself: correct the check and run `autograder grade {} --rejudge --diff`, or give the "
    "points in the formgrader."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `autograder appeal`."""
    parser.add_argument("assignment", nargs="?", help="its name; the whole course where left out")
    parser.add_argument("student", nargs="?", help="show the appeals of this student, with the answers replayed")
    parser.add_argument("task", nargs="?", help="only the appeal about this task")
    parser.add_argument("--decide", choices=tuple(WORDS), help="decide the appeal about this task, with --reason")
    parser.add_argument("--record", metavar="WORDS", help="note an appeal that came by another way, in these words")
    parser.add_argument("--reason", metavar="WORDS", default="", help="why; the student reads it on the feedback page")
    parser.add_argument("--by", metavar="NAME", default=this_user(), help="who decides; you where left out")
    parser.add_argument("--log", action="store_true", help="show all decisions, rejudgements included")


def handle_appeals(options: argparse.Namespace) -> int:
    """Run `autograder appeal`.

    Returns:
        The exit status: 0, or 2 if there is no such appeal, or it cannot be decided.
    """
    terminal = Terminal()
    try:
        _handle(options, terminal)
    except CourseError as error:
        complain(VERB, error)
        return 2
    except OSError as error:
        complain(VERB, reason(error))
        return 2
    return 0


def _handle(options: argparse.Namespace, terminal: Terminal) -> None:
    course = course_directory()
    log = DecisionLog(gradebook_folder(course))
    if log.unreadable:
        terminal.lines([f"{log.path} has {log.unreadable} lines that this version cannot read; they stay as they are."])
    with known_gradebook(course) as gradebook:
        known = sorted(one.name for one in gradebook.assignments)
        if options.assignment is not None and options.assignment not in known:
            raise why_unknown(course, options.assignment, known)
        cells = dict[str, KnownCells]()
        if options.student is not None:
            cells = {one.name: known_cells(one) for one in gradebook.find_assignment(options.assignment).notebooks}
    if options.log:
        wanted = [one for one in log.decisions if _is_wanted(one, options)]
        terminal.print(decisions_table(wanted) if wanted else "Nothing was decided.")
        return
    names = known if options.assignment is None else [options.assignment]
    found = [one for name in names for one in appeals(course, name, log)]
    if options.student is None:
        if options.decide or options.record:
            raise CourseError("name the appeal: autograder appeal ASSIGNMENT STUDENT TASK, then --decide or --record")
        undecided = [one for one in found if one.decision is None]
        terminal.print(appeals_table(undecided) if undecided else "No appeal is open.")
        return
    _require_student(course, options)
    task = None if options.task is None else task_name(options.task)
    if options.record is not None:
        _record(options, task, cells, log, terminal)
        return
    own = [one for one in found if one.student == options.student and task in (None, one.task)]
    if not own:
        tasks = _tasks(cells)
        about = "" if task is None else f" about {repr(task) if task in tasks else with_nearest(task, tasks)}"
        raise CourseError(f"{options.student} has no appeal{about} in {options.assignment}")
    if options.decide:
        _decide(options, own, cells, log, terminal)
        return
    for one in own:
        _show(one, cells, terminal)


def _is_wanted(one: Decision, options: argparse.Namespace) -> bool:
    task = None if options.task is None else task_name(options.task)
    return (
        options.assignment in (None, one.assignment)
        and options.student in (None, one.student)
        and (task is None or task == one.task or any(task == changed for changed, *_ in one.changes))
    )


def _require_student(course: Any, options: argparse.Namespace) -> None:
    """Refuse a student who has handed in nothing.

    Raises:
        CourseError: if so; the message names the most similar student who has.
    """
    students = HandedIn(course, options.assignment).students()
    if not students:
        raise CourseError(f"{options.assignment} has no submission")
    if options.student not in students:
        raise CourseError(f"no submission for {options.assignment} by {with_nearest(options.student, students)}")


def _tasks(cells: dict[str, KnownCells]) -> set[str]:
    """Return the names of all graded cells as tasks."""
    return {task_name(name) for known in cells.values() for name, (meta, *_) in known.items() if "points" in meta}


def _require_task(task: str | None, cells: dict[str, KnownCells], options: argparse.Namespace) -> str:
    """Return a task that the assignment has.

    Raises:
        CourseError: if it has not.
    """
    if task is None:
        raise CourseError(f"name the task: autograder appeal {options.assignment} {options.student} TASK")
    if task not in _tasks(cells):
        raise CourseError(f"{options.assignment} has no task {with_nearest(task, _tasks(cells))}")
    return task


def _record(
    options: argparse.Namespace, task: str | None, cells: dict[str, KnownCells], log: DecisionLog, terminal: Terminal
) -> None:
    """Note an appeal that came by another way."""
    named, words = _require_task(task, cells, options), readable(options.record)
    if not words:
        raise CourseError("--record needs the student's words")
    if options.decide:
        raise CourseError("record the appeal first, then decide it")
    names = options.assignment, options.student
    log.append([Decision(log.next_number, Kind.RECORDED, *names, words, options.by, today(), task=named)])
    terminal.lines([f"The appeal of {options.student} about {named} is recorded, and open."])


def _decide(
    options: argparse.Namespace, own: list[Appeal], cells: dict[str, KnownCells], log: DecisionLog, terminal: Terminal
) -> None:
    """Decide one appeal; a later decision replaces an earlier one, and the log keeps both."""
    why = " ".join(options.reason.split())[:LONGEST_REASON]
    if not why:
        raise CourseError("a decision needs a reason, which the student reads: add --reason with a sentence")
    one = next((appeal for appeal in own if appeal.decision is None), own[-1])
    if options.task is None and len({appeal.task for appeal in own}) > 1:
        tasks = ", ".join(sorted({appeal.task for appeal in own}))
        raise CourseError(f"{options.student} has appeals about {tasks}: name the task")
    kind = WORDS[options.decide]
    if one.task not in _tasks(cells) and kind is Kind.UPHELD:
        named = with_nearest(one.task, _tasks(cells))
        raise CourseError(f"{options.assignment} has no task {named}, so the appeal can only be rejected")
    names = options.assignment, options.student
    log.append([Decision(log.next_number, kind, *names, why, options.by, today(), task=one.task, appeal=one.digest)])
    said = [f"The appeal of {options.student} about {one.task} is {kind.value}; the next feedback page says so."]
    terminal.lines([*said, NEXT.format(options.assignment)] if kind is Kind.UPHELD else said)


def _show(appeal: Appeal, cells: dict[str, KnownCells], terminal: Terminal) -> None:
    """Print one appeal with the recorded verdict and the stored answers."""
    place = next((name for name, known in cells.items() if appeal.task in _tasks({name: known})), None)
    if place is None:
        near = with_nearest(appeal.task, _tasks(cells))
        head = f"{appeal.student} contests {near}, a task that {appeal.assignment} does not have, {appeal.source}:"
        _lines(terminal, [head, appeal.words])
        return
    course = Course()
    where = course.submitted / appeal.student / appeal.assignment / f"{place}.ipynb"
    submission = Submission(appeal.student, appeal.assignment, place, where)
    graded = GradedNotebook.read(course.autograded(submission))
    verdict = graded.verdicts.get(appeal.task, {})
    folder = exercise_folder(place)
    replayed: Replay | None = None
    if verdict and folder is not None and appeal.task in folder.tasks:
        from autograder.appeals.replaying import replay  # here, because it loads torch and pytest

        replayed = replay(course, submission, appeal.task)
    _lines(terminal, appeal_shown(appeal, verdict, course_changes(graded, place, cells[place]), replayed))


def _lines(terminal: Terminal, texts: Iterable[str]) -> None:
    """Print texts, each of one line or several."""
    for text in texts:
        terminal.lines(text.split("\n"))
