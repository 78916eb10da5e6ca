"""A verdict as plain text: for terminals, editors without HTML, screen readers and log files."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from autograder.tasks.lesson_sections import REFERENCE, with_reading
from autograder.tasks.lesson_sections import section as lesson_section
from autograder.wire.outcome import Outcome

if TYPE_CHECKING:
    from autograder.checks.task import Task
    from autograder.diagnosis import Finding
    from autograder.executions import Provenance
    from autograder.verdicts.verdict import Result, Verdict

ASSERTED = "asserted in the student's process"
"""What is said of points that no check has given: the student's code could have forged them."""
WIDTH = 92
INDENT = " " * 11


def number(points: float) -> str:
    """Write points with at most two decimals, as '2', '0.5' or '1.33'."""
    return f"{round(points, 2):g}"


def points(earned: float) -> str:
    """Write points with their unit, as '1 point', '2 points' or '0.5 points'."""
    return f"{number(earned)} point{'' if earned == 1 else 's'}"


def score(verdict: Verdict, run: Provenance | None = None) -> str:
    """Write a verdict's points, as '2 of 3 points' or in a notebook '2 of 3 points, as run in [7]'."""
    where = "" if run is None or run.number is None else f", as run in [{run.number}]"
    return f"{number(verdict.points)} of {points(verdict.maximum)}{where}"


def read_again(exercise: str, section: str) -> str:
    """Return the line that points to the lesson's section; empty without one."""
    return f"Read again: {lesson_section(exercise, section)}." if section else ""


def closing(verdict: Verdict, run: Provenance | None = None) -> str:
    """Return the last line of a check's display: what to do next."""
    if run is not None and run.newer:
        return "Run the cell, and then this check again."
    if verdict.passed:
        return "All checks passed. Further inputs are drawn for each submission when it is graded."
    hint = f'A hint: hint("{verdict.task}").'
    if any(REFERENCE.search(result.advice) for result in verdict.results):
        return hint
    return f"{read_again(verdict.exercise, verdict.section)} {hint}".lstrip()


def common_reason(verdict: Verdict) -> str | None:
    """Return the reason to show once for all checks, if none could judge: no attempt, a missing name, a broken file."""
    kinds = {result.kind for result in verdict.results}
    first = verdict.results[0]
    if len(kinds) == 1 and first.kind in (Outcome.NOT_ATTEMPTED, Outcome.MISSING, Outcome.UNREADABLE):
        return f"{first.seen} {first.advice}".rstrip()
    return None


def verdict_as_text(verdict: Verdict, *, drawn: bool = False, run: Provenance | None = None) -> str:
    """Render a verdict as text, the whole display of `check("task")`.

    Args:
        verdict: what to show.
        drawn: whether to draw the graph and list what is marked in it; drawing takes longer than judging.
        run: in a notebook, which execution was judged.
    """
    if verdict.asserted:
        return asserted_as_text(verdict)
    lines = textwrap.wrap(run.newer, WIDTH) if run is not None else []
    lines += [f"{verdict.task}: {score(verdict, run)}"]
    if (reason := common_reason(verdict)) is not None:
        lines += textwrap.wrap(reason, WIDTH, initial_indent="  ", subsequent_indent="  ")
    else:
        picture = verdict.picture if drawn else None
        for place, (result, told) in enumerate(without_repetitions(verdict)):
            lines += _result_lines(result, told)
            if picture is not None and place == picture[0]:
                lines += _wrapped(f"In the graph: {'; '.join(picture[1].wrong)}.")
    return "\n".join([*lines, f"  {closing(verdict, run)}"])


def asserted_as_text(verdict: Verdict) -> str:
    """Render the verdict on a cell with asserts of the instructor's own; what was changed is no reader's affair."""
    lines = [f"{verdict.task}: {score(verdict)}, {ASSERTED}"]
    said = verdict.results[0].seen
    lines += textwrap.wrap(said, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines)


def asserted_notice(cells: Mapping[str, bool]) -> str:
    """Say which points are not protected, below a table and where an assignment is released.

    Args:
        cells: the graded cells that no person grades, by name; whether asserts give their points, and no check.
    """
    about = f"{ASSERTED}, whose code could forge them (docs/own_assignments.md)"
    if all(cells.values()):
        return f"All automatic points are {about}."
    return f"These points are {about}: {', '.join(name for name, asserted in cells.items() if asserted)}."


def without_repetitions(verdict: Verdict) -> Iterator[tuple[Result, tuple[str, str, str]]]:
    """Yield each result with its sentence, example and advice, shortened if an earlier result said the same."""
    told: set[str] = set()
    for result in verdict.results:
        seen, example, advice = (
            part if part not in told else "" for part in (result.seen, result.example, result.advice)
        )
        if result.seen and not seen:
            seen, example, advice = "The same as above.", "", ""
        elif result.example and not example:
            seen = seen.replace("the program below", "the same program", 1)
        told |= {result.seen, result.example, result.advice}
        yield result, (seen, example, advice)


def _result_lines(result: Result, told: tuple[str, str, str]) -> list[str]:
    mark = "passed" if result.kind == Outcome.PASSED else "missed"
    lines = [f"  [{mark}] {result.title} ({number(result.points)} of {number(result.maximum)})"]
    seen, example, advice = told
    return lines + _wrapped(seen) + _code_lines(example) + _wrapped(advice)


def _wrapped(text: str) -> list[str]:
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
