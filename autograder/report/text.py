"""A verdict as plain text: for terminals, editors without HTML, screen readers and log files."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.checks.task import Task
    from autograder.diagnosis import Finding
    from autograder.executions import Provenance
    from autograder.grader.verdict import Result, Verdict

WIDTH = 92
INDENT = " " * 11


def number(points: float) -> str:
    """Write points with at most two decimals, as '2', '0.5' or '1.33'."""
    return f"{round(points, 2):g}"


def points(earned: float) -> str:
    """'1 point', '2 points', '0.5 points'."""
    return f"{number(earned)} point{'' if earned == 1 else 's'}"


def score(verdict: Verdict, run: Provenance | None = None) -> str:
    """'2 of 3 points'; in a notebook '2 of 3 points, as run in [7]'."""
    where = "" if run is None or run.number is None else f", as run in [{run.number}]"
    return f"{number(verdict.points)} of {points(verdict.maximum)}{where}"


def read_again(exercise: str, section: str) -> str:
    """Where the lesson explains it."""
    return f"Read again: lesson {exercise[:2]}, “{section}”."


def closing(verdict: Verdict, run: Provenance | None = None) -> str:
    """The last line of a check's display."""
    if run is not None and run.newer:
        return "Run the cell, and then this check again."
    if verdict.passed:
        return "All checks passed. Further inputs are drawn for each submission when it is graded."
    hint = f'A hint: hint("{verdict.task}").'
    if any("See lesson" in result.advice for result in verdict.results):
        return hint
    return f"{read_again(verdict.exercise, verdict.section)} {hint}"


def only_reason(verdict: Verdict) -> str | None:
    """The one sentence that says it all, where every check met the same obstacle before it could judge."""
    kinds = {result.kind for result in verdict.results}
    first = verdict.results[0]
    if len(kinds) == 1 and first.kind in ("not_attempted", "missing", "unreadable"):
        return f"{first.seen} {first.advice}".rstrip()
    return None


def verdict_as_text(verdict: Verdict, *, drawn: bool = False, run: Provenance | None = None) -> str:
    """The whole display of `check("task")` as text.

    Args:
        verdict: what to show.
        drawn: with what is marked in the drawn graph, where there is one; drawing takes longer than judging.
        run: in a notebook, which execution was judged.
    """
    lines = textwrap.wrap(run.newer, WIDTH) if run is not None else []
    lines += [f"{verdict.task}: {score(verdict, run)}"]
    if (only := only_reason(verdict)) is not None:
        lines += textwrap.wrap(only, WIDTH, initial_indent="  ", subsequent_indent="  ")
    else:
        picture = verdict.picture if drawn else None
        for place, (result, told) in enumerate(with_repetitions(verdict)):
            lines += _result_lines(result, told)
            if picture is not None and place == picture[0]:
                lines += _wrapped(f"In the graph: {'; '.join(picture[1].wrong)}.")
    return "\n".join([*lines, f"  {closing(verdict, run)}"])


def with_repetitions(verdict: Verdict) -> Iterator[tuple[Result, tuple[str, str, str]]]:
    """Each result with its sentence, example and advice, where an earlier one has not said the same."""
    told: set[str] = set()
    for result in verdict.results:
        parts = [part if part not in told else "" for part in (result.seen, result.example, result.advice)]
        if result.seen and not parts[0]:
            parts = ["The same as above.", "", ""]
        elif result.example and not parts[1]:
            parts[0] = parts[0].replace("the program below", "the same program", 1)
        told |= {result.seen, result.example, result.advice}
        yield result, tuple(parts)


def _result_lines(result: Result, told: tuple[str, str, str]) -> list[str]:
    mark = "passed" if result.kind == "passed" else "missed"
    lines = [f"  [{mark}] {result.title} ({number(result.points)} of {number(result.maximum)})"]
    seen, example, advice = told
    return lines + _wrapped(seen) + _code_lines(example) + _wrapped(advice)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT, break_on_hyphens=False)


def _code_lines(code: str) -> list[str]:
    return textwrap.indent(code.strip(), f"{INDENT}    ").splitlines()


def finding_as_text(finding: Finding, task: Task) -> str:
    """What pytest prints for a failing check instead of a traceback from inside this package."""
    lines = [finding.seen, *_code_lines(finding.example)]
    if finding.mistake:
        lines.append(finding.mistake.sentence)
    if finding.kind != "not_attempted":
        lines.append(read_again(task.exercise, task.section))
    return "\n".join(lines)
