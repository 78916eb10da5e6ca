"""Explain the gradients of a function: run the trials, collect what is wrong, and say why."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch

from autograder.contrasts.lacking import is_regularity
from autograder.own_gradients import trials
from autograder.own_gradients.arguments import NotExplainableError, first_line
from autograder.own_gradients.comparing import Passed, tried
from autograder.own_gradients.function import SECONDS, Function
from autograder.own_gradients.last_step import last_step
from autograder.own_gradients.linearity import not_linear
from autograder.own_gradients.report import Fault, GradientReport
from autograder.own_gradients.searching import fault_at_kinks, fault_of, kinks_of
from autograder.own_gradients.surroundings import deterministic, kept_alive
from autograder.own_gradients.twice import second_order
from autograder.own_gradients.variations import right_with
from autograder.probes.known_state import known_state

EXPLODED = 1e4
"""Times the outputs for the inputs as given. An iteration that diverges for drawn inputs was not made for them, and
finite differences of such outputs are noise."""


def explain_gradient(function: Callable[..., Any], inputs: Any, *, seed: int = 0) -> GradientReport:
    """Compare the gradients of a function with finite differences and say what is wrong with them.

    Args:
        function: any function of tensors: a plain one, `MyFunction.apply`, a subclass of `torch.autograd.Function`, or
            a module, whose parameters are checked, too. It returns a tensor of floating-point numbers, or several.
        inputs: its arguments: a tuple, one tensor, or a dict by name. Tensors that require a gradient are checked; if
            none does, all of floating-point or complex numbers are. What is not a tensor is passed through. float32 is
            computed in float64, since finite differences in float32 are noise. Nothing of it is changed.
        seed: of the further inputs and the upstream gradients that are drawn.

    Returns:
        A report: `is_right`, `faults` with a sentence, a relation, a place and a program each, `notes`, `tried`. It
        prints as text, and shows as a card in a notebook.

    Raises:
        NotExplainableError: if the function or the inputs are such that nothing can be said; the text says why.

    Example:
        >>> explain_gradient(lambda x: x.tanh(), torch.randn(3))
    """
    with known_state():
        return _explained(Function(function, inputs), seed)


def _explained(made: Function, seed: int) -> GradientReport:
    source = torch.Generator().manual_seed(seed)
    end = time.perf_counter() + SECONDS
    first = _first(made, source)
    notes = list(deterministic(made))
    usual = _all(made, first, list(trials.ordinary(made, source))[1:], source, end)
    others = _all(made, first, [*trials.signed(made, source), *trials.further(made, source)], source, end)
    passed = [first, *usual.passed, *others.passed]
    if left := usual.left + others.left:
        notes.append(
            f"{left} trial{'s were' if left > 1 else ' was'} left out, since the others took {SECONDS:g} seconds"
        )
    faults = list(_faults(made, passed, source))
    notes += [note for at in made.checked if (note := kinks_of(at, first))]
    for at in made.checked:
        if not (measured := first.slopes(at).measured).all():
            of = f"{int(measured.sum())} of {measured.numel()}"
            notes.append(f"of `{made.names[at]}`, {of} entries were compared in each trial, so that it takes seconds")
    if not faults:
        notes += list(second_order(made, source))
    notes += list(kept_alive(made))
    words = dict.fromkeys(one.trial.only for one in passed if one.trial.only)
    number = sum(not one.trial.only for one in passed)
    return GradientReport(
        made.name,
        tuple(faults),
        tuple(notes),
        (f"{number} inputs with drawn upstream gradients{', in float64' * made.widened}", *words),
    )


def assert_gradient(function: Callable[..., Any], inputs: Any, *, seed: int = 0) -> None:
    """Fail with an explanation if the gradients of a function are wrong: `explain_gradient` for tests.

    Args:
        function: as for `explain_gradient`.
        inputs: as for `explain_gradient`.
        seed: as for `explain_gradient`.

    Raises:
        AssertionError: with the report as its text.
        NotExplainableError: if nothing can be said.
    """
    __tracebackhide__ = True  # pytest shows the caller's line
    report = explain_gradient(function, inputs, seed=seed)
    if not report.is_right:
        raise AssertionError(report.text())


def _first(function: Function, source: torch.Generator) -> Passed:
    """Run the inputs as given.

    Raises:
        NotExplainableError: if the function raises, or no gradient can pass through it.
    """
    given = next(trials.ordinary(function, source))
    try:
        return tried(function, given, source)
    except NotExplainableError:
        raise
    except Exception as error:
        raise NotExplainableError(
            f"`{function.name}` raises {type(error).__name__} for these inputs: {first_line(error)}"
        ) from error


class _Tried(NamedTuple):
    passed: list[Passed]
    left: int


def _all(function: Function, first: Passed, some: list[trials.Trial], source: torch.Generator, end: float) -> _Tried:
    """Return the trials whose inputs the function takes, and how many were not begun before the time was over.

    It takes inputs for which it raises no error, and for which its outputs do not explode.
    """
    most = EXPLODED * (1 + _largest(first.outputs))
    found: list[Passed] = []
    for number, one in enumerate(some):
        if time.perf_counter() > end:
            return _Tried(found, len(some) - number)
        with contextlib.suppress(Exception):
            passed = tried(function, one, source)
            if _largest(passed.outputs) < most:
                for at in one.needs:
                    passed.slopes(at)
                found.append(passed)
    return _Tried(found, 0)


def _largest(outputs: list[torch.Tensor]) -> float:
    """Return the largest magnitude; infinite where a number is not finite."""
    found = [float(one.abs().max()) for one in outputs if one.numel()]
    return max((one if math.isfinite(one) else math.inf for one in found), default=0.0)


def _faults(function: Function, passed: list[Passed], source: torch.Generator) -> Iterator[Fault]:
    if (error := passed[0].error) is not None:
        yield Fault("", f"The backward pass raises {type(error).__name__}: {first_line(error)}")
        return
    of = {at: [one for one in passed if at in one.trial.needs] for at in function.checked}
    found = {at: fault for at in function.checked if (fault := fault_of(at, of[at])) is not None}
    unexplained = {
        at for at, fault in found.items() if not fault.only and (not fault.relation or is_regularity(fault.relation))
    }
    odd = not_linear(passed[0]) if unexplained else {}
    usual = [one for one in passed if not one.trial.only and one.error is None]
    step = last_step(usual) if unexplained == set(found) and not odd else ""
    if step:
        yield Fault("", step, program=next(iter(found.values())).program)
    for at, fault in found.items():
        if at in odd and at in unexplained:
            yield dataclasses.replace(fault, sentence=odd[at], place="")
        elif not step or fault.place:
            is_open = at in unexplained and not fault.place
            more = right_with(at, passed[0], of[at][1:], source) if is_open else ""
            yield dataclasses.replace(fault, sentence=fault.sentence + more)
    if not found:
        yield from filter(None, (fault_at_kinks(at, passed[0]) for at in function.checked))
    for what in dict.fromkeys(what for one in passed for what in one.changed):
        yield Fault("", f"{what[0].upper()}{what[1:]} is changed in place; other code that uses it gets other numbers.")
