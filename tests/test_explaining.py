"""A diagnosis fits everything that was seen, or it is not said."""

from __future__ import annotations

import math

import pytest
import torch

from autograder.checks.catalogue import find_task
from autograder.diagnosis.agreeing import told_as_one
from autograder.diagnosis.explaining import Judged, explain
from autograder.diagnosis.general import GENERAL
from autograder.diagnosis.hypothesis import POSSIBLE, Finding, Mistake
from autograder.diagnosis.one_factor import one_factor, wrong_numbers
from autograder.diagnosis.two_mistakes import Either, Two, Upon
from autograder.grader.live import judge_namespace
from autograder.wire.outcome import Outcome
from tests.chosen import CHOOSING

DOUBLED = Mistake("doubled", "It is doubled.").made_by(lambda v: 2.0 * v)
DOUBLED.where = "answers.py, line 1"  # as the task's own mistakes have
NEGATED = Mistake("negated", "It is negated.").made_by(lambda v: -1.0 * v)
NEGATED_BY_THE_TASK = Mistake("negated", "It is negated.").made_by(lambda v: -1.0 * v)
NEGATED_BY_THE_TASK.where = "answers.py, line 2"
ONE = Mistake("one", "It is 1.").made_by(lambda v: 1.0)


def judged(number: float, got: float) -> Judged:
    """A case whose right answer is its input."""
    return Judged((number,), number, got, is_right=got == number)


def test_what_explains_a_part_of_the_wrong_answers_is_not_said() -> None:
    assert explain([judged(3.0, 6.0), judged(4.0, 8.0)], [DOUBLED]) is DOUBLED
    assert explain([judged(3.0, 6.0), judged(4.0, 5.0)], [DOUBLED]) is None


def test_a_right_answer_speaks_against_a_mistake_that_would_have_changed_it() -> None:
    assert explain([judged(3.0, 6.0), judged(0.0, 0.0)], [DOUBLED]) is DOUBLED
    assert explain([judged(3.0, 6.0), judged(4.0, 4.0)], [DOUBLED]) is None


def test_what_is_only_possible_is_not_said() -> None:
    class Silent(Mistake):
        def predict(self, inputs: tuple, expected: object, got: object) -> object:
            return POSSIBLE if inputs[0] > 3 else super().predict(inputs, expected, got)

    silent = Silent("doubled below 3", "It is doubled there.").made_by(lambda v: 2.0 * v)
    assert explain([judged(2.0, 4.0), judged(4.0, 5.0)], [silent]) is silent
    assert explain([judged(4.0, 5.0)], [silent]) is None
    assert explain([judged(4.0, 5.0), judged(0.0, 0.0)], [silent]) is None


def test_two_mistakes_are_said_where_each_wrong_answer_shows_exactly_one() -> None:
    cases = [judged(3.0, 6.0), judged(4.0, 8.0), judged(5.0, -5.0), judged(6.0, -6.0)]
    two = explain(cases, [NEGATED, DOUBLED])
    assert isinstance(two, Two)
    assert {two.first, two.second} == {NEGATED, DOUBLED}
    assert explain([*cases, judged(7.0, 0.5)], [NEGATED, DOUBLED]) is None


def test_a_change_of_all_numbers_may_come_upon_a_mistake() -> None:
    signs = [one for one in GENERAL if one.name == "sign"]
    cases = [judged(3.0, -6.0), judged(4.0, -8.0), judged(-5.0, 10.0)]
    both = explain(cases, [DOUBLED, *signs])
    assert isinstance(both, Upon)
    assert both.name == "doubled; sign"
    assert explain(cases[:2], [DOUBLED, *signs]) is None  # two numbers agree by chance
    assert explain([*cases, judged(7.0, 14.0)], [DOUBLED, *signs]) is None
    assert explain([*cases, judged(7.0, 7.0)], [DOUBLED, *signs]) is None
    times_three = explain([judged(value, -3.0 * value) for value in (3.0, 4.0, -5.0)], [NEGATED_BY_THE_TASK])
    assert isinstance(times_three, Upon)
    assert "3 times what that gives" in times_three.sentence


