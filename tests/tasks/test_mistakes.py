"""The named mistakes of every task: told apart by its inputs, each from each, in sentences for a person."""

from __future__ import annotations

import gc

import nbformat
import pytest
import torch

from autograder.checks.task import Task
from autograder.diagnosis.altered_autograd import autograd_mistakes
from autograder.diagnosis.general import GENERAL
from autograder.diagnosis.raised import RAISED
from autograder.proving.derived_notebooks import headings
from autograder.proving.files import usable, whole
from autograder.proving.mistakes import distinguishable, predicted, right_answers, well_worded, without_answers
from autograder.tasks.lesson_sections import REFERENCE, with_reading
from tests.chosen import TASKS
from tests.depth import exhaustive, one_of_each
from tests.submissions import COURSE


@exhaustive
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_every_mistake_predicts_answers(task: Task) -> None:
    assert list(without_answers(task)) == []


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_the_inputs_tell_every_mistake_from_what_is_right_and_from_every_other(task: Task) -> None:
    assert list(distinguishable(task)) == []


@pytest.mark.parametrize("task", one_of_each(TASKS, lambda task: "", rest=exhaustive), ids=lambda task: task.name)
def test_what_is_predicted_is_not_kept(task: Task) -> None:
    """A worker that judges thousands would grow: autograd's cycles are not for Python's collector to see."""

    def tensors_after_predicting() -> int:
        for mistake in task.mistakes:
            if mistake.answer is not None:
                predicted(task, mistake)
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
    assert list(well_worded(task)) == []


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_task_is_whole(task: Task) -> None:
    assert [*usable(task), *whole(task)] == []


def test_every_section_that_a_sentence_names_is_in_its_lesson() -> None:
    sentences = [mistake.sentence for task in TASKS for mistake in task.mistakes]
    sentences += [mistake.sentence for mistake in (*GENERAL, *RAISED, *autograd_mistakes("task", print))]
    for sentence in map(with_reading, sentences):
        for lesson, section in REFERENCE.findall(sentence):
            (path,) = (COURSE / "lessons").glob(f"{lesson}_*.ipynb")
            assert section in headings(nbformat.read(path, as_version=4)), sentence
