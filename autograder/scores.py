"""A class's scores as a table: what nbgrader's gradebook holds, and why points are missing."""

from __future__ import annotations

import dataclasses
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
from autograder.grader.graded_notebook import verdicts_in
from autograder.terminal import LONGEST_NAME, Terminal, add_names, complain

LONGEST_POINTS, LEAST_REASON, BORDERS = 8, 20, 13
"""Characters in a line of the table; where a window has fewer, there is none."""


@dataclasses.dataclass(frozen=True)
class Score:
    """One task of one student, as the gradebook has it."""

    student: str
    task: str
    points: float
    maximum: float
    reason: str


def course_directory() -> CourseDirectory:
    """The course in the current folder, as nbgrader_config.py describes it.

    Raises:
        FileNotFoundError: where there is none.
    """
    if not Path("nbgrader_config.py").exists():
        raise FileNotFoundError("there is no nbgrader_config.py here: run this in the course's folder")
    return CourseDirectory(config=PyFileConfigLoader("nbgrader_config.py", path=".").load_config())


def scores(coursedir: CourseDirectory, assignment: str) -> list[Score]:
    """Every student's score in every task, read through nbgrader's API.

    Raises:
        MissingEntry: where the gradebook knows no such assignment.
        CourseError: where there is no gradebook to be had.
    """
    rows = []
    with opened(coursedir.db_url) as gradebook:
        for submission in sorted(gradebook.assignment_submissions(assignment), key=lambda s: s.student.id):
            student = submission.student.id
            reasons = _reasons(coursedir, assignment, student)
            for notebook in submission.notebooks:
                # A database hands rows out in any order; a notebook's tasks have one.
                place = {name: number for number, name in enumerate(reasons)}
                own = [(grade.cell.name.removeprefix("check_"), grade) for grade in notebook.grades]
                for task, grade in sorted(own, key=lambda one: place.get(one[0], len(place))):
                    rows.append(Score(student, task, grade.score, grade.max_score, reasons.get(task, "")))
    return rows


def _reasons(coursedir: CourseDirectory, assignment: str, student: str) -> dict[str, str]:
    """Why points are missing, from the verdicts in the autograded notebooks."""
    folder = Path(coursedir.format_path(coursedir.autograded_directory, student, assignment))
    verdicts = (verdict for path in sorted(folder.glob("*.ipynb")) for verdict in verdicts_in(path).values())
    return {verdict["task"]: verdict["reason"] for verdict in verdicts}


def _missing(own: list[Score]) -> list[tuple[str, str, str]]:
    """Task, points and reason of what a student lacks; one row where all tasks lack for one reason."""
    lacking = [row for row in own if row.points < row.maximum]
    if len(lacking) == len(own) > 1 and len({row.reason for row in own}) == 1:
        return [("all tasks", "", own[0].reason)]
    return [(row.task, f"{row.points:g}/{row.maximum:g}", row.reason) for row in lacking]


def print_scores(assignment: str) -> int:
    """Print the table.

    Returns:
        The exit status: 0, 1 where there is no such table, 2 where there is no gradebook to be had.
    """
    try:
        rows = scores(course_directory(), assignment)
    except (MissingEntry, FileNotFoundError, CourseError) as error:
        complain("autograder scores", error)
        return 2 if isinstance(error, CourseError) else 1
    terminal = Terminal()
    shown = _as_table(assignment, rows, terminal.width) or _as_paragraphs(assignment, rows)
    terminal.print(shown)
    return 0


def _as_table(assignment: str, rows: list[Score], width: int) -> Table | None:
    """A table, where all its columns have room."""
    missing = {student: _missing(own) for student, own in _by_student(rows).items()}
    names = min(LONGEST_NAME, max(map(cell_len, missing), default=0))
    tasks = max((cell_len(task) for lines in missing.values() for task, _, _ in lines), default=0)
    if names + tasks + LONGEST_POINTS + LEAST_REASON + BORDERS > width:
        return None
    table = Table(title=assignment, title_justify="left")
    add_names(table, "student")
    table.add_column("task", no_wrap=True)
    table.add_column("points", justify="right", no_wrap=True)
    table.add_column("reason", overflow="fold")
    for student, own in _by_student(rows).items():
        table.add_row(Text(student, style="bold"), "", Text(_total(own), style="bold"), "")
        for task, points, reason in missing[student]:
            table.add_row("", task, points, Text(reason))
        table.add_section()
    return table


def _as_paragraphs(assignment: str, rows: list[Score]) -> Group:
    """The same below each other, for a narrow window."""
    parts: list[RenderableType] = [Text(assignment, style="italic")]
    for student, own in _by_student(rows).items():
        parts.append(Text(f"{student} {_total(own)}", style="bold", overflow="fold"))
        for task, points, reason in _missing(own):
            parts += [
                Padding(Text(f"{task} {points}".rstrip()), (0, 0, 0, 2), expand=False),
                Padding(Text(reason), (0, 0, 0, 4), expand=False),
            ]
    return Group(*parts)


def _by_student(rows: list[Score]) -> dict[str, list[Score]]:
    found: dict[str, list[Score]] = {}
    for row in rows:
        found.setdefault(row.student, []).append(row)
    return found


def _total(own: list[Score]) -> str:
    return f"{sum(row.points for row in own):g}/{sum(row.maximum for row in own):g}"
