"""A class's scores as a table: where each student stands, how the points came about, and why some are missing."""

from __future__ import annotations

from pathlib import Path

from nbgrader.api import MissingEntry
from nbgrader.coursedir import CourseDirectory
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from traitlets.config import PyFileConfigLoader

from autograder.classroom.database import opened
from autograder.classroom.errors import CourseError
from autograder.standings.standing import Standing, standings
from autograder.standings.state import State
from autograder.terminal import LONGEST_NAME, Terminal, add_names, complain

LEAST_REASON, BORDERS = 20, 13
"""Characters in a line of the table; where a window has fewer, there is none."""


def course_directory() -> CourseDirectory:
    """The course in the current folder, as nbgrader_config.py describes it.

    Raises:
        FileNotFoundError: where there is none.
    """
    if not Path("nbgrader_config.py").exists():
        raise FileNotFoundError("there is no nbgrader_config.py here: run this in the course's folder")
    return CourseDirectory(config=PyFileConfigLoader("nbgrader_config.py", path=".").load_config())


def class_standings(coursedir: CourseDirectory, assignment: str) -> list[Standing]:
    """Compute where every student stands, read through nbgrader's API.

    Raises:
        MissingEntry: where the gradebook knows no such assignment.
        CourseError: where there is no gradebook to be had.
    """
    with opened(coursedir.db_url) as gradebook:
        return list(standings(gradebook, coursedir, assignment))


def lacking(standing: Standing) -> list[tuple[str, str, str]]:
    """Task, points and reason of what a student lacks; one row where all tasks lack for one reason.

    Of scores that are not current there is nothing to say cell by cell.
    """
    if standing.reason:
        return []
    cells = [cell for cell in standing.cells if cell.state is not State.GRADED or cell.points < cell.maximum]
    if len(cells) == len(standing.cells) > 1 and len({cell.why for cell in cells}) == 1:
        return [("all tasks", "", cells[0].why)]
    return [(cell.task, cell.shown, cell.why) for cell in cells]


def print_scores(assignment: str) -> int:
    """Print the table.

    Returns:
        The exit status: 0, 1 where there is no such table, 2 where there is no gradebook to be had.
    """
    try:
        every = class_standings(course_directory(), assignment)
    except (MissingEntry, FileNotFoundError, CourseError) as error:
        complain("autograder scores", error)
        return 2 if isinstance(error, CourseError) else 1
    terminal = Terminal()
    missing = [one.student for one in every if one.state is State.MISSING]
    shown = [one for one in every if one.state is not State.MISSING]
    terminal.print(_as_table(assignment, shown, terminal.width) or _as_paragraphs(assignment, shown))
    if missing:
        terminal.print(Text(f"{State.MISSING.value.capitalize()}: {', '.join(missing)}", overflow="fold"))
    return 0


def _as_table(assignment: str, every: list[Standing], width: int) -> Table | None:
    """A table, where all its columns have room."""
    lines = [(one, lacking(one)) for one in every]
    names = min(LONGEST_NAME, max((cell_len(one.student) for one in every), default=0))
    tasks = max((cell_len(task) for _, rows in lines for task, _, _ in rows), default=0)
    shown = ["points", *(one.shown for one in every), *(points for _, rows in lines for _, points, _ in rows)]
    if names + tasks + max(map(len, shown)) + LEAST_REASON + BORDERS > width:
        return None
    table = Table(title=assignment, title_justify="left")
    add_names(table, "student")
    table.add_column("task", no_wrap=True)
    table.add_column("points", justify="right", no_wrap=True)
    table.add_column("reason", overflow="fold")
    for one, rows in lines:
        table.add_row(Text(one.student, style="bold"), "", Text(one.shown, style="bold"), Text(one.said))
        for task, points, reason in rows:
            table.add_row("", task, points, Text(reason))
        table.add_section()
    return table


def _as_paragraphs(assignment: str, every: list[Standing]) -> Group:
    """The same below each other, for a narrow window."""
    parts: list[RenderableType] = [Text(assignment, style="italic")]
    for one in every:
        head = " ".join(filter(None, [one.student, one.shown, one.said]))
        parts.append(Text(head, style="bold", overflow="fold"))
        for task, points, reason in lacking(one):
            parts += [
                Padding(Text(f"{task} {points}".rstrip()), (0, 0, 0, 2), expand=False),
                Padding(Text(reason), (0, 0, 0, 4), expand=False),
            ]
    return Group(*parts)
