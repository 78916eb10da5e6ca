"""Read an assignment's results: standings from the gradebook, verdicts and programs from graded notebooks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from autograder.class_report.results import AssignmentResults, CheckResult, Participant, TaskScore
from autograder.decisions.contests import open_appeals_note
from autograder.nbgrader_plugin.readiness import allowance
from autograder.standings.cell_score import CellScore
from autograder.standings.course_changes import told
from autograder.standings.handed_in import HandedIn
from autograder.standings.last_seen import report_differences
from autograder.standings.standing import standings
from autograder.standings.state import State
from autograder.tasks.lesson_sections import section
from autograder.verdicts.graded_notebook import GradedNotebook
from autograder.verdicts.verdict import cell_of
from autograder.wire.outcome import Outcome

LONGEST_PROGRAM = 4_000
"""Characters of a program that may become an example."""
NOT_TRIED = (Outcome.NOT_ATTEMPTED, Outcome.MISSING, Outcome.UNREADABLE)
CURRENT = (State.GRADED, State.BY_HAND)
"""States in which the points of graded cells belong to what is handed in."""


def assignment_results(gradebook: Gradebook, course: CourseDirectory, assignment: str) -> AssignmentResults:
    """Read the results of a class in an assignment; no student code is run.

    Args:
        gradebook: nbgrader's open gradebook.
        course: locates submissions and graded notebooks.
        assignment: the assignment's name.

    Raises:
        MissingEntry: if the assignment is not in the gradebook.
        ExtensionsError: if the table of extensions cannot be used.
    """
    found, handed_in = gradebook.find_assignment(assignment), HandedIn(course, assignment)
    several = len(found.notebooks) > 1
    changes = list[tuple[str, ...]]()
    participants, readings = [], dict[str, str]()
    for standing in standings(gradebook, course, assignment):
        tasks = dict[str, TaskScore]()
        changes.append(standing.changes)
        if standing.state in CURRENT:
            graded = {cell.notebook for cell in standing.cells}
            works = {name: _Work.read(handed_in, standing.student, name) for name in graded}
            for cell in standing.cells:
                name = f"{cell.notebook}: {cell.task}" if several else cell.task
                verdict = works[cell.notebook].verdicts.get(cell.cell, {})
                readings[name] = readings.get(name) or _reading(verdict)
                if cell.state is State.GRADED and cell.maximum > 0:
                    tasks[name] = _score(cell, verdict, works[cell.notebook])
        granted = allowance(course, course.config, standing.student, assignment)
        about = standing.student, standing.state, standing.points, tasks
        participants.append(Participant(*about, granted if granted.said else None))
    return AssignmentResults(
        assignment,
        float(found.max_score),
        tuple(participants),
        {name: reading for name, reading in readings.items() if reading},
        found.duedate,
        tuple(report_differences(gradebook, course, assignment)),
        (*told(assignment, changes), *open_appeals_note(course, assignment)),
    )


class _Work:
    """The verdicts and programs in a graded notebook, by grade_id."""

    def __init__(self, notebook: Mapping[str, Any]) -> None:
        self.verdicts = {cell_of(one): one for one in GradedNotebook.of(notebook).verdicts.values()}
        self.programs = dict[str, str]()
        for cell in notebook["cells"]:
            mark = cell.get("metadata", {}).get("nbgrader", {})
            if mark.get("solution") and cell.get("cell_type") == "code":
                self.programs[str(mark.get("grade_id"))] = "".join(cell["source"])

    @staticmethod
    def read(handed_in: HandedIn, student: str, notebook: str) -> _Work:
        """Read a student's graded notebook; one that is missing or damaged is read as empty."""
        try:
            return _Work(json.loads(handed_in.graded(student, notebook).read_bytes()))
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return _Work({"cells": []})


def _score(cell: CellScore, verdict: Mapping[str, Any], work: _Work) -> TaskScore:
    results = [one for one in verdict.get("results", []) if isinstance(one, dict)]
    checks = tuple(_checks(results))
    kinds = {one.get("kind") for one in results}
    tried = not cell.is_left_empty and not (kinds and kinds <= {*NOT_TRIED})
    program = work.programs.get(cell.task, "") if any(one.mistake for one in checks) else ""
    kept = program if len(program) <= LONGEST_PROGRAM else ""
    version = verdict.get("version")
    return TaskScore(cell.points, cell.maximum, tried, checks, kept, version if isinstance(version, int) else 0)


def _checks(results: list[dict[str, Any]]) -> Iterator[CheckResult]:
    """Read the results of a verdict's checks; keys that another version of the course did not write count as empty."""
    for one in results:
        kind = one.get("kind")
        named = bool(one.get("mistake")) and kind not in NOT_TRIED
        mistake, advice = (str(one.get(key) or "") if named else "" for key in ("mistake", "advice"))
        question = str(one.get("example") or one.get("seen") or "") if named else ""
        lost = float(one.get("maximum") or 0) - float(one.get("points") or 0)
        title = str(one.get("title") or "")
        passed, broken = kind == Outcome.PASSED, kind == Outcome.DEFECT
        yield CheckResult(title, lost, passed, broken, mistake, advice, question)


def _reading(verdict: Mapping[str, Any]) -> str:
    """Return the section that a task belongs to; empty for a cell of the instructor's own, which names none."""
    heading = str(verdict.get("section") or "")
    return section(str(verdict.get("exercise") or ""), heading) if heading else ""
