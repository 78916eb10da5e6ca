"""Programs of students for `about()`, and their questions answered again by other means than the engine's.

The engine traces a program and changes its code objects. Here the cell itself is rewritten, with notes before and
after its statements or without the part that goes, and defined anew in a namespace of its own; which backward nodes
ran, PyTorch's profiler tells.
"""

from __future__ import annotations

import ast
import itertools
import linecache
import re
from collections.abc import Callable
from typing import Any
from unittest import mock

import torch
from torch.autograd.profiler import profile

from autograder.checks.catalogue import cells_before
from autograder.checks.task import Task
from autograder.own_answers import calls
from autograder.own_answers.asking import questions
from autograder.own_answers.calls import Call
from autograder.own_answers.draft import Draft
from autograder.own_answers.program import OwnProgram
from autograder.probes.known_state import known_state
from autograder.probes.programs import executed

EVALUATED = "autograd::engine::evaluate_function: "


def namespace_of(task: Task, source: str) -> dict[str, Any]:
    """A notebook's names after the cells that a task builds on and one for the task, with their sources known."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for place, cell in enumerate([*cells_before(task), source]):
        file = f"<cell {place} of {task.name} {hash(cell)}>"
        linecache.cache[file] = len(cell), None, cell.splitlines(keepends=True), file
        exec(compile(cell, file, "exec", dont_inherit=True), names)
    return names


def asked(task: Task, source: str) -> tuple[OwnProgram, list[Draft]]:
    """The questions about a program."""
    program = OwnProgram.of(task, namespace_of(task, source))
    return program, questions(program)


def complaint(program: OwnProgram, draft: Draft) -> str:
    """What is wrong with the choice that a question calls right; empty if other means find it right, and no other."""
    right, wrong = draft.choices[draft.right], [one for one in draft.choices if one != draft.choices[draft.right]]
    if len(wrong) < len(draft.choices) - 1:
        return "two choices are alike"
    found = ANSWERS[draft.form](program, draft)
    fitting = [one for one in draft.choices if found(one)]
    return "" if fitting == [right] else f"{draft.prompt} is answered by {fitting}, not {right}"


Fits = Callable[[str], bool]
"""Whether a choice is right."""


def _value(program: OwnProgram, draft: Draft) -> Fits:
    which = _which(draft)
    if (named := re.match(r"What (?:does|is) `(.+?)` ?(?:hold)? ?when", draft.prompt)) is None:
        expression = "return"
    else:
        expression = named[1]
    noted: list[str] = []

    def note(make: Callable[[], Any]) -> None:
        try:
            noted.append(shown(make()))
        except Exception:
            noted.append("no value")

    where, line = draft.about
    assert draft.call is not None
    if where == "own":
        _run(program, draft.call, lambda tree: _Noting(line, expression).visit(tree), {"__note__": note})
    else:
        tree = _Noting(line, expression).visit(ast.parse(draft.call.program))
        text = ast.unparse(ast.fix_missing_locations(tree))
        target = {draft.call.target: program.namespace[draft.call.target], "__note__": note}
        with known_state():
            executed(text, {**draft.call.question.inputs["given"], **target})
    return lambda choice: choice == noted[which - 1]


def _cut(program: OwnProgram, draft: Draft) -> Fits:
    known = {call.text: (call, before) for call, before in program.calls}

    def changes(choice: str) -> bool:
        call, before = known[choice]
        after = _run(program, call, lambda tree: _Without(draft.prompt).visit(tree), {})
        return bool(after.raised) or deep(before.values) != deep(after.values)

    return changes


def _result(program: OwnProgram, draft: Draft) -> Fits:
    assert draft.call is not None
    after = _run(program, draft.call, lambda tree: _Without(draft.prompt).visit(tree), {})
    named = re.search(r"What is `(.+)` at the end then", draft.prompt)
    if after.raised:
        return lambda choice: choice == f"an error: {after.raised}"
    return lambda choice: choice == shown(after.values[named[1] if named else draft.call.shown[0]])


def _node(program: OwnProgram, draft: Draft) -> Fits:
    assert draft.call is not None
    with profile() as seen:
        draft.call.run(program.namespace)
    met = {one.name.removeprefix(EVALUATED) for one in seen.function_events if one.name.startswith(EVALUATED)}
    ran = sorted((one for one in seen.function_events if one.name in met), key=lambda one: one.time_range.start)
    names = [one.name.rpartition("::")[2] for one in ran]
    before = re.search(r"right after `([^`]+)`", draft.prompt)
    assert before is not None
    pairs = set(itertools.pairwise(names))
    others = [one.split(" of ")[0] for one in draft.choices]
    # Another pass of the same call may have the same nodes in another order.
    ambiguous = {one for one in others if (before[1].split(" of ")[0], one) in pairs}
    right = draft.choices[draft.right]
    assert right.split(" of ")[0] in ambiguous, (names, before[1], right)
    return lambda choice: choice == right


def _next(program: OwnProgram, draft: Draft) -> Fits:
    lines = _lines_run(program, draft)
    places = [place for place, line in enumerate(lines) if line == draft.about[1]]
    place = places[_which(draft) - 1] + 1
    if place == len(lines):
        return lambda choice: choice.startswith("none")
    return lambda choice: choice.startswith(f"line {lines[place]}:")


def _count(program: OwnProgram, draft: Draft) -> Fits:
    count = _lines_run(program, draft).count(draft.about[1])
    return lambda choice: choice == {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


ANSWERS = {"value": _value, "cut": _cut, "result": _result, "node": _node, "next": _next, "count": _count}


def _lines_run(program: OwnProgram, draft: Draft) -> list[int]:
    """The lines of statements as they ran, a loop's own line whenever it asks for its next value."""
    lines: list[int] = []

    def each(line: int, values: Any) -> Any:
        iterator = iter(values)
        while True:
            lines.append(line)
            try:
                value = next(iterator)
            except StopIteration:
                return
            yield value

    assert draft.call is not None
    names = {"__ran__": lines.append, "__each__": each}
    _run(program, draft.call, lambda tree: _Counting().visit(tree), names)
    return lines


