"""What holds of comparison whatever is compared."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from autograder.comparison import CONTRACT, EXACT, Tolerance, agree, describe, differences
from autograder.comparison.differences import _certainly_agree, _scale_of, _walk
from autograder.comparison.words import show_both
from autograder.wire.plain import has_nan
from tests.plain_values import ANSWERS, FLOATS, GRADIENTS, RIGHT, TELLING, WHOLE, seen, tensors

TOLERANCES = st.builds(Tolerance, *[st.sampled_from([0.0, 1e-9, 1e-5, 1e-2, 1.0])] * 3)
LONG = re.compile(r"\d{18}|\d\.\d{17}")


def longest_of_a_key(problem: str) -> str:
    """A problem without the texts and names that it quotes."""
    return re.sub(r"'.*?'", "", problem)


@given(ANSWERS, RIGHT, TOLERANCES)
@settings(max_examples=400)
def test_no_pair_raises(got: Any, expected: Any, tolerance: Tolerance) -> None:
    found = differences(got, expected, tolerance)
    assert agree(got, expected, tolerance) == (not found)
    assert describe(got)
    for difference in found:
        assert difference.distance >= 0
        assert re.match(r"(is|has|lacks) ", difference.problem)
        assert len(difference.problem) < 300
        assert not LONG.search(longest_of_a_key(difference.problem))
    assert [one.distance for one in found] == sorted((one.distance for one in found), reverse=True)


@given(ANSWERS, RIGHT, TOLERANCES, st.booleans())
@settings(max_examples=400)
def test_the_short_way_finds_no_agreement_that_the_long_one_does_not(
    got: Any, expected: Any, tolerance: Tolerance, same: bool
) -> None:
    got, scale = seen(expected) if same else got, _scale_of(expected)
    if _certainly_agree(got, expected, tolerance, scale):
        assert not list(_walk(got, expected, tolerance, scale, ""))


@given(RIGHT)
@settings(max_examples=300)
def test_what_is_right_agrees_with_itself_unless_it_is_nan(value: Any) -> None:
    for tolerance in (CONTRACT, EXACT):
        assert agree(seen(value), value, tolerance) == (not has_nan(value))


@given(tensors(), tensors())
@settings(max_examples=300)
def test_exact_tensors_agree_to_the_bit_alone(one: torch.Tensor, other: torch.Tensor) -> None:
    assume(not one.is_complex() and not other.is_complex())
    same = one.dtype == other.dtype and one.shape == other.shape
    same = same and torch.equal(one, other) and torch.equal(one.signbit(), other.signbit())
    assert agree(seen(one), other, EXACT) == same


@pytest.mark.parametrize(("got", "expected"), [(2**53 + 1, 2**53), (-(2**63), -(2**63) + 1)])
def test_exact_whole_numbers_are_exact_beyond_the_digits_of_a_float(got: int, expected: int) -> None:
    for make in (int, torch.tensor, lambda number: [number], lambda number: torch.tensor([0, number])):
        assert not agree(seen(make(got)), make(expected), EXACT)
        assert differences(seen(make(got)), make(expected), EXACT)[0].problem == f"is {got}, expected {expected}"
        assert agree(seen(make(got)), make(got), EXACT)


CHANGES = (lambda t: t, lambda t: -t, lambda t: t + 1, lambda t: t + 5e-4, lambda t: t * float("nan"), lambda t: t / 0)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Any, Any]:
    """Two numbers, or two tensors of one form, of which the second is often a change of the first."""
    if draw(st.booleans()):
        return draw(FLOATS | WHOLE), draw(FLOATS | WHOLE)
    one = draw(tensors()).detach()
    if draw(st.booleans()):
        return one, draw(tensors())
    wide = one.to(torch.complex128 if one.is_complex() else torch.float64)
    changed = draw(st.sampled_from(CHANGES))(wide)
    return one, changed.to(one.dtype) if one.dtype.is_floating_point else changed.nan_to_num(0, 9, -9).to(one.dtype)


@given(st.lists(pairs(), max_size=3), st.sampled_from([EXACT, Tolerance(0.0, 0.0, 1e-3), Tolerance(0.0, 0.0, 1.0)]))
@settings(max_examples=300)
def test_where_the_room_is_the_same_both_ways_so_is_the_verdict(both: list, tolerance: Tolerance) -> None:
    one, other = ([pair[side] for pair in both] for side in (0, 1))
    for left, right in ((one, other), (dict(enumerate(one)), dict(enumerate(other)))):
        assert agree(seen(left), right, tolerance) == agree(seen(right), left, tolerance)


@given(GRADIENTS, TELLING.map(lambda number: number / 100), st.data())
@settings(max_examples=200)
def test_within_the_room_is_right_and_beyond_it_wrong(right: torch.Tensor, way: float, data: st.DataObject) -> None:
    assume(right.numel())
    right = right.detach().double()
    room = CONTRACT.room(right, float(right.abs().max()))
    sign = math.copysign(1.0, way)
    assert agree(seen(right + sign * 0.99 * room), right)
    flat = data.draw(st.integers(0, right.numel() - 1))
    index = torch.unravel_index(torch.tensor(flat), right.shape) if right.dim() else ()
    wrong = right + sign * 0.5 * room
    wrong[index] = right[index] + sign * 1.01 * room[index]
    (found,) = differences(seen(wrong), right)
    assert found.place == (f"[{', '.join(str(int(i)) for i in index)}]" if right.dim() else "")
    assert found.distance == pytest.approx(1.01, rel=1e-2)


@given(GRADIENTS, st.data())
@settings(max_examples=200)
def test_the_message_names_the_worst_entry_and_counts_the_others(right: torch.Tensor, data: st.DataObject) -> None:
    assume(right.numel() > 1)
    right = right.detach().double().reshape(-1)
    worst, second = data.draw(st.permutations(range(len(right))))[:2]
    room = CONTRACT.room(right, float(right.abs().max()))
    wrong = right.clone()
    wrong[worst] += 1000 * room[worst]
    wrong[second] -= 20 * room[second]
    for got, expected in ((wrong, right), (wrong.tolist(), right.tolist())):
        found = differences(seen(got), expected)
        assert found[0].place == f"[{worst}]"
    assert "and 1 more entry differs" in differences(seen(wrong), right)[0].problem
    in_a_dict = differences({"x": seen(right), "w": seen(wrong)}, {"x": right, "w": right})
    assert [one.place for one in in_a_dict] == [f"['w'][{worst}]"]


@given(RIGHT, RIGHT, TOLERANCES, TOLERANCES)
@settings(max_examples=300)
def test_more_room_never_makes_a_right_answer_wrong(one: Any, other: Any, less: Tolerance, more: Tolerance) -> None:
    more = Tolerance(*(max(getattr(less, name), getattr(more, name)) for name in ("relative", "of_scale", "absolute")))
    for got in (one, other):
        if agree(seen(got), other, less):
            assert agree(seen(got), other, more)
    found, wide = differences(seen(one), other, less), differences(seen(one), other, more)
    assert {difference.place for difference in wide if math.isinf(difference.distance)} <= {d.place for d in found}
    assert len(wide) <= len(found)


@given(FLOATS, FLOATS)
def test_two_numbers_are_shown_apart_in_no_more_digits_than_that_takes(one: float, other: float) -> None:
    assume(math.copysign(1, one) != math.copysign(1, other) or one != other)
    assume(one == one and other == other)
    shown = show_both(one, other)
    assert shown[0] != shown[1]
    digits = max(len(re.sub(r"e.*|[^\d]", "", text).lstrip("0")) for text in shown)
    assert digits <= 7 or f"{one:.{digits - 1}g}" == f"{other:.{digits - 1}g}"
