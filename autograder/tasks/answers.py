"""Declare mistakes, wrong answers and right answers in a task's `answers.py`.

An answer is a function without arguments whose body is a student's solution cell:

    @mistake("squared", "This is x squared. What does doubling do to 3?")
    def times_itself():
        def double(x):
            return x * x

Written once, it serves three purposes: it is a wrong answer that must lose points under this name; run in place of the
task, it gives the prediction by which the mistake is recognised; and it is the book's example. `@wrong(name)` is the
same mistake made in another way. Such an answer is held out: it predicts nothing, and must still get the name. Write a
wrong line in a long answer with `slip`, or several with `slips`. `known` declares mistakes without a written answer.
"""

from __future__ import annotations

import copy
import dataclasses
import enum
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from autograder.diagnosis.hypothesis import Mistake
from autograder.tasks.cells import replaced_in, source_of, with_methods
from autograder.tasks.modules import module

Written = Callable[[], object]
"""A function whose body is a solution cell. It is read, never called."""


class AnswerKind(enum.StrEnum):
    """Whether an answer is right or wrong. Messages use the text."""

    RIGHT = "right"
    WRONG = "wrong"


@dataclasses.dataclass(frozen=True)
class Answer:
    """A right or wrong answer to a task, as a student would write it.

    Attributes:
        task: the task's name.
        name: identifies the answer in test reports.
        source: the whole solution cell.
        diagnosed: name of the mistake that the diagnosis must give; empty for a right answer.
        loses: titles of exactly the checks whose points it loses; empty if not stated.
        endless: whether some question never ends, so that a longer time limit would not help.
        where: file and line of the declaration.
    """

    task: str
    name: str
    source: str
    diagnosed: str = ""
    loses: tuple[str, ...] = ()
    endless: bool = False
    where: str = dataclasses.field(default="", compare=False)

    @property
    def kind(self) -> AnswerKind:
        """Whether the answer is right or wrong: one that names a mistake is wrong."""
        return AnswerKind.WRONG if self.diagnosed else AnswerKind.RIGHT


@dataclasses.dataclass
class Answers:
    """The contents of one `answers.py`.

    Attributes:
        mistakes: in the order in which the diagnosis tries them.
        answers: the wrong and right answers.
    """

    mistakes: list[Mistake] = dataclasses.field(default_factory=list)
    answers: list[Answer] = dataclasses.field(default_factory=list)

    def named(self, name: str) -> Mistake | None:
        """Return the first mistake of this name; None if there is none."""
        return next((one for one in self.mistakes if one.name == name), None)


_READ: dict[str, Answers] = {}
"""Every `answers.py` that was imported, by its module's name."""


def answers_of(folder: Path) -> Answers:
    """Read the `answers.py` of a task's folder.

    Raises:
        TaskFolderError: if it cannot be imported.
    """
    try:
        return _declared_in(module(folder / "answers.py").__name__)
    finally:  # after a failed import, the next one must start from nothing
        for name in _READ.keys() - sys.modules.keys():
            del _READ[name]


def _declared_in(module: str) -> Answers:
    return _READ.setdefault(module, Answers())


def mistake(
    name: str,
    sentence: str,
    *,
    raises: str = "",
    afterwards: bool | None = None,
    predicts: bool | None = None,
    **options: Any,
) -> Callable[[Written], Written]:
    """Declare a mistake; the decorated answer makes it.

    Args:
        name: short and plain: "relu forgotten".
        sentence: tells the student what was seen and where to look, without giving the solution away.
        raises: a regular expression for the exception that the mistake ends in, "TypeError: ...".
        afterwards: where that exception is raised; see `Mistake`.
        predicts: whether this answer predicts what the mistake yields; by default, if it raises nothing.
        options: passed on to `wrong`.
    """

    def register(function: Written) -> Written:
        _declare(function.__module__, Mistake(name, sentence, raises=raises, afterwards=afterwards), _where(function))
        return wrong(name, predicts=not raises if predicts is None else predicts, **options)(function)

    return register


def wrong(
    diagnosed: str,
    *,
    predicts: bool = False,
    loses: tuple[str, ...] = (),
    within: Written | None = None,
    endless: bool = False,
) -> Callable[[Written], Written]:
    """Register the decorated function's body as a wrong answer.

    Args:
        diagnosed: name of the mistake that the diagnosis must give; common ones ("not attempted") are allowed too.
        predicts: whether this answer, too, predicts what the mistake yields.
        loses: titles of exactly the checks whose points it loses; not stated by default.
        within: an answer; the methods in this body replace or extend those of its class.
        endless: whether some question never ends.
    """

    if callable(diagnosed):
        raise TypeError(
            "@wrong takes the name of a mistake: @wrong(...)"
        )  # else the answer would be dropped in silence

    def register(function: Written) -> Written:
        source = source_of(function)
        if within is not None:
            source = with_methods(source_of(within), source)
        _add(
            function.__module__,
            Answer(*_named(function), source, diagnosed, loses, endless, _where(function)),
            predicts,
        )
        return function

    return register


