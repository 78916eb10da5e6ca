"""Compute where each student stands in an assignment: the one place where scores are added up."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType

from nbgrader.api import Assignment, Gradebook, SubmittedAssignment, SubmittedNotebook
from nbgrader.coursedir import CourseDirectory

from autograder.grader.graded_notebook import GradedNotebook
from autograder.nbgrader_plugin.repair import Known, known_cells
from autograder.notebooks.grade_cells import GRADE_ID
from autograder.standings.cell_score import CellScore, is_tested
from autograder.standings.handed_in import HandedIn
from autograder.standings.numbers import DECIMALS, number
from autograder.standings.state import State

NOT_YET = "handed in, and not graded since"
GONE = "its graded notebook is not there"
FAILED = "grading it failed"


@dataclasses.dataclass(frozen=True)
class Standing:
    """One student in one assignment.

    Attributes:
        student: nbgrader's id.
        state: how far the submission is graded; its points may leave the gradebook only when GRADED.
        maximum: what the assignment is worth.
        cells: its graded cells, in the notebook's order.
        penalty: points that lateness costs, never more than there are.
        reason: why it is not graded or not current, where that lies in no single cell.
        submission: nbgrader's row, where there is one.
    """

    student: str
    state: State
    maximum: float
    cells: tuple[CellScore, ...] = ()
    penalty: float = 0.0
    reason: str = ""
    submission: SubmittedAssignment | None = None

    @property
    def automatic(self) -> float:
        """Points that checks gave and nobody replaced."""
        return _sum(cell.automatic for cell in self.cells if cell.by_hand is None)

    @property
    def by_hand(self) -> float:
        """Points that a person gave."""
        return _sum(cell.by_hand for cell in self.cells)

    @property
    def extra(self) -> float:
        """Extra credit, which a person gave."""
        return _sum(cell.extra for cell in self.cells)

    @property
    def before_penalty(self) -> float:
        """All points before lateness is taken off."""
        return round(self.automatic + self.by_hand + self.extra, DECIMALS)

    @property
    def points(self) -> float:
        """The points after the late penalty, never below 0; above the maximum with extra credit."""
        return max(0.0, round(self.before_penalty - self.penalty, DECIMALS))

    @property
    def shown(self) -> str:
        """Points of how many; a dash in place of points that are not final."""
        return f"{number(self.points) if self.state is State.GRADED else '-'}/{number(self.maximum)}"

    @property
    def not_final(self) -> str:
        """Which cells nobody has graded, or wait for a person, in a line; empty where none do."""
        return ", ".join(f"{cell.task} {cell.state.value}" for cell in self.cells if cell.state is not State.GRADED)

    @property
    def account(self) -> str:
        """How the points came about, in a line; empty where all are the checks'."""
        parts = {"automatic": self.automatic, "by hand": self.by_hand, "extra credit": self.extra}
        said = [f"{number(points)} {name}" for name, points in parts.items() if points]
        if any(cell.by_hand is not None for cell in self.cells) and not self.by_hand:
            said.append("0 by hand")
        if self.penalty:
            said.append(f"{number(self.penalty)} off for lateness")
        return "" if not said or (said == [f"{number(self.automatic)} automatic"]) else ", ".join(said)

    @property
    def said(self) -> str:
        """Everything about the submission as a whole, in a line; empty where its points are the checks' alone."""
        if self.state is State.GRADED:
            return self.account
        word = f"{self.state.value}: {self.reason}" if self.reason else self.state.value
        if self.state is State.NOT_CURRENT:
            return f"{word}; it was {number(self.points)}"
        so_far = f"so far {self.account or number(self.points)}" if _any_points(self.cells) else ""
        return "; ".join(filter(None, [word, so_far]))