def _run(program: OwnProgram, call: Call, change: Callable[[ast.Module], ast.AST], names: dict[str, Any]) -> Any:
    """Run a call with the changed cell, defined anew."""
    tree = change(ast.parse(program.source.text))
    text = ast.unparse(ast.fix_missing_locations(tree))
    fresh: dict[str, Any] = {"__name__": "__main__", **names}
    for cell in [*cells_before(program.task), text]:
        exec(compile(cell, "<changed>", "exec", dont_inherit=True), fresh)
    with mock.patch.object(calls, "SECONDS", 20.0):  # of the slowest machine
        return call.run(fresh)


def _which(draft: Draft) -> int:
    found = re.search(r"for the (\d+)\w\w time", draft.prompt)
    return int(found[1]) if found else 1


class _Noting(ast.NodeTransformer):
    """Notes an expression after each run of a line; what a line returns, when it does."""

    def __init__(self, line: int, expression: str) -> None:
        self._line, self._expression = line, expression

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(node, field, None)
            if isinstance(statements, list):
                setattr(node, field, [new for one in statements for new in self._noted(one)])
        return node

    def _noted(self, one: ast.stmt) -> list[ast.stmt]:
        if getattr(one, "lineno", 0) != self._line or not isinstance(one, ast.stmt):
            return [one]
        if self._expression == "return":
            value = ast.unparse(one.value)  # type: ignore[attr-defined]
            return ast.parse(f"__value__ = {value}\n__note__(lambda: __value__)").body + _return("__value__")
        noting = ast.parse(f"__note__(lambda: {self._expression})").body
        if isinstance(one, ast.Return) and one.value is not None:
            return [*ast.parse(f"__value__ = {ast.unparse(one.value)}").body, *noting, *_return("__value__")]
        return [one, *noting]


