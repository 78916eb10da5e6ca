"""What a written answer predicts: as its notebook would run it, with all that is looked at, under its own sentence."""

from __future__ import annotations

from autograder.checks.catalogue import find_task
from autograder.checks.task import PUBLIC_SEED
from autograder.proving.mistakes import without_answers


def test_an_answer_finds_the_solutions_that_it_builds_on() -> None:
    task = find_task("fit_neuron")
    inputs = task.checks[0].cases(PUBLIC_SEED)[0].inputs
    predicted = [one.answer(*inputs) for one in task.mistakes if one.answer is not None]
    assert len(predicted) > 5
    assert all(len(one) == 2 for one in predicted)


def test_one_name_has_several_sentences_each_with_its_own_ways() -> None:
    made = [one for one in find_task("forward_values").mistakes if one.name == "w + b first"]
    assert len({one.sentence for one in made}) == 2
    assert all(one.answer is not None for one in made)
    assert len({one.answer(2.0, 3.0, 4.0)["u"] for one in made}) == 2


def test_what_is_looked_at_beside_the_answer_is_predicted_too() -> None:
    task = find_task("recurrence_gradient")
    case = task.checks[0].cases(PUBLIC_SEED)[0]
    assert case.inputs[0].also
    mistake = next(one for one in task.mistakes if one.answer is not None)
    assert set(mistake.answer(*case.inputs)) == {*case.inputs[0].shown, *case.inputs[0].also}


def test_an_exception_that_some_mistake_of_the_task_names_is_no_answer() -> None:
    """A sum over an axis that is gone raises for one mistake what another is recognised by."""
    assert list(without_answers(find_task("unbroadcast"))) == []