def test_one_number_alone_is_no_evidence_of_a_second_mistake() -> None:
    cases = [judged(3.0, 6.0), judged(4.0, 8.0), judged(5.0, -5.0)]
    assert explain(cases, [NEGATED, DOUBLED]) is None
    row = torch.tensor([1.0, 2.0, 5.0])
    cases[-1] = Judged((row,), row, -row, is_right=False)
    assert isinstance(explain(cases, [NEGATED, DOUBLED]), Two)


def test_of_two_mistakes_neither_is_said_where_an_answer_shows_both() -> None:
    both = judged(0.5, 1.0)  # 2 * 0.5, and 1
    assert explain([judged(3.0, 6.0), judged(4.0, 1.0), both], [DOUBLED, ONE]) is None
    assert explain([judged(3.0, 6.0), judged(5.0, 7.0), both], [DOUBLED, ONE]) is None


def test_of_two_mistakes_that_give_the_same_answers_both_are_said() -> None:
    squared = Mistake("squared", "It is squared.").made_by(lambda v: v * v)
    assert explain([judged(2.0, 4.0)], [DOUBLED, squared]) is DOUBLED
    squared.where = "answers.py, line 2"
    either = explain([judged(2.0, 4.0)], [DOUBLED, squared])
    assert isinstance(either, Either)
    assert either.name == "doubled"
    assert "It is doubled." in either.sentence
    assert "It is squared." in either.sentence
    assert explain([judged(2.0, 4.0), judged(3.0, 6.0)], [DOUBLED, squared]) is DOUBLED


def test_a_factor_that_all_numbers_have_is_said_of_several_questions() -> None:
    row, other = [1.0, -2.0, 5.0], [3.0, 0.0, 7.0]

    def found(*times: float) -> list:
        questions = zip((row, other), times, strict=False)
        return list(one_factor([wrong_numbers(of, [by * one for one in of]) for of, by in questions]))

    (mistake,) = found(1.02, 1.02)
    assert "1.02 times" in mistake.sentence
    assert found(1.02) == []  # may belong to these inputs
    assert found(1.02, 1.5) == []
    assert list(one_factor([wrong_numbers([2.0], [3.0])] * 2)) == []  # one number


def test_one_mistake_that_fits_every_check_is_said_of_all() -> None:
    doubled, negated = (
        Finding(Outcome.WRONG, "", one, fits=lambda other: other is DOUBLED) for one in (DOUBLED, NEGATED)
    )
    told_as_one([doubled, None, negated])
    assert doubled.mistake is negated.mistake is DOUBLED
    raised = Finding(Outcome.RAISED, "", NEGATED)
    told_as_one([doubled, raised])
    assert raised.mistake is NEGATED


def test_an_exception_speaks_for_the_mistake_that_ends_in_it() -> None:
    inverse = Mistake("inverse", "It is 1 / v.").made_by(lambda v: 1 / v)
    at_0 = Judged((0.0,), 0.0, None, is_right=False, raised="ZeroDivisionError")
    assert explain([judged(2.0, 0.5), at_0], [inverse]) is inverse
    assert explain([judged(2.0, 4.0), at_0], [DOUBLED]) is None
    assert explain([judged(2.0, 0.5), Judged((0.0,), 0.0, None, False, "TypeError")], [inverse]) is None


def test_an_exception_in_one_question_does_not_hide_what_the_others_show() -> None:
    """2 / a taken as a / 2, and 0 / a with it as a / 0, which Python refuses."""
    engine = find_task("value_arithmetic").solution.replace("return Value(number) / self", "return self / number")
    names: dict = {"__name__": "__main__"}
    exec(engine, names)
    (result,) = (one for one in judge_namespace("value_arithmetic", names)[0].results if one.seen)
    assert result.mistake == "2 / x taken as x / 2"


