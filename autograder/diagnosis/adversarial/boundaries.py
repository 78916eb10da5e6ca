"""Mistakes of smallest_epsilon."""

from __future__ import annotations

import torch

from autograder.diagnosis.hypothesis import Mistake
from autograder.references.adversarial.boundaries import least_change


def _score(w: torch.Tensor, b: float, x: torch.Tensor) -> torch.Tensor:
    return (x @ w + b).abs()


SMALLEST_EPSILON = (
    Mistake(
        "Euclidean distance",
        "This is the distance to the boundary as a ruler measures it. Here every number may move by e, all at once: "
        "how far does the score get then?",
        lambda w, b, x: _score(w, b, x) / w.norm(),
    ),
    Mistake(
        "largest weight only",
        "This is what it takes if only one number may move. All of them may.",
        lambda w, b, x: _score(w, b, x) / w.abs().max(),
    ),
    Mistake(
        "weights with their signs",
        "The weights were added up with their signs, so that they cancel. Each number may move in its own direction.",
        lambda w, b, x: _score(w, b, x) / w.sum().abs(),
    ),
    Mistake(
        "weights with their signs",
        "The weights were added up with their signs, so that they cancel. Each number may move in its own direction.",
        lambda w, b, x: _score(w, b, x) / w.sum(),
    ),
    Mistake(
        "with the score's sign",
        "Points on one side of the boundary got a number below 0. A step's size has no sign.",
        lambda w, b, x: (x @ w + b) / w.abs().sum(),
    ),
    Mistake(
        "with the score's sign",
        "Points on one side of the boundary got a number below 0. A step's size has no sign.",
        lambda w, b, x: -(x @ w + b) / w.abs().sum(),
    ),
    Mistake(
        "one side only",
        "Points on one side of the boundary got 0. The score can be made 0 from both sides.",
        lambda w, b, x: (x @ w + b).clamp(min=0) / w.abs().sum(),
    ),
    Mistake(
        "bias forgotten",
        "The score is without `b`.",
        lambda w, b, x: (x @ w).abs() / w.abs().sum(),
    ),
    Mistake(
        "bias taken away",
        "The score has `b` with the other sign.",
        lambda w, b, x: (x @ w - b).abs() / w.abs().sum(),
    ),
    Mistake(
        "upside down",
        "Score and weights stand the wrong way round in the quotient. A point far from the boundary needs a large "
        "step.",
        lambda w, b, x: w.abs().sum() / _score(w, b, x),
    ),
    Mistake(
        "bias moved too",
        "The size of `b` was added to those of the weights. An attack moves the numbers of `x`; `b` stays.",
        lambda w, b, x: _score(w, b, x) / (w.abs().sum() + abs(b)),
    ),
    Mistake(
        "mean of the weights",
        "The mean of the weights' sizes was taken. All numbers move at once, and what they do to the score adds up.",
        lambda w, b, x: _score(w, b, x) / w.abs().mean(),
    ),
    Mistake(
        "squares of the weights",
        "The squares of the weights were added up. If a number moves by e, how far does the score move?",
        lambda w, b, x: _score(w, b, x) / (w * w).sum(),
    ),
    Mistake(
        "the score itself",
        "This is the size of the score, and not yet the step that brings it to 0.",
        _score,
    ),
    Mistake(
        "one for all rows",
        "All rows have one result. Each has its own.",
        lambda w, b, x: least_change(w, b, x).min(),
    ),
    Mistake(
        "a product of other shapes",
        "A matrix product did not fit. `x` has a row for each point, and `w` one number for each column.",
        raises="RuntimeError: (size mismatch|mat1 and mat2|inconsistent tensor size|The size of tensor a)",
    ),
)
