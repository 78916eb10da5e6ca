"""The condition on what a question hands over that separates wrong answers from right ones."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from autograder.contrasts import separating, traits


def separated(arguments: list[dict[str, Any]], wrong: list[int]) -> str:
    """The condition that is found, where the questions at these indices are answered wrongly."""
    return separating([traits(one) for one in arguments], [at in wrong for at in range(len(arguments))])


def tensors(*shapes: tuple[int, ...], **more: Any) -> list[dict[str, Any]]:
    """Questions with a tensor of each shape."""
    return [{"x": torch.arange(1.0, 1.0 + torch.Size(one).numel()).reshape(one)} | more for one in shapes]


SQUARES = tensors((2, 2), (3, 3), (4, 4), (2, 3), (3, 5), (4, 3))
STEPS = [{"steps": count, "rate": 0.1} for count in (0, 1, 2, 3, 0, 1, 5, 2)]
MODELS: list[dict[str, Any]] = [{"model": nn.Sequential(nn.Linear(2, 2), last)} for last in (nn.Tanh(), nn.ReLU()) * 4]
DTYPES = [{"x": torch.ones(2, dtype=dtype)} for dtype in (torch.float32, torch.float64) * 4]


@pytest.mark.parametrize(
    ("questions", "wrong", "words"),
    [
        (SQUARES, [3, 4, 5], "the last two axes of `x` differ in length"),
        (STEPS, [2, 3, 6, 7], "`steps` is above 1"),
        ([*STEPS, *STEPS], [3, 6, 11, 14], "`steps` is above 2"),
        (MODELS, [1, 3, 5, 7], "`model` holds a ReLU"),
        (DTYPES, [0, 2, 4, 6], "the dtype of `x` is float32"),
        ([{"flag": one} for one in (True, False) * 4], [0, 2, 4, 6], "`flag` is True"),
        ([{"kind": one} for one in ("sum", "mean") * 4], [0, 2, 4, 6], "`kind` is 'sum'"),
        ([{"w": one} for one in (None, torch.ones(1)) * 4], [0, 2, 4, 6], "`w` is None"),
        ([{"y": torch.tensor(one)} for one in ([0, 1], [1, 1], [2, 0], [2, 2]) * 2], [1, 3, 5, 7], "`y` are equal"),
    ],
)
def test_what_separates_wrong_answers_is_found(questions: list[dict[str, Any]], wrong: list[int], words: str) -> None:
    assert words in separated(questions, wrong)
    assert separated(questions, [*wrong[:-1]]) != separated(questions, wrong)


def test_one_question_of_a_few_is_chance() -> None:
    assert separated(STEPS[:4], [3]) == ""


def test_a_condition_that_would_be_found_among_many_by_chance_is_not_said() -> None:
    generator = torch.Generator().manual_seed(1)
    questions = [{name: torch.randn(3, generator=generator) for name in "abcdef"} for _ in range(8)]
    found = [separated(questions, [at for at in range(8) if code >> at & 1]) for code in range(1, 255)]
    assert sum(map(bool, found)) <= 0.12 * len(found)


def test_limits_between_drawn_numbers_are_round() -> None:
    questions = [{"rate": rate} for rate in torch.linspace(0.1234567, 0.6, 14).tolist()]
    assert separated(questions, [*range(8, 14)]) == "`rate` is above 0.4"
