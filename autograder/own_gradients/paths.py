"""Along which paths from an entry of the output to an entry of an argument the gradient comes back wrongly."""

from __future__ import annotations

import dataclasses
import math

import torch

from autograder.contrasts.observation import close
from autograder.contrasts.words import number
from autograder.own_gradients.comparing import Passed, differentiated

MOST_OUTPUTS, MOST_PATHS = 64, 20_000
NONE = 1e-8
"""Slopes below this, relative to the largest, are those of a path that is not there."""


@dataclasses.dataclass(frozen=True)
class Paths:
    """What the backward pass hands on from each entry of the output to each entry of an argument.

    Attributes:
        seen: what it hands on, (entries of the output, entries of the argument).
        right: the slopes, by finite differences.
        outputs: the shapes of the outputs, whose entries are counted through.
        argument: the argument's shape.
    """

    seen: torch.Tensor
    right: torch.Tensor
    outputs: list[torch.Size]
    argument: torch.Size


def paths_of(passed: Passed, at: int) -> Paths | None:
    """Measure the paths of a trial with one upstream gradient for each entry of the output.

    Returns:
        None if there are too many, or if the argument or the output is complex.
    """
    value, outputs = passed.trial.values[at], passed.outputs
    number = sum(one.numel() for one in outputs)
    if value.is_complex() or any(one.is_complex() for one in outputs):
        return None
    if not 1 < number <= MOST_OUTPUTS or number * value.numel() > MOST_PATHS:
        return None
    rows = []
    for entry in range(number):
        one_hot = torch.zeros(number, dtype=torch.float64)
        one_hot[entry] = 1.0
        parts = one_hot.split([one.numel() for one in outputs])
        upstreams = [part.reshape(one.shape).to(one.dtype) for part, one in zip(parts, outputs, strict=True)]
        try:
            found = differentiated(passed.function, passed.trial, upstreams)[at]
        except Exception:  # it takes no such upstream gradient
            return None
        rows.append(torch.zeros(value.numel(), dtype=torch.float64) if found is None else found.reshape(-1).double())
    slopes = passed.slopes(at)
    if not slopes.is_whole:
        return None
    right = torch.cat([one.reshape(-1, value.numel()) for one in slopes.of])
    seen = torch.where(slopes.kinks.reshape(-1), right, torch.stack(rows))
    return Paths(seen, right, [one.shape for one in outputs], value.shape)


def told(paths: Paths, name: str) -> str:
    """Say along which paths the gradient comes back wrongly, and show one; "" if along none.

    Args:
        paths: as measured.
        name: the argument's.
    """
    scale = float(torch.cat([paths.seen, paths.right]).abs().max())
    if not math.isfinite(scale):
        return ""
    wrong = ~close(paths.seen, paths.right, scale)
    if not wrong.any():
        return ""
    is_none, none_seen = paths.right.abs() <= NONE * scale, paths.seen.abs() <= NONE * scale
    missing, extra = wrong & none_seen, wrong & is_none
    of = int((~is_none | wrong).sum())
    parts = (
        []
        if bool((wrong == missing).all() | (wrong == extra).all())
        else [f"{int(wrong.sum())} of {of} paths are wrong"]
    )
    if missing.any():
        between = _between(paths, missing, ~is_none)
        which = between or f"along {int(missing.sum())} of {of} paths"
        parts.append(f"no gradient is returned {which}")
    if extra.any():
        which = (
            _between(paths, extra, is_none & ~none_seen)
            or f"along {int(extra.sum())} path{'s' * (int(extra.sum()) > 1)}"
        )
        parts.append(f"a gradient is returned {which}, where the output does not depend on `{name}`")
    row, column = divmod(int(torch.where(wrong, (paths.seen - paths.right).abs(), -1.0).argmax()), wrong.shape[1])
    return (
        f"{'; '.join(parts)}; on the path from {_entry(row, paths.outputs)} to "
        f"`{name}{_index(column, paths.argument)}` the backward pass multiplies by "
        f"{number(float(paths.seen[row, column]))}, and the slope is "
        f"{number(float(paths.right[row, column]))}"
    )


def _between(paths: Paths, some: torch.Tensor, among: torch.Tensor) -> str:
    """Say between which entries these paths lead: "between different entries"; "" if nothing says."""
    if paths.outputs != [paths.argument]:
        return ""
    index = torch.stack(torch.unravel_index(torch.arange(len(some)), paths.argument))
    differs = index[:, :, None] != index[:, None, :]
    for axis, words in enumerate(["between different entries"] if len(index) == 1 else [None] * len(index)):
        if bool((some == (differs[axis] & among)).all()):
            return words or f"between entries that differ in their index of axis {axis}"
    return "between different entries" if bool((some == (differs.any(0) & among)).all()) else ""


def _entry(row: int, outputs: list[torch.Size]) -> str:
    at = 0
    while row >= outputs[at].numel():
        row -= outputs[at].numel()
        at += 1
    return f"`output{_index(row, outputs[at])}`" if len(outputs) == 1 else f"`output[{at}]{_index(row, outputs[at])}`"


def _index(flat: int, shape: torch.Size) -> str:
    if not shape:
        return ""
    return f"[{', '.join(str(int(one)) for one in torch.unravel_index(torch.tensor(flat), shape))}]"
