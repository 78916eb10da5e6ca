"""The tables of a class report as CSV, in which no text of a student becomes a formula, a line or a column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.class_report.assignment_sections import AssignmentPart
from autograder.class_report.participation import Stopped, stuck
from autograder.class_report.proportions import Correlation, Proportion
from autograder.class_report.pseudonyms import Pseudonyms
from autograder.class_report.weeks import weeks
from autograder.exports import csv_cells
from autograder.exports.csv_cells import text
from autograder.standings.number_text import number
from autograder.standings.state import State

FILES = ("students", "tasks", "mistakes", "checks", "stuck", "stopped", "assignments", "versions")
GRANTED = ("extension in hours", "group", "cohort")
Rows = list[list[str]]


def tables(parts: Sequence[AssignmentPart], gone: Sequence[Stopped], names: Pseudonyms) -> dict[str, Rows]:
    """Return the tables by the names of their files, each with its heading first.

    Args:
        parts: the findings about each assignment.
        gone: who stopped handing in.
        names: what students are called.
    """
    found = (_students(parts, names), _tasks(parts), _mistakes(parts), _checks(parts), _stuck(parts, names))
    every = (*found, _stopped(gone, names), _weeks(parts), _versions(parts))
    return {f"{name}.csv": list(rows) for name, rows in zip(FILES, every, strict=True)}


def write_tables(folder: Path, made: dict[str, Rows]) -> None:
    """Write tables into a folder, which is made if it is missing.

    Raises:
        OSError: if the folder cannot be written.
    """
    for name, rows in made.items():
        csv_cells.write(folder / name, rows)


def _students(parts: Sequence[AssignmentPart], names: Pseudonyms) -> Iterator[list[str]]:
    yield ["assignment", "student", "state", "points", "maximum", "tasks tried", "tasks with full points", *GRANTED]
    for part in parts:
        for one in sorted(part.results.participants, key=lambda one: names.place(one.student)):
            points = number(one.points) if one.state is State.GRADED else ""
            full = str(sum(score.is_full for score in one.tasks.values())) if one.tasks else ""
            who = [text(part.results.name), text(names.of(one.student)), one.state.value]
            given = one.granted if not names.anonymous else None
            has = ["", "", ""] if given is None else [number(given.hours), text(given.group), text(given.cohort)]
            yield [*who, points, number(part.results.maximum), str(len(one.tried)) if one.tasks else "", full, *has]


def _tasks(parts: Sequence[AssignmentPart]) -> Iterator[list[str]]:
    columns = ["assignment", "task", "points", "graded", "tried", "full points", "full low", "full high"]
    columns += ["mean share", "mean share of tried", *_columns("discrimination")]
    yield columns
    for part in parts:
        for one in part.items:
            counts = [str(one.tried.of), str(one.tried.count), str(one.full.count), *_interval(one.full)]
            means = ["" if mean.share is None else number(mean.share) for mean in (one.mean, one.mean_of_tried)]
            about = [text(part.results.name), text(one.task), number(one.maximum)]
            yield [*about, *counts, *means, *_correlation(one.discrimination)]


def _mistakes(parts: Sequence[AssignmentPart]) -> Iterator[list[str]]:
    yield ["assignment", "tasks", "mistake", "students", "points lost", "read again", "advice", "program", "question"]
    for part in parts:
        for one in part.mistakes:
            about = [
                text(part.results.name),
                text(", ".join(one.tasks)),
                text(one.name),
                str(one.students),
                number(one.lost),
            ]
            lines = [text(line) for line in (one.reading, one.advice)]
            # A cell is one line, so the program's lines are separated by a sign that Python has not.
            yield [*about, *lines, text(" ⏎ ".join(one.program.splitlines())), text(one.question)]


def _checks(parts: Sequence[AssignmentPart]) -> Iterator[list[str]]:
    yield ["assignment", "task", "check", "what is odd", *_columns("discrimination")]
    for part in parts:
        for one in part.odd:
            words = [text(part.results.name), text(one.task), text(one.check), text(one.why)]
            yield [*words, *_correlation(one.discrimination)]


def _stuck(parts: Sequence[AssignmentPart], names: Pseudonyms) -> Iterator[list[str]]:
    yield ["assignment", "student", "tasks tried", "tasks without a point", "which", "mistakes"]
    for part in parts:
        for one in sorted(stuck(part.results), key=lambda one: names.place(one.student)):
            lists = [text(", ".join(some)) for some in (one.without_points, one.mistakes)]
            counts = [str(one.tried), str(len(one.without_points))]
            yield [text(part.results.name), text(names.of(one.student)), *counts, *lists]


def _stopped(gone: Sequence[Stopped], names: Pseudonyms) -> Iterator[list[str]]:
    yield ["student", "last handed in", "missed since"]
    for one in sorted(gone, key=lambda one: names.place(one.student)):
        yield [text(names.of(one.student)), text(one.last), str(one.missed)]


def _weeks(parts: Sequence[AssignmentPart]) -> Iterator[list[str]]:
    yield ["assignment", "due (UTC)", "students", "handed in", "final", "lower quartile", "median", "upper quartile"]
    for week in weeks([part.results for part in parts]):
        due = "" if week.due is None else f"{week.due:%Y-%m-%d %H:%M}"
        counts = [str(week.handed_in.of), str(week.handed_in.count), str(len(week.final))]
        yield [text(week.assignment), due, *counts, *(map(number, week.quartiles) if week.quartiles else [""] * 3)]


def _versions(parts: Sequence[AssignmentPart]) -> Iterator[list[str]]:
    yield ["assignment", "task", "version", "dealt", "tried", "full points", "mean share of tried"]
    for part in parts:
        for one in part.versions:
            mean = "" if one.mean_of_tried.share is None else number(one.mean_of_tried.share)
            counts = map(str, (one.version, one.tried.of, one.tried.count, one.full.count))
            yield [text(part.results.name), text(one.task), *counts, mean]


def _columns(name: str) -> list[str]:
    return [name, f"{name} low", f"{name} high", f"{name} students"]


def _interval(proportion: Proportion) -> list[str]:
    between = proportion.interval
    return ["", ""] if between is None else [number(one) for one in between]


def _correlation(found: Correlation) -> list[str]:
    numbers = ["", "", ""] if found.value is None else [number(one) for one in (found.value, found.low, found.high)]
    return [*numbers, str(found.students)]
