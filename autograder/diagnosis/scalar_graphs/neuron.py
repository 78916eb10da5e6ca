"""Mistakes of fit_neuron."""

from __future__ import annotations

from collections.abc import Callable

from autograder.diagnosis.hypothesis import Mistake
from autograder.references import scalar_graphs as right


def _fit(step: Callable[..., tuple[float, float]]) -> Callable[..., list[float]]:
    """Repeat `step(w, b, sums, xs, ys, lr)`; `sums` carries gradients that were never cleared."""

    def answer(xs: list, ys: list, steps: int, lr: float) -> list[float]:
        w = b = 0.0
        kept = [0.0, 0.0]
        for _ in range(steps):
            w, b = step(w, b, kept, xs, ys, lr)
        return [w, b]

    return answer


def _gradients(w: float, b: float, xs: list, ys: list) -> tuple[float, float]:
    errors = [w * x + b - y for x, y in zip(xs, ys, strict=True)]
    d_w = sum(2 * e * x for e, x in zip(errors, xs, strict=True)) / len(xs)
    return d_w, sum(2 * e for e in errors) / len(xs)


def _never_zeroed(w: float, b: float, kept: list, xs: list, ys: list, lr: float) -> tuple[float, float]:
    d_w, d_b = _gradients(w, b, xs, ys)
    kept[0], kept[1] = kept[0] + d_w, kept[1] + d_b
    return w - lr * kept[0], b - lr * kept[1]


def _scaled(factor: Callable[[list], float]) -> Callable[..., tuple[float, float]]:
    def step(w: float, b: float, kept: list, xs: list, ys: list, lr: float) -> tuple[float, float]:
        d_w, d_b = _gradients(w, b, xs, ys)
        return w - lr * factor(xs) * d_w, b - lr * factor(xs) * d_b

    return step


def _one_after_the_other(w: float, b: float, kept: list, xs: list, ys: list, lr: float) -> tuple[float, float]:
    w = w - lr * _gradients(w, b, xs, ys)[0]
    return w, b - lr * _gradients(w, b, xs, ys)[1]


def _pair_by_pair(w: float, b: float, kept: list, xs: list, ys: list, lr: float) -> tuple[float, float]:
    for x, y in zip(xs, ys, strict=True):
        d_w, d_b = _gradients(w, b, [x], [y])
        w, b = w - lr * d_w, b - lr * d_b
    return w, b


def _one_pair_a_step(xs: list, ys: list, steps: int, lr: float) -> list[float]:
    w = b = 0.0
    for step in range(steps):
        d_w, d_b = _gradients(w, b, [xs[step % len(xs)]], [ys[step % len(xs)]])
        w, b = w - lr * d_w, b - lr * d_b
    return [w, b]


def _with_relu(w: float, b: float, kept: list, xs: list, ys: list, lr: float) -> tuple[float, float]:
    made = [(max(w * x + b, 0.0), x, y) for x, y in zip(xs, ys, strict=True)]
    d_w = sum(2 * (a - y) * x for a, x, y in made if a > 0) / len(xs)
    return w - lr * d_w, b - lr * sum(2 * (a - y) for a, x, y in made if a > 0) / len(xs)


def _only_w(w: float, b: float, kept: list, xs: list, ys: list, lr: float) -> tuple[float, float]:
    return w - lr * _gradients(w, b, xs, ys)[0], b


FIT_NEURON = (
    Mistake(
        "gradients never zeroed",
        "Each step also used the gradients of the steps before. Where are the old ones cleared?",
        _fit(_never_zeroed),
    ),
    Mistake(
        "sum instead of mean",
        "The loss is the mean over all pairs. The steps taken are as many times too long as there are pairs.",
        _fit(_scaled(len)),
    ),
    Mistake(
        "the step goes uphill",
        "`w` and `b` move along the gradient. Which direction makes the loss smaller?",
        _fit(_scaled(lambda xs: -1.0)),
    ),
    Mistake(
        "half the step",
        "Every step is half as long as it should be. What is the derivative of a square?",
        _fit(_scaled(lambda xs: 0.5)),
    ),
    Mistake(
        "b moved after w",
        "The gradient of `b` was taken after `w` had already moved. Both belong to the same loss.",
        _fit(_one_after_the_other),
    ),
    Mistake(
        "one pair at a time",
        "`w` and `b` moved after every pair. Each step uses all pairs at once.",
        _fit(_pair_by_pair),
    ),
    Mistake(
        "one pair per step",
        "Each step looked at one pair and went on to the next. Every step uses all pairs.",
        _one_pair_a_step,
    ),
    Mistake(
        "relu left in",
        "This neuron is w * x + b, with no relu after it.",
        _fit(_with_relu),
    ),
    Mistake(
        "b never moved",
        "`b` stays at 0. It has a gradient of its own.",
        _fit(_only_w),
    ),
    Mistake(
        "one step too few",
        "This is the state one step before the last.",
        lambda xs, ys, steps, lr: right.fit_neuron.oracle(xs, ys, steps - 1, lr),
    ),
    Mistake(
        "one step too many",
        "This is the state one step after the last.",
        lambda xs, ys, steps, lr: right.fit_neuron.oracle(xs, ys, steps + 1, lr),
    ),
    Mistake(
        "Value not used",
        "The numbers are right, and are to come from your own engine: each step asks it for its gradients.",
    ),
)
