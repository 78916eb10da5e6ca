"""What holds of diagnosis whatever is answered: it never raises, never blames what is right, knows what it names."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from autograder.comparison import CONTRACT, agree
from autograder.diagnosis.explaining import Judged, explain, reproduces
from autograder.diagnosis.general import GENERAL
from autograder.wire.plain import has_nan
from tests.applied_mistakes import APPLIED
from tests.plain_values import ANSWERS, GRADIENTS, RIGHT, seen

NAMES = [mistake.name for mistake in GENERAL]
SINGLE = GRADIENTS.map(torch.Tensor.detach)
SEVERAL = st.lists(SINGLE, min_size=2, max_size=3) | st.dictionaries(st.sampled_from("xwb"), SINGLE, min_size=1)


@given(RIGHT, ANSWERS)
@settings(max_examples=300)
def test_no_answer_raises(expected: Any, got: Any) -> None:
    judged = Judged((), expected, got, agree(got, expected))
    found = explain([judged], GENERAL)
    assert found is None or reproduces(found, judged, CONTRACT)


@given(RIGHT)
@settings(max_examples=300)
def test_a_right_answer_is_given_no_mistake_s_name(value: Any) -> None:
    assume(not has_nan(value))
    assert explain([Judged((), value, seen(value), is_right=True)], GENERAL) is None
    assert explain([Judged((), value, seen(value), is_right=False)], GENERAL) is None


@pytest.mark.parametrize("name", APPLIED)
@given(right=SINGLE | SEVERAL, chosen=st.integers(0, 30))
@settings(max_examples=60)
def test_an_applied_mistake_gets_its_name_or_one_that_predicts_the_same(name: str, right: Any, chosen: int) -> None:
    got = seen(APPLIED[name](right, chosen))
    judged = Judged((), right, got, agree(got, right))
    found = explain([judged], GENERAL)
    if judged.is_right or (name == "another dtype" and not agree(got, APPLIED[name](right, chosen))):
        return
    assert found is not None, f"{name} of {right}"
    assert NAMES.index(found.name) <= NAMES.index(name), f"{found.name} hides {name}"
    assert reproduces(found, judged, CONTRACT)


def test_every_general_mistake_on_numbers_is_applied() -> None:
    of_programs = {mistake.name for mistake in GENERAL if mistake.of_programs}
    assert set(NAMES) - of_programs == set(APPLIED)