def test_a_key_left_out_is_not_said_of_an_answer_that_has_it() -> None:
    left_out = Mistake("left out", "A key is missing.").made_by(lambda v: {"a": v})
    right = {"a": 3.0, "b": 0.0}
    assert explain([Judged((3.0,), right, {"a": 3.0}, False)], [left_out]) is left_out
    assert explain([Judged((3.0,), right, {"a": 3.0, "further": 1.0}, False)], [left_out]) is left_out
    assert explain([Judged((3.0,), right, {"a": 3.0, "b": None}, False)], [left_out]) is None
    shown = Judged((3.0,), {"result": right}, {"result": {"a": 3.0, "b": 7.0}}, False)
    of_program = Mistake("left out", "A key is missing.").made_by(lambda v: {"result": {"a": v}})
    assert explain([shown], [of_program]) is None


def test_nan_is_compared_by_where_it_stands() -> None:
    root = Mistake("root", "A root.").made_by(lambda v: torch.sqrt(v))
    v = torch.tensor([-1.0, 4.0])
    assert explain([Judged((v,), v, torch.tensor([math.nan, 2.0]), is_right=False)], [root]) is root
    assert explain([Judged((v,), v, torch.tensor([2.0, math.nan]), is_right=False)], [root]) is None


CUBE = """
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, upstream):
        (x,) = ctx.saved_tensors
        return {}
"""
MATMUL = """
import torch


class MatMul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, A, B):
        ctx.save_for_backward(A, B)
        return A @ B

    @staticmethod
    def backward(ctx, upstream):
        A, B = ctx.saved_tensors
        return {}, {}
"""
OF_A = "(upstream @ B.mT).sum_to_size(A.shape)"
OF_B = "(A.mT @ upstream).sum_to_size(B.shape)"


@pytest.mark.skipif(CHOOSING, reason="asks tasks of one exercise")
@pytest.mark.parametrize(
    ("task", "cell", "name"),
    [
        ("Cube", CUBE.format("-3 * x**2 * upstream"), "sign"),
        ("Cube", CUBE.format("6 * x**2 * upstream"), "a constant factor"),
        ("MatMul", MATMUL.format(f"-{OF_A}", OF_B), "sign of one gradient"),
        ("MatMul", MATMUL.format(OF_A, "None"), "one gradient missing"),
        ("MatMul", MATMUL.format(f"-{OF_A}", f"-{OF_B}"), "sign"),
    ],
)
def test_what_comes_back_is_recognised_where_gradients_add_up(task: str, cell: str, name: str) -> None:
    """Some programs fill `.grad` before, use the result twice, or differentiate twice: all must fit."""
    names: dict = {}
    exec(cell, names)
    verdict, _ = judge_namespace(task, names)
    said = [result.mistake for check, result in zip(find_task(task).checks, verdict.results, strict=True)]
    assert name in said
    assert set(said) <= {name, "", "backward returns nothing", "unneeded gradient computed; sign"}


def test_two_conditions_that_contradict_each_other_are_not_said() -> None:
    sentence = "`result` is 1. Of the {} questions of this task, exactly those where {} are answered wrongly."
    first, again = (Finding(Outcome.WRONG, sentence.format(n, "`w` is 0")) for n in (11, 12))
    told_as_one([first, again])
    assert first.seen.endswith("exactly those where `w` is 0 are answered wrongly.")
    other = Finding(Outcome.WRONG, sentence.format(9, "`w` is 1"))
    told_as_one([first, other])
    assert first.seen == other.seen == "`result` is 1."


def test_one_of_two_mistakes_is_said_if_another_check_shows_it() -> None:
    either, shown = Either(DOUBLED, NEGATED), Finding(Outcome.WRONG, "", NEGATED)
    undecided, alone = (Finding(Outcome.WRONG, "", either) for _ in range(2))
    told_as_one([undecided, None, shown])
    assert undecided.mistake is NEGATED
    told_as_one([alone, Finding(Outcome.WRONG, "", ONE)])
    assert alone.mistake is either


def test_a_factor_near_1_must_explain_the_error() -> None:
    nearly = [[(3.0, 3.0 * 0.9998), (4.0, 4.0 * 0.9998)], [(5.0, 5.0 * 0.99984), (7.0, 7.0 * 0.99984)]]
    exact = [[(right, right * 0.9998) for right, _ in pairs] for pairs in nearly]
    assert not list(one_factor(nearly))
    assert [one.name for one in one_factor(exact)] == ["one factor everywhere"]
