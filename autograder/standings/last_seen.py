"""A record of what only the gradebook's database holds: due dates, points by hand and nbgrader's extensions.

The record lies beside the results. Without it, restoring an older database would silently lose what people entered
since, because nothing that can be recomputed differs.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nbgrader.api import Assignment, BaseCell, Grade, Gradebook, Notebook, SubmittedAssignment, SubmittedNotebook
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import or_, select

from autograder.gradebook_access.folder import gradebook_folder
from autograder.notebooks.grade_cells import GRADE_ID
from autograder.standings.number_text import number
from autograder.visible_text import visible
from autograder.whole_files import write_whole

BY_HAND, DUE = "by_hand.seen", ".due.seen"
"""The file in the folder of a student's results, and the suffix of the file beside the folder of an assignment's."""
DATE = "due"
MOST_NAMED = 12
NEWER = "put a newer gradebook.db back, or give them again"
NOTED = "; if that is right, `autograder grade {}` takes note of it"
Given = dict[str, Any]
"""What a person entered, by its name: points, extra credit, an extension or a due date."""
Seen = dict[str, list[Any]]
"""For each name, the values seen since the last class run, oldest first."""


class LastSeen:
    """Comparison of an assignment's rows with the record of what they held when they were last seen."""

    def __init__(self, gradebook: Gradebook, course: CourseDirectory, assignment: str) -> None:
        results = gradebook_folder(course) / "results"
        self._assignment, self._folder = assignment, results / assignment
        self._due_file = results / f"{assignment}{DUE}"
        self._now, self._due = _given(gradebook, assignment), _due(gradebook, assignment)
        self._kept = {path.parent.name: _read(path) for path in self._folder.glob(f"*/{BY_HAND}")}
        self._kept_due = _read(self._due_file)

    def differences(self) -> list[str]:
        """Say what was changed or lost: a sentence for points and one for the due date; nothing about new entries."""
        changed = [
            f"{student} {what} ({number(seen[-1])}, now {'none' if now is None else number(now)})"
            for student, given in sorted(self._kept.items())
            for what, seen in given.items()
            if (now := self._now.get(student, {}).get(what)) != seen[-1]
        ]
        said = []
        if changed:
            more = f" and {len(changed) - MOST_NAMED} more" if len(changed) > MOST_NAMED else ""
            named = f"{', '.join(changed[:MOST_NAMED])}{more}"
            said.append(f"points given by hand are not those that were last seen, in {len(changed)}: {named}: {NEWER}")
        due = self._due.get(DATE)
        # Whichever of the values is right, a class run has to take note of it: until then it is told each time.
        if was := next((one for one in reversed(self._kept_due.get(DATE, [])) if one != due), None):
            said.append(f"the due date was {was} when it was last seen, and is {due or 'none'} now")
        return [visible(f"{self._assignment}: {one}", kept="") for one in said]

    def keep(self) -> None:
        """Replace the record by the present state."""
        self._write(lambda seen, now: {what: [one] for what, one in now.items()})

    def add(self) -> None:
        """Add new values to the record; keep reporting what is missing or has returned to an earlier value."""
        self._write(lambda seen, now: seen | {what: _with(seen.get(what, []), one) for what, one in now.items()})

    def _write(self, noted: Callable[[Seen, Given], Seen]) -> None:
        for student in {*self._now, *self._kept}:
            _replace(self._folder / student / BY_HAND, self._kept.get(student, {}), self._now.get(student, {}), noted)
        _replace(self._due_file, self._kept_due, self._due, noted)


def report_differences(gradebook: Gradebook, course: CourseDirectory, assignment: str) -> list[str]:
    """Say what differs from what was last seen, and record what is new if this user may write there.

    Args:
        gradebook: nbgrader's open gradebook.
        course: locates the results.
        assignment: the assignment's name.
    """
    seen = LastSeen(gradebook, course, assignment)
    with contextlib.suppress(OSError):  # users who may only read get the differences too
        seen.add()
    return [f"{one}{NOTED.format(assignment)}" for one in seen.differences()]


def _with(seen: list[Any], now: Any) -> list[Any]:
    return seen if now in seen else [*seen, now]


def _replace(path: Path, seen: Seen, now: Given, noted: Callable[[Seen, Given], Seen]) -> None:
    if (notes := noted(seen, now)) != seen:
        write_whole(path, json.dumps(notes).encode())


def _given(gradebook: Gradebook, assignment: str) -> dict[str, Given]:
    """Read what a person entered for each student, by its name."""
    cell, found = BaseCell.__table__, dict[str, Given]()
    points = (
        select(SubmittedAssignment.student_id, Notebook.name, cell.c.name, Grade.manual_score, Grade.extra_credit)
        .join_from(Grade, SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .join(cell, cell.c.id == Grade.cell_id)
        .where(Assignment.name == assignment)
        .where(or_(Grade.manual_score.is_not(None), Grade.extra_credit.is_not(None)))
        .order_by(SubmittedAssignment.student_id, cell.c.name)
    )
    for student, notebook, name, by_hand, extra in gradebook.db.execute(points):
        task = name.removeprefix(GRADE_ID) if notebook == assignment else f"{notebook} {name.removeprefix(GRADE_ID)}"
        given = {task: by_hand, f"{task} extra credit": extra or None}
        found.setdefault(student, {}).update({what: one for what, one in given.items() if one is not None})
    extended = (
        select(SubmittedAssignment.student_id, SubmittedAssignment.extension)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(Assignment.name == assignment, SubmittedAssignment.extension.is_not(None))
    )
    for student, extension in gradebook.db.execute(extended):
        found.setdefault(student, {})["hours of extension"] = extension.total_seconds() / 3600
    return found


def _due(gradebook: Gradebook, assignment: str) -> Given:
    due = gradebook.db.execute(select(Assignment.duedate).where(Assignment.name == assignment)).scalar()
    return {DATE: f"{due} UTC"} if due else {}


def _read(path: Path) -> Seen:
    """Read the record in a file; empty if the file is missing or damaged."""
    try:
        kept = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    items = kept.items() if isinstance(kept, dict) else ()
    return {what: seen for what, seen in items if isinstance(seen, list) and seen}
