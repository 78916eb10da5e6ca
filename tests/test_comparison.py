"""Comparison respects type, shape, dtype and scale, and says which of them is off."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from autograder.comparison import EXACT, Tolerance, agree, differences
from autograder.wire.plain import Absent, Foreign, SeenTensor, Specimen, decode, encode

NUMBERS = st.floats(-1e6, 1e6).filter(lambda number: abs(number) > 1e-3)


def seen(value: Any) -> Any:
    """As it arrives from the sandbox."""
    return decode(*encode(value))


@given(NUMBERS)
def test_an_honest_float32_answer_passes(number: float) -> None:
    assert agree(seen(torch.tensor(number)), number)


@given(NUMBERS, st.sampled_from([1 + 1e-4, 1 - 1e-4, -1.0, 0.0, 2.0]))
def test_anything_further_off_does_not(number: float, factor: float) -> None:
    assert not agree(number * factor, number)


@given(st.dictionaries(st.text(max_size=3), NUMBERS, min_size=1, max_size=4))
def test_a_right_dict_passes_with_extra_keys_and_fails_without_one(right: dict) -> None:
    assert agree(right | {"extra": None}, right)
    first = next(iter(right))
    found = differences({key: value for key, value in right.items() if key != first}, right)
    assert f"lacks the key {first!r}" in found[0].problem


@pytest.mark.parametrize(
    ("got", "expected", "says"),
    [
        (None, 1.0, "is None, expected a number"),
        ("1.0", 1.0, "is the text '1.0', expected a number"),
        (True, 1.0, "is True, expected a number"),
        (Absent("KeyError"), 0.0, "is without a value (it raises KeyError), expected 0"),
        (math, 1.0, "an object of type module"),
        (Specimen("cubic"), 1.0, "is an object of type Specimen, expected a number"),
        (float("nan"), 1.0, "is nan, expected 1"),
        (float("inf"), 1.0, "is inf, expected 1"),
        (-0.0, 1.0, "is 0, expected 1"),
        (1.0, float("inf"), "is 1, expected inf"),
        (torch.tensor([1.0, 1.0]), 1.0, "a tensor of shape (2,)"),
        (torch.tensor(1), 1.0, "dtype torch.int64"),
        (torch.tensor(1 + 0j), 1.0, "dtype torch.complex64"),
        ([1.0], {"x": 1.0}, "is a list of 1, expected a dict with the keys 'x'"),
        ({"y": 1.0}, {"x": 1.0}, "lacks the key 'x'; its keys are 'y'"),
        ({}, {"x": 1.0}, "lacks the key 'x'; it is empty"),
        ([1.0, 2.0], [1.0], "has 2 entries, expected 1"),
        (3.0, [3.0], "is 3, expected a sequence of 1"),
        (torch.ones(1, 2), torch.ones(2), "has the shape (1, 2), expected (2,)"),
        (torch.ones(2), torch.ones(2, dtype=torch.float64), "has the dtype torch.float32, expected torch.float64"),
        ([1.0], torch.ones(1), "is a list of 1, expected a tensor of shape (1,)"),
        (1, True, "is 1, expected True"),
        (torch.empty(0), torch.ones(2), "is empty: it has the shape (0,), expected (2,)"),
        (torch.ones(2, 1), torch.ones(2), "expected (2,): an axis of length 1 is too many"),
        (torch.ones(2), torch.ones(2, 1), "expected (2, 1): an axis of length 1 is missing"),
        (torch.ones(1, 2), torch.ones(2, 1), "expected (2, 1): an axis of length 1 is elsewhere"),
        (torch.ones(3, 2), torch.ones(2, 3), "the same number of elements, in another arrangement"),
        (torch.ones(1, 3), torch.ones(2, 3), "has the shape (1, 3), expected (2, 3)"),
        (torch.ones(2, 2), torch.ones(3), "has the shape (2, 2), expected (3,)"),
        (torch.ones(2, dtype=torch.int64), torch.ones(2), "torch.int64 holds whole numbers only"),
        (torch.ones(2) > 0, torch.ones(2), "torch.bool holds whole numbers only"),
        (torch.ones(2).half(), torch.ones(2), "torch.float16 keeps about 3 digits"),
        (torch.ones(2).bfloat16(), torch.ones(2), "torch.bfloat16 keeps about 2 digits"),
        (torch.ones(2) + 0j, torch.ones(2), "is complex: it has the dtype torch.complex64"),
        (torch.eye(2).to_sparse(), torch.eye(2), "tensor with layout torch.sparse_coo on cpu"),
        (torch.ones(2, device="meta"), torch.ones(2), "tensor with layout torch.strided on meta"),
        (torch.tensor([1.0, float("nan")]), torch.ones(2), "is nan, expected 1"),
        (torch.tensor([float("-inf"), 1.0]), torch.ones(2), "is -inf, expected 1"),
        (torch.tensor([9.0, 2.0, 3.0]), torch.ones(3), "is 9, expected 1, and 2 more entries differ"),
        (torch.tensor([True, False]), torch.tensor([True, True]), "is False, expected True"),
        (torch.tensor([1, 0]), torch.tensor([True, False]), "has the dtype torch.int64, expected torch.bool"),
    ],
)
def test_each_kind_of_difference_has_its_words(got: Any, expected: Any, says: str) -> None:
    assert says in differences(seen(got), expected)[0].problem


def test_bools_are_compared() -> None:
    assert agree(seen(torch.tensor([True, False])), torch.tensor([True, False]))
    assert not agree(seen(torch.tensor([True, False])), torch.tensor([False, True]))


def test_the_place_is_written_as_python_would() -> None:
    found = differences({"x": [1.0, 5.0]}, {"x": [1.0, 2.0]})
    assert found[0].place == "['x'][1]"
    found = differences(seen(torch.tensor([[1.0, 9.0]])), torch.tensor([[1.0, 2.0]]))
    assert found[0].place == "[0, 1]"


def test_the_worst_difference_comes_first() -> None:
    assert differences([1.1, 5.0, 2.0], [1.0, 2.0, 2.0])[0].place == "[1]"


def test_sequences_of_numbers_may_be_lists_tuples_and_tensors() -> None:
    for got in ([1, 2.0], (1.0, 2.0), torch.tensor([1.0, 2.0])):
        assert agree(seen(got), [1.0, 2.0])


def test_cancellation_is_allowed_for_by_scale_alone() -> None:
    assert agree([1e6, 0.01], [1e6, 0.0])
    assert not agree([1.0, 0.01], [1.0, 0.0])


def test_a_stated_error_is_absolute() -> None:
    stated = Tolerance(relative=0, of_scale=0, absolute=1e-6)
    assert agree(1e9 + 1e-7, 1e9, stated)
    assert not agree(1.0 + 2e-6, 1.0, stated)


def test_a_foreign_object_equals_nothing() -> None:
    assert not agree(Foreign("Liar"), 1.0)


def test_a_transposed_tensor_is_compared_by_its_numbers() -> None:
    right = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert agree(seen(right.T.contiguous().T), right)


def test_complex_numbers_are_compared_as_such() -> None:
    right = torch.tensor([1 + 2j, 3])
    assert agree(seen(right.conj().conj()), right)
    assert "is 1-2j, expected 1+2j" in differences(seen(right.conj()), right)[0].problem


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_rounded_twice_at_most(dtype: torch.dtype) -> None:
    right = torch.tensor([1.0, -3.14159, 100.0], dtype=dtype)
    eps = torch.finfo(dtype).eps
    assert agree(seen(right * (1 + eps)), right)
    assert not agree(seen(right * (1 + 8 * eps)), right)


def test_exactness_is_to_the_bit() -> None:
    assert agree(0.0, -0.0)
    assert "equal as numbers, and not to the bit" in differences(0.0, -0.0, EXACT)[0].problem
    assert not agree(seen(torch.tensor([-0.0])), torch.tensor([0.0]), EXACT)
    assert agree(seen(torch.tensor([-0.0])), torch.tensor([-0.0]), EXACT)


def test_whole_numbers_in_tensors_are_exact_enough() -> None:
    assert agree(seen(torch.tensor([3, 4])), torch.tensor([3, 4]))
    assert not agree(seen(torch.tensor([3, 5])), torch.tensor([3, 4]))


def test_another_device_is_named() -> None:
    elsewhere = SeenTensor(torch.ones(2), "cuda:0", requires_grad=False, is_leaf=True)
    assert differences(elsewhere, torch.ones(2))[0].problem == "is on the device cuda:0, expected cpu"


def test_what_is_not_there_equals_only_itself() -> None:
    """A mistake may predict that an expression has no value."""
    absent = Absent("TypeError")
    assert agree(seen({"result": absent}), {"result": absent})
    assert not agree(seen({"result": 1.0}), {"result": absent})
    assert not agree(seen({"result": absent}), {"result": 1.0})
