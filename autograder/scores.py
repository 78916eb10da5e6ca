"""Print a class's scores as a table: each student's points, and the reasons for those that are missing."""

from __future__ import annotations

import dataclasses
import sys
from collections import Counter

from nbgrader.coursedir import CourseDirectory
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.classroom.assignment_lookup import course_directory, why_unknown
from autograder.classroom.database import known_gradebook
from autograder.classroom.errors import CourseError
from autograder.decisions.contests import open_appeals_note
from autograder.nbgrader_plugin.anonymity import formgrader_numbers, is_anonymous
from autograder.nbgrader_plugin.extensions import ExtensionsError
from autograder.nbgrader_plugin.readiness import allowance
from autograder.standings.cell_score import CellScore
from autograder.standings.course_changes import told
from autograder.standings.last_seen import report_differences
from autograder.standings.standing import Standing, standings
from autograder.standings.state import State
from autograder.tasks.folders import is_left_out
from autograder.terminal import LONGEST_NAME, Terminal, add_names, complain
from autograder.verdicts.plain_text import asserted_notice

DIFFERS = "The gradebook differs from what was last seen; without c.Grade.anonymous, this command says where"
LEAST_REASON, BORDERS = 20, 13
"""Characters of the reason's column and of all borders; in a window too narrow for them there is no table."""


def class_standings(coursedir: CourseDirectory, assignment: str) -> tuple[list[Standing], list[str]]:
    """Compute where every student stands, read through nbgrader's API, and what differs from when it was graded.

    Raises:
        CourseError: where there is no gradebook to be had, or it knows no such assignment.
    """
    with known_gradebook(coursedir) as gradebook:
        known = {one.name for one in gradebook.assignments}
        if assignment in known:
            differences = report_differences(gradebook, coursedir, assignment)
            every = list(standings(gradebook, coursedir, assignment))
            changed = told(assignment, [one.changes for one in every])
            return every, [*differences, *changed, *open_appeals_note(coursedir, assignment)]
    raise why_unknown(coursedir, assignment, known)


def lacking(standing: Standing) -> list[tuple[str, str, str]]:
    """List task, points and reason of each grade cell without full points; one row if all have the same reason.

    The list is empty if the standing as a whole has a reason, for instance that it is not current.
    """
    if standing.reason:
        return []
    cells = [cell for cell in standing.cells if _is_shown(cell)]
    if len(cells) == len(standing.cells) > 1 and len({cell.why for cell in cells}) == 1:
        return [("all tasks", "", cells[0].why)]
    several = len({cell.notebook for cell in standing.cells}) > 1
    return [(f"{cell.notebook}: {cell.task}" if several else cell.task, cell.shown, cell.why) for cell in cells]


def _is_shown(cell: CellScore) -> bool:
    doubtful = bool(cell.out_of_range) or (cell.asserted and cell.by_hand is None and bool(cell.reason))
    return cell.state is not State.GRADED or cell.points < cell.maximum or doubtful


def print_scores(assignment: str | None) -> int:
    """Print the table of an assignment, or how far each assignment is.

    Returns:
        The exit status: 0, 2 where there is no such table.
    """
    terminal = Terminal()
    try:
        if assignment is None:
            terminal.print(_assignments(course_directory()))
            return 0
        course = course_directory()
        every, notes = class_standings(course, assignment)
        granted = {one.student: allowance(course, course.config, one.student, assignment).said for one in every}
    except (CourseError, ExtensionsError) as error:
        complain("autograder scores", error)
        return 2
    missing = [one.student for one in every if one.state is State.MISSING]
    shown = [_Line(one, one.student, granted[one.student]) for one in every if one.state is not State.MISSING]
    if is_anonymous(course.config):
        names = formgrader_numbers(every, course, assignment)
        missing = [f"{len(missing)} of {len(every)}"] if missing else []
        shown = sorted((_Line(one.standing, names[one.standing.student]) for one in shown), key=lambda one: one.place)
        notes = [DIFFERS] if notes else []
    terminal.print(_as_table(assignment, shown, terminal.width) or _as_paragraphs(assignment, shown))
    judged = {cell.cell: cell.asserted for one in shown for cell in one.standing.cells if cell.tested}
    if any(judged.values()):
        terminal.print(Text(asserted_notice(judged), overflow="fold"))
    if missing:
        terminal.print(Text(f"{State.MISSING.value.capitalize()}: {', '.join(missing)}", overflow="fold"))
    terminal.lines(f"{one}." for one in notes)
    return 0


def _assignments(coursedir: CourseDirectory) -> Table:
    """How many submissions of each assignment are in which state."""
    states = [state for state in State if state is not State.MISSING]
    table = Table("assignment", *(state.value for state in states), title="Submissions", title_justify="left")
    with known_gradebook(coursedir) as gradebook:
        for name in sorted(one.name for one in gradebook.assignments if not is_left_out(one.name)):
            counted = Counter(one.state for one in standings(gradebook, coursedir, name))
            table.add_row(Text(name), *(str(counted[state] or "") for state in states))
    return table


@dataclasses.dataclass(frozen=True)
class _Line:
    """One student's first line in the table.

    Attributes:
        standing: the student's standing.
        who: what the student is called here.
        granted: the extension and the cohort that the student has, in words; empty if there are none.
    """

    standing: Standing
    who: str
    granted: str = ""

    @property
    def summary(self) -> str:
        """What is said of the submission as a whole."""
        return "; ".join(filter(None, [self.standing.summary, self.granted]))

    @property
    def place(self) -> tuple[int, str]:
        """The place among names that end in a number, which tells nothing about the student's own name."""
        number = self.who.rpartition("#")[2]
        return (int(number), "") if number.isdecimal() else (sys.maxsize, self.standing.shown)


def _as_table(assignment: str, every: list[_Line], width: int) -> Table | None:
    """Lay out standings as a table; None if the window is too narrow for its columns."""
    lines = [(one, lacking(one.standing)) for one in every]
    names = min(LONGEST_NAME, max((cell_len(one.who) for one in every), default=0))
    tasks = max((cell_len(task) for _, rows in lines for task, _, _ in rows), default=0)
    shown = ["points", *(one.standing.shown for one in every), *(points for _, rows in lines for _, points, _ in rows)]
    if names + tasks + max(map(len, shown)) + LEAST_REASON + BORDERS > width:
        return None
    table = Table(title=assignment, title_justify="left")
    add_names(table, "student")
    table.add_column("task", no_wrap=True)
    table.add_column("points", justify="right", no_wrap=True)
    table.add_column("reason", overflow="fold")
    for one, rows in lines:
        table.add_row(Text(one.who, style="bold"), "", Text(one.standing.shown, style="bold"), Text(one.summary))
        for task, points, reason in rows:
            table.add_row("", task, points, Text(reason))
        table.add_section()
    return table


def _as_paragraphs(assignment: str, every: list[_Line]) -> Group:
    """Lay out standings as paragraphs, for a narrow window."""
    parts: list[RenderableType] = [Text(assignment, style="italic")]
    for one in every:
        head = " ".join(filter(None, [one.who, one.standing.shown, one.summary]))
        parts.append(Text(head, style="bold", overflow="fold"))
        for task, points, reason in lacking(one.standing):
            parts += [
                Padding(Text(f"{task} {points}".rstrip()), (0, 0, 0, 2), expand=False),
                Padding(Text(reason), (0, 0, 0, 4), expand=False),
            ]
    return Group(*parts)
