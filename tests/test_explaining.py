"""A diagnosis fits everything that was seen, or it is not said."""

from __future__ import annotations

import math

import pytest
import torch

from autograder.checks.catalogue import find_task
from autograder.diagnosis.explaining import Judged, Two, explain
from autograder.diagnosis.hypothesis import POSSIBLE, Mistake
from autograder.grader.live import judge_namespace
from tests.chosen import CHOOSING

DOUBLED = Mistake("doubled", "It is doubled.").made_by(lambda v: 2.0 * v)
NEGATED = Mistake("negated", "It is negated.").made_by(lambda v: -1.0 * v)
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
    two = explain([judged(3.0, 6.0), judged(4.0, 8.0), judged(5.0, -5.0)], [NEGATED, DOUBLED])
    assert isinstance(two, Two)
    assert {two.first, two.second} == {NEGATED, DOUBLED}
    assert explain([judged(3.0, 6.0), judged(5.0, -5.0), judged(7.0, 0.5)], [NEGATED, DOUBLED]) is None


def test_of_two_mistakes_neither_is_said_where_an_answer_shows_both() -> None:
    both = judged(0.5, 1.0)  # 2 * 0.5, and 1
    assert explain([judged(3.0, 6.0), judged(4.0, 1.0), both], [DOUBLED, ONE]) is None
    assert explain([judged(3.0, 6.0), judged(5.0, 7.0), both], [DOUBLED, ONE]) is None


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
    assert set(said) <= {name, "", "backward returns nothing"}
