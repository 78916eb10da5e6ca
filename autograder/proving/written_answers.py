"""Check the verdicts of a task's written answers: a wrong one loses points under its name, a right one loses none."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.proving.problems import Problem
from autograder.tasks.answers import Answer, AnswerKind
from autograder.verdicts.verdict import Verdict
from autograder.wire.outcome import Outcome


def verdict_problems(answer: Answer, verdict: Verdict) -> Iterator[Problem]:
    """Report how a verdict differs from the one that the answer must get."""
    where = f"{answer.where}: the {answer.kind} answer {answer.name}"
    answers = f"{answer.kind} answers that"
    if any(result.kind == Outcome.DEFECT for result in verdict.results):
        yield Problem(f"{where} makes the check itself fail: {verdict.reason}", f"{answers} make the check fail")
    if answer.kind is AnswerKind.RIGHT:
        if verdict.points != verdict.maximum:
            yield Problem(f"{where} loses points: {verdict.reason}", f"{answers} lose points")
        return
    if verdict.points >= verdict.maximum:
        yield Problem(f"{where} loses no points", f"{answers} lose no points")
        return
    if answer.endless != any(result.kind == Outcome.TIME for result in verdict.results):
        ends = "ends, and is declared endless" if answer.endless else "does not end, which endless=True declares"
        yield Problem(f"{where} {ends}: {verdict.reason}", f"{answers} are not as endless as declared")
    named = {result.mistake or result.kind.replace("_", " ") for result in verdict.results} - {"passed"}
    if answer.diagnosed not in named:
        names = " and ".join(repr(one) for one in sorted(named))
        yield Problem(
            f"{where} is called {names}, not {answer.diagnosed!r}: {verdict.reason}", f"{answers} get other names"
        )
    lost = {result.title for result in verdict.results if result.kind != Outcome.PASSED}
    if answer.loses and lost != set(answer.loses):
        yield Problem(f"{where} loses {sorted(lost)}, not {sorted(answer.loses)}", f"{answers} lose other points")
