"""The program that shows a wrong gradient: inputs as literals, one backward pass, both numbers."""

from __future__ import annotations

from typing import Any

import torch

from autograder.own_gradients.comparing import Passed

MOST_NUMBERS = 24
"""Of a tensor that is written out; a larger one is described."""


def program(passed: Passed, at: int) -> str:
    """Return code that repeats a trial and prints the gradient of one argument, with the right one as a comment."""
    function, trial = passed.function, passed.trial
    names = [one if one.isidentifier() else f"argument_{at}" for at, one in enumerate(function.names)]
    values = list(zip(names, trial.values, strict=True))
    if any(isinstance(one, torch.Tensor) and one.numel() > MOST_NUMBERS for _, one in values):
        return ""
    if any(one.numel() > MOST_NUMBERS for one in passed.upstreams) or function.is_module:
        return ""
    output, upstream = (_unused(word, names) for word in ("output", "upstream"))
    lines = [f"{name} = {_literal(one, place in trial.needs)}" for place, (name, one) in enumerate(values)]
    call = f"{function.name}({', '.join(names)})"
    if trial.between is not None:
        other = [_literal(one, False) for one in trial.between]
        lines += [f"{output} = {call}", f"{function.name}({', '.join(other)})"]
    else:
        lines += [f"{output} = {call}"]
    upstreams = ", ".join(_literal(one, False) for one in passed.upstreams)
    if len(passed.upstreams) > 1:
        upstreams = f"[{upstreams}]"
    lines += [f"{upstream} = {upstreams}"]
    backward = f"torch.autograd.grad({output}, {names[at]}, {upstream}"
    lines += [f"print({backward}, retain_graph=True)[0])"] * trial.twice + [f"print({backward})[0])"]
    return "\n".join([*lines, f"# finite differences: {_numbers(passed.right(at))}"]) + "\n"


def _unused(word: str, names: list[str]) -> str:
    """Return a name that no argument has."""
    while word in names:
        word += "_"
    return word


def _literal(value: Any, needs: bool) -> str:
    if not isinstance(value, torch.Tensor):
        return repr(value)
    dtype = str(value.dtype) if value.is_floating_point() or value.is_complex() else ""
    parts = [_numbers(value), *([f"dtype={dtype}"] if dtype else []), *(["requires_grad=True"] if needs else [])]
    return f"torch.tensor({', '.join(parts)})"


def _numbers(value: torch.Tensor) -> str:
    if value.is_complex():
        return str(value.tolist())
    return str(_short(value.tolist()))


def _short(value: Any) -> Any:
    if isinstance(value, list):
        return [_short(one) for one in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value
