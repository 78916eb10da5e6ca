"""The standing of each student in an assignment: the one place where scores are added up."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Collection, Iterator

from nbgrader.api import Assignment, Gradebook, MissingEntry, SubmittedAssignment, SubmittedNotebook
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.orm import selectinload

from autograder.gradebook_access.known_cells import KnownCells, known_cells
from autograder.gradebook_access.penalties import LatePenalties, settings_of
from autograder.gradebook_access.reasons import first_line
from autograder.standings.cell_score import CellScore, cell_scores, has_points
from autograder.standings.course_changes import course_changes
from autograder.standings.handed_in import HandedIn
from autograder.standings.number_text import DECIMALS, number
from autograder.standings.staleness import COURSE_CHANGED, TAKEN_BACK, Staleness
from autograder.standings.state import State
from autograder.verdicts.graded_notebook import GradedNotebook

NO_PENALTY = "its late penalty cannot be computed"


@dataclasses.dataclass(frozen=True)
class Standing:
    """The standing of one student in one assignment.

    Attributes:
        student: the student's id.
        state: how far the submission is graded; its points may leave the gradebook only when GRADED.
        maximum: the points that the assignment is worth.
        cells: its graded cells, in the notebook's order.
        penalty: the late penalty in points, at least 0.
        reason: why it is not graded or not current, unless a single cell says so.
        submission: nbgrader's row; None if there is none.
        changes: what has changed in the course since it was graded, a clause each.
        unknown_time: why the time of the hand-in is unknown, so that it counts as in time; empty if it is known.
    """

    student: str
    state: State
    maximum: float
    cells: tuple[CellScore, ...] = ()
    penalty: float = 0.0
    reason: str = ""
    submission: SubmittedAssignment | None = None
    unknown_time: str = ""
    changes: tuple[str, ...] = ()

    @property
    def automatic(self) -> float:
        """The points that checks gave and no person replaced."""
        return _sum(cell.automatic for cell in self.cells if cell.by_hand is None)

    @property
    def by_hand(self) -> float:
        """The points that a person gave, without extra credit."""
        return _sum(cell.by_hand for cell in self.cells)

    @property
    def extra(self) -> float:
        """The extra credit that a person gave, in points."""
        return _sum(cell.extra for cell in self.cells)

    @property
    def before_penalty(self) -> float:
        """All points before the late penalty."""
        return round(self.automatic + self.by_hand + self.extra, DECIMALS)

    @property
    def points(self) -> float:
        """The points after the late penalty: never below 0, possibly above the maximum with extra credit."""
        return max(0.0, round(self.before_penalty - self.penalty, DECIMALS))

    @property
    def shown(self) -> str:
        """The points and the maximum as text; a dash stands for points that are not final."""
        return f"{number(self.points) if self.state is State.GRADED else '-'}/{number(self.maximum)}"

    @property
    def not_final(self) -> str:
        """The cells that are not graded, or wait for a person, in one line; empty if there are none."""
        return ", ".join(f"{cell.task} {cell.state.value}" for cell in self.cells if cell.state is not State.GRADED)

    @property
    def breakdown(self) -> str:
        """The parts that the points add up from, in one line; empty if all come from checks."""
        parts = {"automatic": self.automatic, "by hand": self.by_hand, "extra credit": self.extra}
        said = [f"{number(points)} {name}" for name, points in parts.items() if points]
        if any(cell.by_hand is not None for cell in self.cells) and not self.by_hand:
            said.append("0 by hand")
        if self.penalty:
            said.append(f"{number(self.penalty)} off for lateness")
        return "" if not said or (said == [f"{number(self.automatic)} automatic"]) else ", ".join(said)

    @property
    def summary(self) -> str:
        """State, reason and points of the submission as a whole, in one line; empty if there is nothing to say."""
        if self.state is State.GRADED:
            return "; ".join(filter(None, [self.breakdown, self.unknown_time]))
        word = f"{self.state.value}: {self.reason}" if self.reason else self.state.value
        if self.state in (State.NOT_CURRENT, State.WITHDRAWN):
            return f"{word}; it was {number(self.points)}"
        so_far = f"so far {self.breakdown or number(self.points)}" if has_points(self.cells) else ""
        return "; ".join(filter(None, [word, so_far]))


def standings(
    gradebook: Gradebook, course: CourseDirectory, assignment: str, students: Collection[str] | None = None
) -> Iterator[Standing]:
    """Compute the standing of each student in an assignment, sorted by id.

    Args:
        gradebook: nbgrader's open gradebook.
        course: locates the submissions.
        assignment: the assignment's name.
        students: the ids of the students; None for all that are in the gradebook or have handed in.

    Raises:
        MissingEntry: if the assignment is not in the gradebook.
    """
    found = gradebook.find_assignment(assignment)
    handed_in = HandedIn(course, assignment)
    submissions = {row.student.id: row for row in _rows(gradebook, assignment, students)}
    known = {notebook.name: known_cells(notebook) for notebook in found.notebooks}
    staleness, penalties = Staleness(gradebook, handed_in, known), LatePenalties(settings_of(course), assignment)
    if students is None:
        students = {student.id for student in gradebook.students} | handed_in.students()
    for student in sorted(students):
        row = submissions.get(student)
        if row is not None:
            yield _standing(row, found, handed_in, known, staleness, penalties)
        elif handed_in.has(student):
            yield Standing(student, State.NOT_GRADED, found.max_score, reason=staleness.not_graded(student))
        else:
            yield Standing(student, State.MISSING, found.max_score)


def _rows(gradebook: Gradebook, assignment: str, students: Collection[str] | None) -> list[SubmittedAssignment]:
    """Read the rows of submissions, of one student only if a feedback page asks for one.

    The rows of all submissions come with what belongs to them, in a few queries and not in four for each.
    """
    if students is None or len(students) != 1:
        notebooks = selectinload(SubmittedAssignment.notebooks)
        query = (
            gradebook.db.query(SubmittedAssignment)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .filter(Assignment.name == assignment)
            .options(selectinload(SubmittedAssignment.student))
            .options(notebooks.undefer(SubmittedNotebook.score), notebooks.selectinload(SubmittedNotebook.grades))
        )
        return list(query)
    with contextlib.suppress(MissingEntry):
        return [gradebook.find_submission(assignment, *students)]
    return []


def _standing(
    row: SubmittedAssignment,
    assignment: Assignment,
    handed_in: HandedIn,
    known: dict[str, KnownCells],
    staleness: Staleness,
    penalties: LatePenalties,
) -> Standing:
    student, cells, reason, penalty, was_graded = row.student.id, list[CellScore](), "", 0.0, False
    changes = dict[str, None]()
    for notebook in row.notebooks:
        graded = GradedNotebook.read(handed_in.graded(student, notebook.name))
        own = cell_scores(notebook, known[notebook.name], graded.verdicts)
        reason = reason or staleness.reason(row, notebook, graded, known[notebook.name], own)
        if not reason or reason.startswith(COURSE_CHANGED):
            changes |= dict.fromkeys(course_changes(graded, notebook.name, known[notebook.name]))
        was_graded = was_graded or graded.exists or any(cell.automatic is not None for cell in own)
        try:
            due = penalties.for_notebook(notebook)
        except Exception as error:  # of the plug-in, which may be an instructor's own
            due, reason = None, reason or f"{NO_PENALTY} ({first_line(error)})"
        penalty += max(0.0, due or 0.0)  # nbgrader's penalty is below 0 if the points are
        cells += own
    state = _state(cells, reason)
    if not handed_in.has(student):
        if not has_points(cells):
            return Standing(student, State.MISSING, assignment.max_score)
        if was_graded:  # otherwise a person gave points for what was never handed in here
            state, reason = State.WITHDRAWN, TAKEN_BACK
    late = handed_in.unusable_time(student) if assignment.duedate is not None else ""
    points = tuple(cells), round(penalty, DECIMALS)
    return Standing(student, state, assignment.max_score, *points, reason, row, late, tuple(changes))


def _state(cells: list[CellScore], reason: str) -> State:
    if reason:
        return State.NOT_CURRENT if has_points(cells) else State.NOT_GRADED
    states = {cell.state for cell in cells}
    return next((state for state in (State.NOT_GRADED, State.BY_HAND) if state in states), State.GRADED)


def _sum(points: Iterator[float | None]) -> float:
    return round(sum((one for one in points if one is not None), 0.0), DECIMALS)
