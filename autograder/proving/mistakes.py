"""Check a task's mistakes: distinct from the right answer and each other, well worded, found in held-out answers."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

from autograder.checks.catalogue import tasks_of
from autograder.checks.task import PUBLIC_SEED, Case, Task
from autograder.comparison import agree
from autograder.diagnosis.hypothesis import Mistake
from autograder.proving.problems import Problem, explained, shown
from autograder.proving.two_sources import right_answer
from autograder.tasks.lesson_sections import with_reading
from autograder.tasks.tables import read_table

LONGEST = 220
"""Maximum length of a sentence in characters, so that it can be read at a glance."""
NOT_HELD_OUT = "not_held_out.toml"
"""A file beside an exercise's tasks: for each task, the mistakes for which no answer is held out."""


class RaisesError(Exception):
    """A mistake should predict an answer but raises an exception."""


def predicted(task: Task, mistake: Mistake) -> list[Any]:
    """Compute what a mistake predicts on every case of a task; None for a case on which it predicts nothing.

    Raises:
        RaisesError: if it raises an exception that is neither arithmetic nor explained by any mistake of the task.
    """
    return [_prediction(task, mistake, case) for case in all_cases(task)]


def _prediction(task: Task, mistake: Mistake, case: Case) -> Any:
    assert mistake.answer is not None, f"{mistake.name} predicts nothing"
    try:
        return mistake.answer(*case.inputs)
    except (ArithmeticError, ValueError):  # for example log of a negative number: no answer in this case
        return None
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        if any(one.explains(said, False) for one in task.mistakes):  # recognised by its exception in this case
            return None
        raise RaisesError(
            f"{mistake.where}: an answer that makes the mistake {mistake.name!r} raises an exception "
            f"({explained(task, error, case.inputs)}); declare it with raises= if students see it, else correct "
            f"the answer. The question was {shown(case.inputs)}"
        ) from error


def all_cases(task: Task) -> list[Case]:
    """Return the public and the drawn cases of all checks of a task."""
    return [case for check in task.checks for case in check.cases(PUBLIC_SEED)]


def right_answers(task: Task) -> list[Any]:
    """Compute the right answer on every case of a task; only the judged part of it."""
    return [right_answer(task, case.inputs) for case in all_cases(task)]


def without_answers(task: Task) -> Iterator[Problem]:
    """Report mistakes that should predict an answer and raise an exception on some input."""
    for mistake in task.mistakes:
        if mistake.answer is not None:
            try:
                predicted(task, mistake)
            except RaisesError as error:
                yield Problem(str(error), "mistakes whose answers raise")


def distinguishable(task: Task) -> Iterator[Problem]:
    """Report mistakes that on all inputs predict the right answer, or the same as another mistake.

    Most differ on the first inputs, so an answer is computed only when it is compared.
    """
    cases = all_cases(task)
    right = functools.cache(lambda number: right_answer(task, cases[number].inputs))
    known = [(one, _answers(task, one, cases)) for one in task.mistakes if one.answer is not None]
    for mistake, answer in known:
        if not any(_differs(answer(number), right(number), task) for number in range(len(cases))):
            sentence = f"{mistake.where}: on every input, what the mistake {mistake.name!r} predicts is right"
            yield Problem(sentence, "mistakes that predict what is right")
    for (one, first), (other, second) in itertools.combinations(known, 2):
        if one.name != other.name and all(_same(first(n), second(n), task) for n in range(len(cases))):
            sentence = f"{other.where}: {other.name!r} and {one.name!r} predict the same on every input"
            yield Problem(sentence, "pairs of mistakes that predict the same")


def _answers(task: Task, mistake: Mistake, cases: list[Case]) -> Callable[[int], Any]:
    """Return what a mistake predicts on the case of that number, computed once; an exception equals nothing."""

    def answer(number: int) -> Any:
        try:
            return _prediction(task, mistake, cases[number])
        except RaisesError as error:
            return error

    return functools.cache(answer)


def _differs(answer: Any, right: Any, task: Task) -> bool:
    return answer is not None and not agree(answer, right, task.tolerance)


def _same(one: Any, other: Any, task: Task) -> bool:
    """Return whether two predictions are the same; both ways, because a dict agrees with one that lacks its keys."""
    if isinstance(one, RaisesError) or isinstance(other, RaisesError):
        return False
    if one is None or other is None:
        return one is other
    return agree(one, other, task.tolerance) and agree(other, one, task.tolerance)


def well_worded(task: Task) -> Iterator[Problem]:
    """Report sentences with faulty capitals or punctuation, and those that are too long."""
    for mistake in task.mistakes:
        said, of = with_reading(mistake.sentence), f"{mistake.where}: the sentence of {mistake.name!r}"
        if not (said[0].isupper() or said[0] == "`") or said.rstrip()[-1] not in ".?":
            yield Problem(f"{of} lacks its capital, its full stop or its question mark: {said}")
        if "!" in said or len(said) >= LONGEST:
            yield Problem(f"{of} has an exclamation mark, or {LONGEST} characters and more: {said}")


def held_out(task: Task) -> Iterator[Problem]:
    """Report a core task's mistakes without a held-out answer that `NOT_HELD_OUT` does not list, and its stale entries.

    Raises:
        TaskFolderError: if that list cannot be used.
    """
    if not task.core:
        return
    file = task.folder.parent / NOT_HELD_OUT
    listed = read_table(file, {}, dict.fromkeys(tasks_of(task.exercise), list)) if file.exists() else {}
    mistakes, debts = task.answers.mistakes, set(listed.get(task.name, []))
    others = {one.diagnosed for one in task.answers.answers if not any(one.source in each.ways for each in mistakes)}
    names = {mistake.name: mistake.where for mistake in mistakes if mistake.ways}
    for name in names.keys() - others - debts:
        sentence = (
            f"{names[name]}: only the answers by which {name!r} is known make it; add one more with @wrong({name!r})"
        )
        yield Problem(sentence, "names without an answer that is held out")
    for name in debts - (names.keys() - others):
        yield Problem(f"{file}: take {name!r} out of {task.name}; an answer is held out, or the name predicts nothing")