def _return(name: str) -> list[ast.stmt]:
    return [ast.Return(ast.Name(name, ast.Load()))]


class _Counting(ast.NodeTransformer):
    """Notes each line before it runs, inside functions."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = self._counted(node.body, first=True)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = [self.visit(one) for one in node.body]
        return node

    def _counted(self, body: list[ast.stmt], first: bool = False) -> list[ast.stmt]:
        new: list[ast.stmt] = []
        for place, one in enumerate(body):
            if first and place == 0 and isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
                new.append(one)
                continue
            if isinstance(one, ast.For):
                one.iter = ast.parse(f"__each__({one.lineno}, {ast.unparse(one.iter)})", mode="eval").body
            elif not isinstance(one, ast.Nonlocal | ast.Global):
                new += ast.parse(f"__ran__({one.lineno})").body
            for field in ("body", "orelse", "finalbody"):
                inner = getattr(one, field, None)
                if isinstance(inner, list) and inner:
                    setattr(one, field, self._counted(inner, first=isinstance(one, ast.FunctionDef)))
            for handler in getattr(one, "handlers", []):
                handler.body = self._counted(handler.body)
            new.append(one)
        return new


class _Without(ast.NodeTransformer):
    """Takes out what a question's prompt names."""

    def __init__(self, prompt: str) -> None:
        self._lines = re.search(r"Suppose lines? (\d+)", prompt)
        self._part = re.search(r"Suppose `(.+)` in line (\d+) goes", prompt)
        self._done = False

    def visit(self, node: ast.AST) -> Any:
        if self._lines is not None and isinstance(node, ast.stmt) and node.lineno == int(self._lines[1]):
            return ast.Pass()
        self.generic_visit(node)
        if self._part is None or not isinstance(node, ast.Call) or self._done:
            return node
        text, line = self._part[1], int(self._part[2])
        called = node.func
        is_bare = (
            isinstance(called, ast.Attribute) and called.end_lineno == line and not node.args and not node.keywords
        )
        if is_bare and text == f".{called.attr}()":
            self._done = True
            return called.value
        for keyword in node.keywords:
            if keyword.lineno == line and _same_keyword(text, keyword):
                node.keywords = [one for one in node.keywords if one is not keyword]
                self._done = True
                break
        return node


def _same_keyword(text: str, keyword: ast.keyword) -> bool:
    try:
        (said,) = ast.parse(f"f({text})", mode="eval").body.keywords  # type: ignore[attr-defined]
    except (SyntaxError, ValueError):
        return False
    return ast.dump(said) == ast.dump(keyword)


def shown(value: Any) -> str:
    """A value as a choice shows it, written here once more."""
    if isinstance(value, torch.Size):
        return str(tuple(value))
    if isinstance(value, torch.Tensor):
        value = value.detach().tolist()
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{value + 0.0:.4g}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_short(one) for one in value) + "]"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_short(one)}" for key, one in value.items())
    return repr(value)


def _short(one: Any) -> str:
    while isinstance(one, torch.Tensor | list | tuple):
        one = one.reshape(()).item() if isinstance(one, torch.Tensor) else one[0]
    if isinstance(one, bool):
        return str(one)
    return f"{float(one) + 0.0:.4g}"


def deep(value: Any) -> Any:
    """A value as nested lists of rounded numbers, to be compared."""
    if isinstance(value, torch.Tensor):
        return [
            tuple(value.shape),
            str(value.dtype),
            value.requires_grad,
            deep(value.detach().double().flatten().tolist()),
        ]
    if isinstance(value, dict):
        return [(key, deep(one)) for key, one in value.items()]
    if isinstance(value, list | tuple):
        return [deep(one) for one in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{float(value) + 0.0:.5g}"
    return value if isinstance(value, bool | str) or value is None else type(value).__name__
