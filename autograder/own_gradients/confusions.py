"""Gradients that known confusions give in the place of the right one, computed from the function itself."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

import torch

from autograder.own_gradients.comparing import Passed
from autograder.own_gradients.numeric import outputs_of, slopes

UPSTREAM = (
    ("what an upstream gradient of ones gives: the one that arrives is ignored", torch.ones_like),
    ("what the square of the upstream gradient gives: it is multiplied in twice", torch.square),
    ("what the sum of the upstream gradient gives at every place", lambda one: one.sum()),
    ("what the mean of the upstream gradient gives at every place", lambda one: one.mean()),
    ("what the sign of the upstream gradient gives", torch.sign),
    ("what the upstream gradient without its signs gives", torch.abs),
    ("what the first number of the upstream gradient gives at every place", lambda one: one.reshape(-1)[:1].squeeze()),
    ("what the upstream gradient gives in reverse order", lambda one: one.flip(-1)),
    ("what the transposed upstream gradient gives", lambda one: one.mT if one.dim() > 1 else one),
)
"""Changes of the upstream gradient."""
SLOPES: tuple[tuple[str, Callable[[torch.Tensor], torch.Tensor]], ...] = (
    ("{}", lambda t: t),
    ("1 + {}**2", lambda t: 1 + t**2),
    ("1 - {}", lambda t: 1 - t),
    ("{}**2", torch.square),
    ("1 - {}**2", lambda t: 1 - t**2),
    ("{} * (1 - {})", lambda t: t * (1 - t)),
    ("2 * {}", lambda t: 2 * t),
    ("3 * {}**2", lambda t: 3 * t**2),
    ("exp({})", torch.exp),
    ("log({})", torch.log),
    ("1 / {}", torch.reciprocal),
    ("-1 / {}**2", lambda t: -1 / t**2),
    ("1 / (1 + {}**2)", lambda t: 1 / (1 + t**2)),
    ("sqrt({})", torch.sqrt),
    ("1 / (2 * sqrt({}))", lambda t: 1 / (2 * t.sqrt())),
    ("cos({})", torch.cos),
    ("sin({})", torch.sin),
    ("tanh({})", torch.tanh),
    ("1 - tanh({})**2", lambda t: 1 - t.tanh() ** 2),
    ("sigmoid({})", torch.sigmoid),
    ("sign({})", torch.sign),
    ("abs({})", torch.abs),
    ("({} > 0)", lambda t: (t > 0).to(t.dtype)),
    ("({} < 0)", lambda t: (t < 0).to(t.dtype)),
)
"""Local slopes that people write, of an input or an output."""


def confusions(passed: Passed, at: int) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield gradients with the confusion that gives them, as the end of "each wrong number is"."""
    yield from _of_the_upstream(passed, at)
    yield from _of_the_slope(passed, at)
    for other in passed.trial.needs:
        if other != at:
            yield f"the gradient of `{passed.function.names[other]}`", passed.right(other)


def _of_the_upstream(passed: Passed, at: int) -> Iterator[tuple[str, torch.Tensor]]:
    for words, change in UPSTREAM:
        try:
            upstreams = [change(one).expand(one.shape).clone() for one in passed.upstreams]
        except RuntimeError:
            continue
        yield words, passed.slopes(at).gradient(upstreams)
    if len(passed.upstreams) > 1:
        for number in range(len(passed.upstreams)):
            some = [one if at == number else torch.zeros_like(one) for at, one in enumerate(passed.upstreams)]
            yield f"what comes through output {number} alone", passed.slopes(at).gradient(some)


def _of_the_slope(passed: Passed, at: int) -> Iterator[tuple[str, torch.Tensor]]:
    """Yield what other local slopes give, where the function maps each number to one."""
    values, upstream, output = passed.trial.values, passed.upstreams[0], passed.outputs[0]
    value = values[at]
    if output.shape != value.shape or len(passed.outputs) > 1 or value.is_complex() or not value.numel():
        return
    if passed.slopes(at).is_whole:
        table = passed.slopes(at).of[0].reshape(value.numel(), -1)
        yield (
            "what the diagonal of the Jacobian gives: the paths to the other entries are missing",
            upstream * table.diagonal().reshape(value.shape),
        )
        if bool((table - table.diagonal().diag()).abs().max() < 1e-6 * table.abs().max()):
            slope = table.diagonal().reshape(value.shape)
            for words, made in SLOPES:
                yield (
                    f"the upstream gradient times `{words.replace('{}', 's')}`, where s is the slope",
                    upstream * made(slope),
                )
    yield "the upstream gradient itself, without a local slope", upstream
    named = [*zip(passed.function.names, values, strict=True), ("output", output)]
    for name, one in named:
        if isinstance(one, torch.Tensor) and one.shape == value.shape:
            for words, slope in SLOPES:
                yield f"the upstream gradient times `{words.replace('{}', name)}`", upstream * slope(one)
    for words, moved in (("the output instead of the input", output), ("the input with the other sign", -value)):
        try:
            call = functools.partial(outputs_of, passed.function, 1)
            there = slopes(call, [*values[:at], moved, *values[at + 1 :]], at, passed.function.most_entries)
        except Exception:  # the function is not defined there
            continue
        yield f"the upstream gradient times the local slope at {words}", there.gradient(passed.upstreams)
