"""Answers that students could give, wrong and right, by which the checks are proved.

An answer stands in `wrong_answers/wrong_NN_topic.py` or `right_answers/right_NN_topic.py` as a function
without arguments. Its body is the source of the student's solution cell:

    @wrong("partials", diagnosed="x and w swapped")
    def x_and_w_swapped():
        def partials(x, w, b):
            ...

To add one, write such a function: the body as a student would write it, with the imports that it needs,
and the short name of the mistake that the autograder must give it. For a long class with one wrong method,
give that method alone and name the answer that it changes: `@wrong("Value", within=closures, ...)`. For a
slip of one line, `slip(...)` names the method, what stands there and what the student wrote instead.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import textwrap
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Answer:
    """One student's answer to one task.

    Attributes:
        task: the task's name.
        name: what the answer is called in test reports.
        source: the whole solution cell.
        diagnosed: the mistake that must be named; empty for a right answer.
        loses: names of the groups of points that it loses, nothing else; empty where that is not stated.
        kind: "wrong" or "right".
        endless: whether some question never gets its answer, so that waiting longer proves no more.
    """

    task: str
    name: str
    source: str
    diagnosed: str
    loses: tuple[str, ...]
    kind: str
    endless: bool = False


_REGISTRY: dict[str, list[Answer]] = {}
"""Answers by the name of the module that holds them."""


def wrong(
    task: str,
    *,
    diagnosed: str,
    loses: tuple[str, ...] = (),
    within: Callable | None = None,
    endless: bool = False,
) -> Callable[[Callable], Callable]:
    """Register the decorated function's body as a wrong answer.

    Args:
        task: the task's name.
        diagnosed: the mistake that must be named.
        loses: the groups of points that it loses, if that is to be stated.
        within: an answer whose class the body's methods change or extend.
        endless: whether some question never gets its answer.
    """

    def register(function: Callable) -> Callable:
        source = source_of(function)
        if within is not None:
            source = _with_methods(source_of(within), source)
        _add(function.__module__, Answer(task, function.__name__, source, diagnosed, loses, "wrong", endless))
        return function

    return register


def right(task: str) -> Callable[[Callable], Callable]:
    """Register the decorated function's body as a right answer."""

    def register(function: Callable) -> Callable:
        _add(function.__module__, Answer(task, function.__name__, source_of(function), "", (), "right"))
        return function

    return register


def slip(
    task: str,
    name: str,
    *,
    within: Callable,
    method: str = "",
    was: str,
    wrote: str,
    diagnosed: str,
    loses: tuple[str, ...] = (),
) -> None:
    """Register an answer with something else written in one method, or in all of the class.

    Args:
        task: the task's name.
        name: what the answer is called.
        within: the answer that it changes.
        method: only in this method.
        was: what stands there, once or more.
        wrote: what the student wrote instead.
        diagnosed: the mistake that must be named.
        loses: the groups of points that it loses, if that is to be stated.

    Raises:
        ValueError: where `was` does not occur.
    """
    source = source_of(within)
    part = _methods(source)[method] if method else source
    if was not in part:
        raise ValueError(f"{name}: {was!r} does not occur in {within.__name__} {method}")
    changed = source.replace(part, part.replace(was, wrote))
    caller = inspect.currentframe().f_back.f_globals["__name__"]
    _add(caller, Answer(task, name, changed, diagnosed, loses, "wrong"))


def wrong_answers(exercise: str) -> list[Answer]:
    """All wrong answers to an exercise, "01_scalar_graphs"."""
    return _answers(f"tests.wrong_answers.wrong_{exercise}")


def right_answers(exercise: str) -> list[Answer]:
    """All right answers to an exercise, beside the solution's own."""
    return _answers(f"tests.right_answers.right_{exercise}")


def _answers(module: str) -> list[Answer]:
    importlib.import_module(module)
    return list(_REGISTRY[module])


def _add(module: str, answer: Answer) -> None:
    answers = _REGISTRY.setdefault(module, [])
    if any((other.task, other.name) == (answer.task, answer.name) for other in answers):
        raise ValueError(f"two answers to {answer.task} are called {answer.name}")
    answers.append(answer)


def source_of(function: Callable) -> str:
    """The lines below `def name():`, comments included, without their indentation."""
    source = textwrap.dedent(inspect.getsource(function))
    return textwrap.dedent("\n".join(source.splitlines()[ast.parse(source).body[0].lineno :])).strip() + "\n"


def _methods(source: str) -> dict[str, str]:
    """The source of each method of the class `Value`, or whichever class stands last, by name."""
    lines = source.splitlines()
    owner = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)][-1]
    return {
        node.name: "\n".join(lines[node.lineno - 1 : node.end_lineno])
        for node in owner.body
        if isinstance(node, ast.FunctionDef)
    }


def _with_methods(source: str, changes: str) -> str:
    """A cell whose last class has methods from `changes`, in place of its own or after them."""
    lines = changes.splitlines()
    for node in ast.parse(changes).body:
        method = textwrap.indent("\n".join(lines[node.lineno - 1 : node.end_lineno]), "    ")
        own = _methods(source)
        if node.name in own:
            source = source.replace(own[node.name], method)
        else:
            last = list(own.values())[-1]
            source = source.replace(last, f"{last}\n\n{method}")
    return source
