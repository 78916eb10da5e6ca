"""`about("task")`: three questions about the student's own program, and the answers to them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from autograder import record
from autograder.checks.catalogue import find_task
from autograder.choices import MultipleChoice, show
from autograder.own_answers.cut_questions import cut_questions
from autograder.own_answers.draft import Draft
from autograder.own_answers.program import OwnProgram
from autograder.own_answers.step_questions import step_questions
from autograder.own_answers.used_names import what_is_used
from autograder.own_answers.value_questions import value_questions
from autograder.surroundings import at_desk
from autograder.tasks.own_versions import own_label

WANTED = 3
KINDS = (value_questions, cut_questions, step_questions)
_asked: dict[str, tuple[Any, list[Draft]]] = {}
"""By task, the source of the program that was asked about last with what it uses, and the questions."""


def about(task: str | None = None, question: int | None = None, answer: str | None = None) -> None:
    """Ask three questions about your own answer to a task: what it computes line by line, and why each line is there.

    The right answers come from running your program on public inputs. Nothing is graded.

    Args:
        task: the task's name.
        question: 1, 2 or 3 for one of the questions; all are shown if omitted.
        answer: a letter, to answer without the widget: about("task", 1, "b").
    """
    if not at_desk("about"):
        return
    try:
        found = find_task(own_label(task))
        program = OwnProgram.of(found, _namespace())
        drafts = _drafts(program)
    except LookupError as error:  # no such task, no program
        print(error.args[0], file=sys.stderr)
        return
    if not drafts and program.is_late:
        del _asked[found.name]
        print(f"Your `{found.name}` takes too long to be run again and again, so there are no questions about it now.")
        return
    if not drafts:
        print(f"Your `{found.name}` leaves nothing to ask: its result can be read from its lines.")
        return
    titled = [one.titled(f"Question {k} of {len(drafts)} about your `{found.name}`") for k, one in enumerate(drafts, 1)]
    if question is None:
        for number in range(1, len(titled) + 1):
            _show(found.name, number, titled[number - 1], drafts[number - 1])
        return
    if type(question) is not int or not 1 <= question <= len(titled):
        print(f"There are questions 1 to {len(titled)} about your `{found.name}`.", file=sys.stderr)
        return
    chosen, draft = titled[question - 1], drafts[question - 1]
    if answer is None:
        _show(found.name, question, chosen, draft)
        return
    try:
        place = chosen.place(answer)
    except ValueError as error:
        print(error.args[0], file=sys.stderr)
        return
    _note(found.name, draft, place)
    print(chosen.reply(place))


def questions(program: OwnProgram) -> list[Draft]:
    """Return up to three questions about a program, of three kinds if each kind has one."""
    kinds = [kind(program) for kind in KINDS]
    chosen: list[Draft] = []
    passed_over: list[Draft] = []
    for _ in range(WANTED):
        for kind in kinds:
            if len(chosen) < WANTED and (draft := _next(kind, chosen, passed_over)) is not None:
                chosen.append(draft)
    for draft in passed_over:  # a program of one line: the same line in another call
        if len(chosen) < WANTED and all(draft.differs_from(one) for one in chosen):
            chosen.append(draft)
    return chosen


def _next(kind: Iterator[Draft], chosen: list[Draft], passed_over: list[Draft]) -> Draft | None:
    """Return the next question about a line that no chosen one of its form is about."""
    taken = {(one.form, one.about) for one in chosen}
    for draft in kind:
        if (draft.form, draft.about) not in taken:
            return draft
        passed_over.append(draft)
    return None


def _drafts(program: OwnProgram) -> list[Draft]:
    """Return the questions about a program; those that were shown, as long as it and what it uses are the same."""
    name, known = program.task.name, (program.source.text, what_is_used(program.source.functions, program.namespace))
    if name not in _asked or _asked[name][0] != known:
        _asked[name] = known, questions(program)
    return _asked[name][1]


def _show(task: str, number: int, question: MultipleChoice, draft: Draft) -> None:
    show(question, f'about("{task}", {number}, "{{}}")', lambda place: _note(task, draft, place))


def _note(task: str, draft: Draft, place: int) -> None:
    record.note("question", task=task, form=draft.form, right=place == draft.right)


def _namespace() -> dict[str, Any]:
    """Return the notebook's global names; those of `__main__` outside IPython."""
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell.user_ns if shell is not None else vars(sys.modules["__main__"])
