"""A verdict as plain text: for terminals, editors without HTML, screen readers and log files."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING

from autograder.tasks.lesson_sections import REFERENCE, with_reading
from autograder.tasks.lesson_sections import section as lesson_section
from autograder.verdicts.telling import Seen, Telling, number, points
from autograder.wire.outcome import Outcome

if TYPE_CHECKING:
    from autograder.checks.task import Task
    from autograder.diagnosis import Finding
    from autograder.executions import Provenance
    from autograder.verdicts.verdict import Verdict

ASSERTED = "asserted in the student's process"
"""What is said of points that no check has given: the student's code could have forged them."""
PASSED = "All checks passed. Further inputs are drawn for each submission when it is graded."
WIDTH = 92
INDENT = " " * 11


def score(verdict: Verdict, run: Provenance | None = None) -> str:
    """Write a verdict's points, as '2 of 3 points' or in a notebook '2 of 3 points, as run in [7]'."""
    where = "" if run is None or run.number is None else f", as run in [{run.number}]"
    return f"{number(verdict.points)} of {points(verdict.maximum)}{where}"


def read_again(exercise: str, section: str) -> str:
    """Return the line that points to the lesson's section; empty without one."""
    return f"Read again: {lesson_section(exercise, section)}." if section else ""


def what_next(verdict: Verdict, run: Provenance | None = None) -> str:
    """Return what to do next, as the last line says it; empty where the explanation names the lesson's section."""
    if run is not None and run.newer:
        return "Run the cell, and then this check again."
    if verdict.passed:
        if run is None:
            return PASSED
        ask = f'from autograder import about; about("{verdict.task}")'
        return f"{PASSED} Three questions about your own program: `{ask}`."
    if any(REFERENCE.search(result.advice) for result in verdict.results):
        return ""
    return read_again(verdict.exercise, verdict.section)


def offers_hint(verdict: Verdict, run: Provenance | None = None) -> bool:
    """Tell whether a hint may help: points are missing, and the cell that was judged is the one that is there."""
    return not verdict.passed and not (run is not None and run.newer)


def verdict_as_text(verdict: Verdict, *, drawn: bool = False, run: Provenance | None = None) -> str:
    """Render a verdict as text, the whole display of `check("task")`.

    Args:
        verdict: what to show.
        drawn: whether to draw the graph and list what is marked in it; drawing takes longer than judging.
        run: in a notebook, which execution was judged.
    """
    if verdict.asserted:
        return asserted_as_text(verdict)
    told = Telling.of(verdict)
    picture = verdict.picture if drawn else None

    def seen(part: Seen, title: str = "") -> list[str]:
        lines = [*_inner(f"{title}{part.said}"), *_code_lines(part.example)]
        if picture is not None and picture[0] == part.place:
            lines += _inner(f"In the graph: {'; '.join(picture[1].wrong)}.")
        return lines

    lines = textwrap.wrap(run.newer, WIDTH) if run is not None else []
    lines += [f"{verdict.named}: {score(verdict, run)}", *_outer(f"{told.lead} {told.more}")]
    if told.first is not None:
        lines += [f"  [missed] {told.first.title}", *seen(told.first)]
    for fold in told.folds:
        lines += [*_outer(f"{fold.line}."), *_outer(fold.said)]
        for part in fold.parts:
            lines += seen(part, f"{part.title}: " if len(fold.parts) > 1 else "")
    lines += [f"  [passed] {title}" for title in told.passed]
    hint = f'A hint: hint("{verdict.task}").' if offers_hint(verdict, run) else ""
    return "\n".join([*lines, "  " + " ".join(filter(None, [what_next(verdict, run), hint]))])


def asserted_as_text(verdict: Verdict) -> str:
    """Render the verdict on a cell with asserts of the instructor's own; what was changed is no reader's affair."""
    lines = [f"{verdict.task}: {score(verdict)}, {ASSERTED}"]
    return "\n".join([*lines, *_outer(verdict.results[0].seen)])


def asserted_notice(cells: Mapping[str, bool]) -> str:
    """Say which points are not protected, below a table and where an assignment is released.

    Args:
        cells: the graded cells that no person grades, by name; whether asserts give their points, and no check.
    """
    about = f"{ASSERTED}, whose code could forge them (docs/own_assignments.md)"
    if all(cells.values()):
        return f"All automatic points are {about}."
    return f"These points are {about}: {', '.join(name for name, asserted in cells.items() if asserted)}."


def _outer(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)


def _inner(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT, break_on_hyphens=False)


def _code_lines(code: str) -> list[str]:
    return textwrap.indent(code.strip(), f"{INDENT}    ").splitlines()


def finding_as_text(finding: Finding, task: Task) -> str:
    """Render a finding as pytest shows it for a failing check, instead of a traceback from inside this package."""
    lines = [finding.seen, *_code_lines(finding.example)]
    if finding.mistake:
        lines.append(with_reading(finding.mistake.sentence))
    if finding.kind != Outcome.NOT_ATTEMPTED:
        lines.append(read_again(task.exercise, task.section))
    return "\n".join(filter(None, lines))
