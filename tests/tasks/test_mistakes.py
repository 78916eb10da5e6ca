"""The named mistakes of every task: told apart by its inputs, each from each, in sentences for a person."""

from __future__ import annotations

import gc
import itertools
import re
from pathlib import Path

import nbformat
import pytest
import torch

from autograder.checks.task import PUBLIC_SEED, Case, Task
from autograder.comparison import agree
from autograder.diagnosis.errors import RAISED
from autograder.diagnosis.general import GENERAL
from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.worlds import in_other_worlds
from autograder.probes.programs import Program
from tests.chosen import TASKS
from tests.depth import one_of_each
from tests.submissions import COURSE


def predicted_anew(task: Task, mistake: Mistake) -> list:
    """What a mistake predicts on every case of a task; None where it has no answer there."""
    predicted = []
    for case in all_cases(task):
        try:
            predicted.append(mistake.answer(*case.inputs))
        except (ArithmeticError, ValueError):  # log of a negative number, a graph too large: no answer here
            predicted.append(None)
        except Exception as error:
            pytest.fail(f"{task.name}: the mistake {mistake.name!r} raises {error!r} on {case.inputs}; use raises=")
    return predicted


def all_cases(task: Task) -> list[Case]:
    """The public and the drawn cases of all its checks."""
    return [case for check in task.checks for case in check.cases(PUBLIC_SEED)]


def right_answers(task: Task) -> list:
    """What is right on every case of a task, as far as it is judged."""
    answers = []
    for case in all_cases(task):
        right = task.reference.oracle(*case.inputs)
        if case.inputs and isinstance(case.inputs[0], Program):
            right = {key: right[key] for key in case.inputs[0].shown}
        answers.append(right)
    return answers


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_inputs_tell_every_mistake_from_what_is_right_and_from_every_other(task: Task) -> None:
    right = right_answers(task)
    known = [(one, predicted_anew(task, one)) for one in task.mistakes if one.answer is not None]
    for mistake, predicted in known:
        differ = [p is not None and not agree(p, r, task.tolerance) for p, r in zip(predicted, right, strict=True)]
        assert any(differ), f"{task.name}: no input shows the mistake {mistake.name!r}"
    for (one, first), (other, second) in itertools.combinations(known, 2):
        if one.name == other.name:
            continue
        pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None or b is not None]
        same = all(a is not None and b is not None and agree(a, b, task.tolerance) for a, b in pairs)
        assert not same, f"{task.name}: {one.name!r} and {other.name!r} cannot be told apart"


@pytest.mark.parametrize("task", one_of_each(TASKS, lambda task: task.exercise), ids=lambda task: task.name)
def test_what_is_predicted_is_not_kept(task: Task) -> None:
    """A worker that judges thousands would grow: autograd's cycles are not for Python's collector to see."""

    def tensors_after_predicting() -> int:
        for mistake in task.mistakes:
            if mistake.answer is not None:
                predicted_anew(task, mistake)
        gc.collect()
        return sum(issubclass(type(each), torch.Tensor) for each in gc.get_objects())

    right_answers(task)
    gc.collect()
    gc.freeze()  # only what is new is looked at
    try:
        kept = tensors_after_predicting()
        assert kept == 0 or kept == tensors_after_predicting()  # what is cached is cached once
    finally:
        gc.unfreeze()


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_sentences_are_for_a_person(task: Task) -> None:
    for mistake in task.mistakes:
        assert mistake.sentence[0].isupper() or mistake.sentence[0] == "`"
        assert mistake.sentence.rstrip()[-1] in ".?"
        assert "!" not in mistake.sentence
        assert len(mistake.sentence) < 220


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_task_is_whole(task: Task) -> None:
    assert task.checks, f"{task.name} has no check"
    for check in task.checks:
        assert check.points > 0, f"{check.id} is worth nothing"
        assert check.public or check.draw, f"{check.id} asks nothing"
    assert task.minutes > 0
    assert task.mistakes, f"{task.name} names no mistake"


def test_every_section_that_a_sentence_names_is_in_its_lesson() -> None:
    sentences = [mistake.sentence for task in TASKS for mistake in task.mistakes]
    sentences += [mistake.sentence for mistake in (*GENERAL, *RAISED, *in_other_worlds("task", print))]
    for sentence in sentences:
        for lesson, section in re.findall(r"lesson (\d\d), “(.+?)”", sentence):
            (path,) = (COURSE / "lessons").glob(f"{lesson}_*.ipynb")
            headings = re.findall(r"^#+ (.+)$", text_of(path), re.MULTILINE)
            assert section in headings, sentence


def text_of(path: Path) -> str:
    """A notebook's Markdown."""
    cells = nbformat.read(path, as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
