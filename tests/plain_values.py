"""Strategies for answers as students give them, and for right answers as references make them."""

from __future__ import annotations

from typing import Any

import torch
from hypothesis import strategies as st

from autograder.wire.plain import Absent, Foreign, SeenTensor, Specimen, decode, encode

DTYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.bool, torch.complex64)
EDGES = (0.0, -0.0, 1.0, float("nan"), float("inf"), float("-inf"), 5e-324, 1e308, 2.0**53 + 2)
FLOATS = st.sampled_from(EDGES) | st.floats(-1e6, 1e6) | st.floats()
SHAPES = st.lists(st.integers(0, 3), max_size=3)
TELLING = st.floats(0.1, 100).map(lambda size: round(size, 3)).flatmap(lambda size: st.sampled_from([size, -size]))
"""Numbers far enough from 0 that a tolerance is no mistake."""


def seen(value: Any) -> Any:
    """As it arrives from the sandbox."""
    return decode(*encode(value))


@st.composite
def tensors(draw: st.DrawFn, dtypes: tuple = DTYPES, numbers: st.SearchStrategy = FLOATS) -> torch.Tensor:
    """Any tensor that travels: of any shape and dtype, empty ones too, with and without `requires_grad`."""
    dtype, shape = draw(st.sampled_from(dtypes)), draw(SHAPES)
    count = torch.Size(shape).numel()
    values = torch.tensor(draw(st.lists(numbers, min_size=count, max_size=count)), dtype=torch.float64)
    if not (dtype.is_floating_point or dtype.is_complex):
        values = values.nan_to_num().clamp(-1e9, 1e9)
    made = values.reshape(shape).to(dtype)
    if draw(st.booleans()) and len(shape) >= 2:
        made = made.mT
    return made.requires_grad_(draw(st.booleans())) if dtype.is_floating_point or dtype.is_complex else made


def structures(leaves: st.SearchStrategy) -> st.SearchStrategy:
    """Lists, tuples and dicts of them, in each other."""
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.tuples(inner, inner)
            | st.dictionaries(st.sampled_from(["x", "w", "x.grad", "result.requires_grad", ""]), inner, max_size=3)
        ),
        max_leaves=5,
    )


WHOLE = st.integers(-(2**63), 2**63 - 1)
RIGHT = structures(tensors() | FLOATS | WHOLE | st.booleans() | st.none() | st.text(max_size=3))
"""What a reference may give."""
ELSEWHERE = st.builds(SeenTensor, tensors().map(torch.Tensor.detach), st.just("cuda:0"), st.booleans(), st.booleans())
OBJECTS = [Foreign("module"), Absent("TypeError"), Specimen("cubic", {"a": 1.0}), "x" * 20_000]
STRANGE = st.sampled_from(OBJECTS) | ELSEWHERE
ANSWERS = RIGHT.map(seen) | STRANGE | structures(STRANGE)
"""What may come back."""
GRADIENTS = tensors((torch.float32, torch.float64), TELLING)
"""Right gradients without edges."""
