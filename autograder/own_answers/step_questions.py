"""Questions of the third kind: which node of a backward pass runs next, which line does, how often a line runs."""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from collections.abc import Iterator

from autograder.own_answers.calls import Call
from autograder.own_answers.draft import (
    FEWEST_CHOICES,
    LATEST,
    MOST_CHOICES,
    Draft,
    clear,
    codes_at,
    place_of,
    shuffled,
    time_of,
)
from autograder.own_answers.program import OwnProgram
from autograder.own_answers.tracing import OWN, Trace, Visit
from autograder.own_answers.values import Fact

LEAF = "AccumulateGrad"
END = "none: your program has ended"
UNCLEAR = (ast.With, ast.Try, ast.While, ast.AsyncWith, ast.AsyncFor)
"""Statements that run on entering and on leaving, so that the order of lines is a matter of the interpreter."""


def step_questions(program: OwnProgram) -> Iterator[Draft]:
    """Yield questions about nodes, then about lines that do not run in the order of the text, then about counts."""
    nodes = list(_nodes(program))
    program.random("step").shuffle(nodes)
    yield from nodes[:1]
    yield from _jumps(program)
    yield from _counts(program)
    yield from nodes[1:]


def _nodes(program: OwnProgram) -> Iterator[Draft]:
    for call, one in program.passes:
        counts = Counter(one.nodes)
        for now, following in itertools.pairwise(one.nodes):
            if counts[now] > 1 or counts[following] > 1:
                continue
            # Which of two leaves comes first is the engine's affair.
            leaf = following.startswith(LEAF)
            if leaf and now.startswith(LEAF):
                continue
            near = [*counts, *sorted(one.graph)]  # those of the graph that do not run come last
            others = [name for name in dict.fromkeys(near) if name not in (now, following)]
            wrong = [name for name in others if not (leaf and name.startswith(LEAF))][: MOST_CHOICES - 1]
            if len(wrong) + 1 < FEWEST_CHOICES:
                continue
            choices, place = shuffled(following, wrong, program.random(f"{call.text} {now}"))
            visit = one.visit
            prompt = f"The marked line starts a backward pass. Which of these nodes runs right after `{now}`?"
            because = f"The nodes run in this order: {', '.join(one.nodes)}."
            codes = codes_at(program.source, call, visit.where, visit.line)
            yield Draft("node", (visit.where, visit.line), codes, prompt, choices, place, because, call)


def _in_time(program: OwnProgram) -> Iterator[tuple[Call, Visit, Visit | None, list[Visit]]]:
    """Yield each run of a line with the one after it."""
    for call, trace in program.traces:
        own = trace.own
        for visit, following in itertools.zip_longest(own, own[1:]):
            yield call, visit, following, own


def _jumps(program: OwnProgram) -> Iterator[Draft]:
    """Yield questions about each line whose successor in time is not its successor in the text."""
    for call, visit, following, own in sorted(_in_time(program), key=lambda one: one[1].ends):
        if visit.raised or not _is_clear(program, visit) or (following and not _is_clear(program, following)):
            continue
        if place_of(visit, own) > LATEST:
            continue
        lines = [line for line in program.source.visible(visit.line) if _is_statement(program, line)]
        if following is not None and (following.line not in lines or _next_in(lines, visit.line) == following.line):
            continue
        if following is None and _next_in(lines, visit.line) is None:
            continue
        right = END if following is None else _quoted(program, following.line)
        near = [_next_in(lines, visit.line), visit.line, *sorted(lines, key=lambda k: abs(k - visit.line))]
        wrong = [_quoted(program, line) for line in dict.fromkeys(near) if line is not None]
        wrong = [text for text in [*wrong, END] if text != right][: MOST_CHOICES - 1]
        if len(wrong) + 1 < FEWEST_CHOICES:
            continue
        which = time_of(visit, own)
        choices, place = shuffled(right, wrong, program.random(f"{call.text} {visit.line} {which}"))
        prompt = f"The marked line has just run{which}. Which line of your program runs next?"
        because = f"Next came {right}." if following is not None else "No further line of your program ran."
        codes = codes_at(program.source, call, OWN, visit.line)
        yield Draft("next", (OWN, visit.line), codes, prompt, choices, place, because, call)


def _counts(program: OwnProgram) -> Iterator[Draft]:
    for call, trace in program.traces:
        counts = _counted(program, trace)
        for line, count in sorted(counts.items()):
            others = [other for other in counts.values() if other != count]
            if count < 2 and not others:
                continue
            right = _times(count)
            near = [count + 1, count - 1, 2 * count, 0, 1, count + 2]
            wrong = clear(right, (_times(one) for one in dict.fromkeys([*others, *near]) if one >= 0))
            choices, place = shuffled(right.text, wrong, program.random(f"{call.text} {line} count"))
            prompt = "How often does the marked line run in this call, from its first line to its last?"
            if not call.program:
                prompt = "How often does the marked line run in this call?"
            because = f"Line {line} ran {right.text}."
            codes = codes_at(program.source, call, OWN, line)
            yield Draft("count", (OWN, line), codes, prompt, choices, place, because, call)


def _counted(program: OwnProgram, trace: Trace) -> dict[int, int]:
    """Return how often each simple line of the functions that ran was run."""
    ran = Counter(visit.line for visit in trace.own)
    bodies = [
        {one.lineno for one in ast.walk(node) if isinstance(one, ast.stmt) and one is not node}
        for node in ast.walk(program.source.tree)
        if isinstance(node, ast.FunctionDef) and node.name != "__init__"
    ]
    near = {line for body in bodies if any(line in ran for line in body) for line in body}
    return {line: ran[line] for line in program.source.alone if line in near}


def _times(count: int) -> Fact:
    return Fact({0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times"), "count", (float(count),))


def _is_clear(program: OwnProgram, visit: Visit) -> bool:
    statement = program.source.statements.get(visit.line)
    return statement is not None and not isinstance(statement, UNCLEAR)


def _is_statement(program: OwnProgram, line: int) -> bool:
    statement = program.source.statements.get(line)
    if statement is None or statement.lineno != line or isinstance(statement, (*UNCLEAR, ast.ClassDef)):
        return False
    return line in program.source.inside


def _next_in(lines: list[int], line: int) -> int | None:
    return next((one for one in lines if one > line), None)


def _quoted(program: OwnProgram, line: int) -> str:
    text = program.source.lines[line - 1].strip()
    return f"line {line}: {text if len(text) <= 60 else text[:57] + '...'}"