def right(function: Written) -> Written:
    """Register the decorated function's body as a right answer; called with another task's answer, as one to this."""
    caller, _ = _caller()
    _add(caller, Answer(_task(caller), function.__name__, source_of(function), where=_where(function)))
    return function


def slip(
    name: str,
    *,
    within: Written,
    was: str,
    wrote: str,
    diagnosed: str,
    method: str = "",
    sentence: str = "",
    predicts: bool | None = None,
    loses: tuple[str, ...] = (),
) -> None:
    """Register a copy of an answer in which some text is replaced, in one method or everywhere.

    Args:
        name: the new answer's name.
        within: the answer to copy.
        was: the text to replace, at each of its occurrences.
        wrote: what the student wrote instead.
        diagnosed: name of the mistake that the diagnosis must give.
        method: replace only in this method; empty for everywhere.
        sentence: declares the mistake as well, as in `mistake`.
        predicts: as in `wrong`; by default, if `sentence` declares the mistake.
        loses: as in `wrong`.

    Raises:
        ValueError: if `was` does not occur.
    """
    caller, where = _caller()
    if sentence:
        _declare(caller, Mistake(diagnosed, sentence), where)
    answer = Answer(_task(caller), name, _slipped(name, within, method, was, wrote), diagnosed, loses, where=where)
    _add(caller, answer, bool(sentence) if predicts is None else predicts)


def slips(within: Written, table: Mapping[str, tuple[str, str, str]], *, loses: tuple[str, ...] = ()) -> None:
    """Register several slips within one answer, as `slip` does one.

    Args:
        within: the answer to copy.
        table: by the new answer's name, the text to replace, what the student wrote instead, and the mistake's name.
        loses: as in `wrong`.

    Raises:
        ValueError: if some text to replace does not occur.
    """
    caller, where = _caller()
    for name, (was, wrote, diagnosed) in table.items():
        source = _slipped(name, within, "", was, wrote)
        _add(caller, Answer(_task(caller), name, source, diagnosed, loses, where=where))


def known(*mistakes: Mistake | Iterable[Mistake]) -> None:
    """Declare mistakes, or groups of them, that no written answer predicts; the diagnosis tries them in this order."""
    caller, where = _caller()
    for given in mistakes:
        for one in [given] if isinstance(given, Mistake) else given:
            _declare(caller, one, where)


def _slipped(name: str, within: Written, method: str, was: str, wrote: str) -> str:
    try:
        return replaced_in(source_of(within), method, was, wrote)
    except LookupError as error:
        raise ValueError(f"{name}: {error} in {within.__name__}") from None


def _caller() -> tuple[str, str]:
    """Return the module that called a public function of this file, and the file and line of that call."""
    frame = sys._getframe(2)
    return frame.f_globals["__name__"], f"{frame.f_code.co_filename}, line {frame.f_lineno}"


def _where(function: Written) -> str:
    return f"{function.__code__.co_filename}, line {function.__code__.co_firstlineno}"


def _task(module: str) -> str:
    return module.split(".")[-2]


def _named(function: Written) -> tuple[str, str]:
    """Return the name of an answer's task, and the answer's own."""
    return _task(function.__module__), function.__name__


def _declare(of: str, mistake: Mistake, where: str) -> None:
    declared = copy.copy(mistake)  # `_add` adds ways to it, and other tasks may declare the same mistake
    declared.where = where
    _declared_in(of).mistakes.append(declared)


def _add(of: str, answer: Answer, predicts: bool = False) -> None:
    answers = _declared_in(of)
    if any(other.name == answer.name for other in answers.answers):
        raise ValueError(f"two answers are called {answer.name}")
    answers.answers.append(answer)
    if predicts:
        # A name may be declared several times, each with its own sentence and ways; the latest is meant.
        declared = [one for one in answers.mistakes if one.name == answer.diagnosed]
        if not declared:
            raise ValueError(f"{answer.name} predicts for {answer.diagnosed!r}, which is not declared above it")
        declared[-1].ways += (answer.source,)
