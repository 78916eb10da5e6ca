"""Questions of the first kind: what a name, a `.grad` or a return value holds after a line."""

from __future__ import annotations

import ast
import functools
import math
import re
from collections.abc import Iterator

from autograder.own_answers.calls import Call
from autograder.own_answers.draft import FEWEST_CHOICES, LATEST, Draft, clear, codes_at, place_of, shuffled, time_of
from autograder.own_answers.program import OwnProgram
from autograder.own_answers.tracing import OWN, RETURNED, Trace, Visit
from autograder.own_answers.values import Fact, number

NONE = Fact("None", "None")


def value_questions(program: OwnProgram) -> Iterator[Draft]:
    """Yield questions, those about gradients and about values that change unnoticed first."""
    source = program.random("value")
    found = [
        (-worth, source.random(), call, trace, visit, expression)
        for call, trace in program.traces
        for visit in _askable(program, call, trace)
        for expression in visit.after
        if (worth := _worth(program, call, visit, expression)) > 0
    ]
    for _, _, call, trace, visit, expression in sorted(found, key=lambda one: one[:2]):
        if (draft := _draft(program, call, trace, visit, expression)) is not None:
            yield draft


def _askable(program: OwnProgram, call: Call, trace: Trace) -> Iterator[Visit]:
    """Yield the runs of simple statements, of the call's only those after the student's program had begun."""
    first = min((one.began for one in trace.own), default=0)
    for visit in trace.visits:
        begun = visit.ended > first
        statement = _statement(program, call, visit)
        simple = statement is not None and not hasattr(statement, "body")
        in_sight = place_of(visit, trace.visits) <= LATEST and not trace.overlaps(visit)
        if begun and simple and not visit.raised and in_sight:
            yield visit


def _worth(program: OwnProgram, call: Call, visit: Visit, expression: str) -> int:
    """Return how much a question is worth; 0 for one whose answer stands in the line or says nothing."""
    after, before = visit.after[expression], visit.before.get(expression)
    changed = before is None or before.text != after.text
    kept_nothing = expression.endswith(".grad") and after == NONE
    if after.kind == "truth" or not (changed or kept_nothing):
        return 0
    statement = _statement(program, call, visit)
    if statement is None or _says_its_result(statement):
        return 0
    if expression == RETURNED:
        return 0 if after == NONE else 4
    kept_nothing = kept_nothing and _calls_backward(statement)
    if not changed and not kept_nothing:
        return 0
    root = re.split(r"[.\[]", expression.removeprefix("len("))[0].rstrip(")")
    worth = 2 if visit.where == OWN else 1
    if visit.where == OWN:
        worth += 5 if expression.endswith(".grad") and after != NONE else 4 if kept_nothing else 0
    worth += 3 if before is not None and root not in _bound(statement) else 0
    return max(worth - (1 if after.kind == "shape" or expression.startswith("len(") else 0), 1)


@functools.lru_cache(1024)
def _bound(statement: ast.stmt) -> frozenset[str]:
    """Return the names that a statement assigns."""
    return frozenset(
        one.id for one in ast.walk(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    )


@functools.lru_cache(1024)
def _calls_backward(statement: ast.stmt) -> bool:
    return "backward(" in ast.unparse(statement)


@functools.lru_cache(1024)
def _says_its_result(statement: ast.stmt) -> bool:
    """Whether a line says its result: `h = 1e-5`, `n = 3`."""
    value = getattr(statement, "value", None)
    return value is not None and not any(isinstance(one, ast.Name | ast.Call) for one in ast.walk(value))


def _draft(program: OwnProgram, call: Call, trace: Trace, visit: Visit, expression: str) -> Draft | None:
    right = visit.after[expression]
    near = _confusable(program, call, trace, visit, expression)
    wrong = clear(right, (one for one in near if one.kind in (right.kind, NONE.kind) or right == NONE))
    if len(wrong) + 1 < FEWEST_CHOICES:
        return None
    choices, place = shuffled(right.text, wrong, program.random(f"{visit.where} {visit.line} {expression}"))
    line = visit.line + (0 if visit.where == OWN else call.offset)
    which = time_of(visit, trace.visits)
    if expression == RETURNED:
        prompt = f"What does the marked line return{',' if which else ''}{which}?".replace(", for", " when it runs for")
        because = f"Line {line} returns {right.text}{' then' if which else ''}."
    else:
        held = "is" if expression.startswith("len(") or right.kind == "shape" else "hold"
        asked = f"What is `{expression}`" if held == "is" else f"What does `{expression}` hold"
        prompt = f"{asked} when the marked line has run{which}?"
        because = f"When line {line} has run{which}, `{expression}` is {right.text}."
    codes = codes_at(program.source, call, visit.where, visit.line)
    return Draft("value", (visit.where, visit.line), codes, prompt, choices, place, because, call)


def _confusable(program: OwnProgram, call: Call, trace: Trace, visit: Visit, expression: str) -> Iterator[Fact]:
    """Yield wrong choices, the likeliest first: nearly all are values that the program had elsewhere."""
    right = visit.after[expression]
    if expression in visit.before:
        yield visit.before[expression]
    if expression.endswith(".grad"):
        yield NONE
    same = [one for one in trace.visits if expression in one.after]
    yield from (one.after[expression] for one in same)
    yield from (fact for other, fact in visit.after.items() if fact.kind == right.kind and other.endswith(".grad"))
    yield from (fact for fact in visit.after.values() if fact.kind == right.kind)
    for other, others in program.traces:
        if other is not call:
            yield from (one.after[expression] for one in others.visits if expression in one.after)
    yield from (fact for one in trace.visits for fact in one.after.values() if fact.kind == right.kind)
    if right.kind == "None":
        yield from (fact for fact in visit.after.values() if fact.numbers)
    yield from _altered(right)


def _altered(right: Fact) -> Iterator[Fact]:
    """Yield values near a right one, for programs that had too few: the other sign, twice as much, nothing."""
    if not right.numbers or not all(map(math.isfinite, right.numbers)) or right.text[0].isalpha():
        return
    counted = right.kind == "number" and "." not in right.text and "e" not in right.text
    changes = ([1, 0], [1, 1], [1, -1]) if counted and right.numbers[0] >= 0 else ([2, 0], [-1, 0], [0, 0], [0.5, 0])
    for factor, more in changes:
        values = tuple(factor * one + more for one in right.numbers)
        shown = [number(int(one) if counted else one) for one in values]
        yield Fact(shown[0] if right.kind == "number" else f"[{', '.join(shown)}]", right.kind, values)


def _statement(program: OwnProgram, call: Call, visit: Visit) -> ast.stmt | None:
    statements = program.source.statements if visit.where == OWN else call.statements
    return statements.get(visit.line)
