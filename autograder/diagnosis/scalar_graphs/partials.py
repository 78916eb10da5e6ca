"""Mistakes of partials and of partials_twin."""

from __future__ import annotations

from collections.abc import Callable

from autograder.diagnosis.hypothesis import Mistake
from autograder.diagnosis.scalar_graphs.values import relu
from autograder.references import scalar_graphs as right


def _changed(answer: Callable[..., dict], **change: Callable[..., float]) -> Callable[..., dict]:
    """The right partials with some entries replaced by functions of (right, x, w, b)."""

    def changed(x: float, w: float, b: float) -> dict[str, float]:
        right_ones = answer(x, w, b)
        return right_ones | {name: make(right_ones, x, w, b) for name, make in change.items()}

    return changed


def _always_open(answer: Callable[..., dict]) -> Callable[..., dict]:
    """The partials as if the gate were open: those at a `b` large enough."""
    return lambda x, w, b: answer(x, w, abs(x * w) + abs(b) + 1.0)


def _gate_of(answer: Callable[..., dict], open_at: Callable[..., bool]) -> Callable[..., dict]:
    """The partials with the gate decided by another rule."""

    def changed(x: float, w: float, b: float) -> dict[str, float]:
        opened = _always_open(answer)(x, w, b)
        return opened if open_at(x, w, b) else dict.fromkeys(opened, 0.0)

    return changed


def _finite_difference_of_kink(answer: Callable[..., dict]) -> Callable[..., dict]:
    """Half of each partial at the kink."""

    def changed(x: float, w: float, b: float) -> dict[str, float]:
        right_ones = answer(x, w, b)
        opened = _always_open(answer)(x, w, b)
        return {k: opened[k] / 2 for k in opened} if not any(right_ones.values()) else right_ones

    return changed


def _common(answer: Callable[..., dict], scale_u: float, scale_b: float, scale_a: float) -> tuple[Mistake, ...]:
    """Mistakes of partials and of its twin alike."""

    def values(x: float, w: float, b: float) -> dict[str, float]:
        u = x * w
        return {"x": x, "w": w, "b": b, "u": u, "v": scale_u * u + scale_b * b}

    return (
        Mistake(
            "x and w swapped",
            "The partials of `x` and `w` stand in each other's place. When u = x * w is differentiated with "
            "respect to `x`, which factor is left?",
            _changed(answer, x=lambda r, x, w, b: r["w"], w=lambda r, x, w, b: r["x"]),
        ),
        Mistake(
            "relu's gate forgotten",
            "The partials are those of an open gate, though `v` is below zero here. What is the slope of relu there?",
            _always_open(answer),
        ),
        Mistake(
            "the edge taken as open",
            "At v = 0 exactly, this course takes relu's slope as 0, as PyTorch does.",
            _gate_of(answer, lambda x, w, b: scale_u * x * w + scale_b * b >= 0),
        ),
        Mistake(
            "half at the edge",
            "At v = 0 the two sides were averaged. This course takes relu's slope there as 0, as PyTorch does.",
            _finite_difference_of_kink(answer),
        ),
        Mistake(
            "gate of u instead of v",
            "The gate follows the sign of `u`. Which node goes into relu?",
            _gate_of(answer, lambda x, w, b: x * w > 0),
        ),
        Mistake(
            "gate only on v",
            "The partial of `v` is cut by relu's gate, and the others are not. They all lead through that gate.",
            lambda x, w, b: _always_open(answer)(x, w, b) | {"v": answer(x, w, b)["v"]},
        ),
        Mistake(
            "the node's value instead of its partial",
            "These are the values of the nodes. A partial says how much `a` changes per change of the node.",
            values,
        ),
    )


def _times_output(x: float, w: float, b: float) -> dict[str, float]:
    a = relu(x * w + b)
    return {name: value * a for name, value in right.partials.oracle(x, w, b).items()}


PARTIALS = (
    *_common(right.partials.oracle, 1, 1, 1),
    Mistake(
        "multiplied by the output",
        "Every partial is `a` times too large. Was relu's output used where its slope belongs?",
        _times_output,
    ),
    Mistake(
        "partials of u instead of a",
        "These are the partials of `u`. The path goes on from there, through `v` to `a`.",
        lambda x, w, b: {"x": w, "w": x, "b": 0.0, "u": 1.0, "v": 0.0},
    ),
)


def _last_local(x: float, w: float, b: float) -> dict[str, float]:
    slope = 3.0 if 2 * x * w + 5 * b > 0 else 0.0
    return {"x": w, "w": x, "b": 5.0, "u": 2.0, "v": slope}


def _out_of_step(x: float, w: float, b: float) -> dict[str, float]:
    """The gradients of (b, u, v, w, x) under the names (x, w, b, u, v)."""
    answer = right.partials_twin.oracle(x, w, b)
    return dict(zip("xwbuv", (answer[name] for name in "buvwx"), strict=True))


PARTIALS_TWIN = (
    *_common(right.partials_twin.oracle, 2, 5, 3),
    Mistake(
        "names and gradients out of step",
        "The numbers are right, but each stands under another's name. In which order were they computed, and "
        "in which order named?",
        _out_of_step,
    ),
    Mistake(
        "only the last local derivative",
        "Each number is the derivative of one edge alone. Multiply along the whole path to `a`.",
        _last_local,
    ),
    Mistake(
        "relu's factor 3 forgotten",
        "Every number lacks the factor 3 of the last step.",
        lambda x, w, b: {k: value / 3 for k, value in right.partials_twin.oracle(x, w, b).items()},
    ),
    Mistake(
        "the first graph's partials",
        "These are the partials of a = relu(x * w + b). The twin has other factors on its edges.",
        right.partials.oracle,
    ),
    Mistake(
        "gate of the first graph",
        "The gate follows x * w + b. The twin's relu looks at its own v = 2u + 5b.",
        _gate_of(right.partials_twin.oracle, lambda x, w, b: x * w + b > 0),
    ),
    Mistake(
        "sum instead of product",
        "The derivatives along the path were added. Along a path they are multiplied.",
        lambda x, w, b: {"x": w + 2.0 + 3.0, "w": x + 2.0 + 3.0, "b": 5.0 + 3.0, "u": 2.0 + 3.0, "v": 3.0},
    ),
)