def standings(
    gradebook: Gradebook, course: CourseDirectory, assignment: str, students: Collection[str] | None = None
) -> Iterator[Standing]:
    """Compute the standing of each student in an assignment, by id.

    Args:
        gradebook: nbgrader's, open.
        course: says where submissions lie.
        assignment: its name.
        students: their ids; where left out, all that the gradebook knows or that have handed in.

    Raises:
        MissingEntry: where the gradebook knows no such assignment.
    """
    found = gradebook.find_assignment(assignment)
    handed_in = HandedIn(course, assignment)
    submissions = {row.student.id: row for row in gradebook.assignment_submissions(assignment)}
    known = {notebook.name: known_cells(notebook) for notebook in found.notebooks}
    if students is None:
        students = {student.id for student in gradebook.students} | handed_in.students()
    for student in sorted(students):
        row = submissions.get(student)
        if row is not None:
            yield _standing(row, found, handed_in, known)
        elif handed_in.has(student):
            yield Standing(student, State.NOT_GRADED, found.max_score, reason=_not_graded(handed_in, student))
        else:
            yield Standing(student, State.MISSING, found.max_score)


def unregistered(gradebook: Gradebook, course: CourseDirectory, assignment: str) -> list[Standing]:
    """List those who have handed in and whom the gradebook does not know, because nothing of theirs was ever graded."""
    strangers = HandedIn(course, assignment).students() - {student.id for student in gradebook.students}
    return list(standings(gradebook, course, assignment, strangers)) if strangers else []


def _standing(
    row: SubmittedAssignment, assignment: Assignment, handed_in: HandedIn, known: dict[str, Known]
) -> Standing:
    student, cells, reason = row.student.id, list[CellScore](), ""
    for notebook in row.notebooks:
        graded = GradedNotebook.read(handed_in.graded(student, notebook.name))
        own = cell_scores(notebook, known[notebook.name], graded.verdicts)
        if handed_in.has(student, notebook.name):
            if graded.exists:
                reason = reason or handed_in.outdated(row, notebook.name, graded, known[notebook.name])
            else:
                reason = reason or _not_graded(handed_in, student, graded_once=_any_points(own))
        cells += own
    penalty = max(0.0, min(row.late_submission_penalty or 0.0, sum(cell.points for cell in cells)))
    rounded = round(penalty, DECIMALS)
    return Standing(student, _state(cells, reason), assignment.max_score, tuple(cells), rounded, reason, row)


def _not_graded(handed_in: HandedIn, student: str, *, graded_once: bool = False) -> str:
    """Say why there is no graded notebook of what was handed in."""
    if failed := handed_in.failure(student):
        return f"{FAILED} ({failed})"
    return GONE if graded_once else NOT_YET


def cell_scores(
    notebook: SubmittedNotebook, known: Known, verdicts: Mapping[str, dict] = MappingProxyType({})
) -> list[CellScore]:
    """Read the points of a student's notebook, in its order: a database hands rows out in any.

    Args:
        notebook: nbgrader's row.
        known: the cells that the gradebook knows of the exercise's notebook.
        verdicts: of the checks, by task, where the reasons are wanted.
    """
    place = {name: number for number, name in enumerate([*(f"{GRADE_ID}{task}" for task in verdicts), *known])}
    cells = []
    for row in sorted(notebook.grades, key=lambda row: place.get(row.cell.name, len(place))):
        name = row.cell.name
        metadata, kind, _ = known.get(name) or ({"grade": True, "points": row.max_score}, row.cell.cell_type, "")
        reason = verdicts.get(name.removeprefix(GRADE_ID), {}).get("reason", "")
        cells.append(CellScore.of(row, name, metadata["points"], is_tested(metadata, kind), reason))
    return cells


def _state(cells: list[CellScore], reason: str) -> State:
    if reason:
        return State.NOT_CURRENT if _any_points(cells) else State.NOT_GRADED
    states = {cell.state for cell in cells}
    return next((state for state in (State.NOT_GRADED, State.BY_HAND) if state in states), State.GRADED)


def _any_points(cells: Collection[CellScore]) -> bool:
    return any(cell.automatic is not None or cell.by_hand is not None for cell in cells)


def _sum(points: Iterator[float | None]) -> float:
    return round(sum((one for one in points if one is not None), 0.0), DECIMALS)
