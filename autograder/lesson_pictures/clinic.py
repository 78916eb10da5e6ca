"""Pictures of lesson 11: steps of either sign, tables of derivatives, pulls of samples, curves, memory, verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
import torch

from autograder.lesson_pictures.drawing import BLUE, GREEN, GREY, ORANGE
from autograder.pictures.figure import Plot, figure

if TYPE_CHECKING:
    from torch import Tensor


def two_directions(flight: Callable[[Tensor], Tensor], paths: Mapping[str, Sequence[float]]) -> Plot:
    """Draw the distance of a flight against the angle, and where the steps of each path are."""
    angles = torch.linspace(-0.6, 1.4, 200)
    fig, ax = plt.subplots(figsize=(5.6, 3.4))
    ax.plot(angles, flight(angles), color=GREY)
    for (label, path), colour, marker in zip(paths.items(), (ORANGE, BLUE), "os", strict=True):
        metres = flight(torch.tensor(path))
        ax.plot(path, metres, marker, linestyle="none", markersize=5, color=colour, label=label)
    ax.set(xlabel="angle (radians)", ylabel="metres", title="One start, two signs")
    ax.legend()
    ends = "; ".join(
        f"{label}: {len(path)} dots from {_metres(flight, path[0])} to {_metres(flight, path[-1])} metres"
        for label, path in paths.items()
    )
    return figure(fig, alt=f"A hill: the distance of the flight against the angle. On its left side, {ends}.")


def jacobians(tables: Mapping[str, Sequence[Sequence[float]]]) -> Plot:
    """Draw tables of derivatives below each other: an element is a row, a number that was read is a column."""
    fig, axes = plt.subplots(len(tables), 1, figsize=(4.6, 2.9 * len(tables)))
    said = []
    for ax, (title, table) in zip(axes, tables.items(), strict=True):
        numbers = np.asarray(table).round(6)
        ax.imshow(numbers, cmap="Blues", vmin=0, vmax=1.6, aspect="auto")
        for (row, column), entry in np.ndenumerate(numbers):
            ax.text(column, row, f"{entry:.0f}", ha="center", va="center", color="black" if entry else "#767676")
        ax.set_xticks(range(numbers.shape[1]), [f"y[{k}]" for k in range(numbers.shape[1])])
        ax.set_yticks(range(numbers.shape[0]), [f"x[{k}]" for k in range(numbers.shape[0])])
        ax.set_title(title)
        ax.grid(False)
        said.append(f"{title}: the ones in each row are {', '.join(f'{count:.0f}' for count in numbers.sum(1))}")
    return figure(fig, alt=f"Tables with a row for each element and a column for each number read. {'. '.join(said)}.")


def pulls(rows: Tensor, times: Sequence[str]) -> Plot:
    """Draw each sample's gradient in two parameters, and the sum of all of them."""
    heights = np.vstack([rows.numpy(), rows.sum(0).numpy()])
    fig, ax = plt.subplots(figsize=(5.6, 3.4))
    for side, (name, colour) in enumerate((("at a", BLUE), ("at k", ORANGE))):
        places = np.arange(len(heights)) + 0.4 * side - 0.2
        ax.bar(places, heights[:, side], width=0.36, color=colour, label=f"pull {name}")
    ax.axhline(0, color="black", linestyle="-", linewidth=1)
    ax.axvline(len(rows) - 0.5, color=GREY, linestyle=":", linewidth=1)
    ax.set_xticks(range(len(heights)), [*times, "sum"])
    ax.set(xlabel="sample at time t", title="Each sample pulls, and the sum does not")
    ax.grid(False)
    ax.legend()
    said = "; ".join(
        f"t = {time}: {row[0]:.3f} at a, {row[1]:.3f} at k" for time, row in zip(times, heights, strict=False)
    )
    total = np.abs(heights[-1]).max()
    return figure(fig, alt=f"Bars for each sample. {said}. Both sums are {'0' if total < 1e-6 else 'not 0'}.")


def curves(data: Tensor, fitted: Mapping[float, Tensor]) -> Plot:
    """Draw noisy data and a fitted curve for each strength of a penalty."""
    fig, ax = plt.subplots(figsize=(5.6, 3.4))
    ax.plot(data, ".", color=GREY, label="data")
    said = []
    for (strength, curve), colour in zip(fitted.items(), (ORANGE, GREEN, BLUE), strict=True):
        ax.plot(curve, linestyle="-", color=colour, label=f"strength {strength:g}")
        said.append(f"strength {strength:g}: {torch.diff(curve, n=2).square().mean():.1g}")
    ax.set(title="With a penalty that reaches the curve")
    ax.legend()
    return figure(
        fig, alt=f"Noisy data along a sine, and a curve for each strength. Their roughness: {', '.join(said)}."
    )


def memory(histories: Mapping[str, Sequence[int]]) -> Plot:
    """Draw how many tensors are kept after each batch."""
    fig, ax = plt.subplots(figsize=(5.6, 3.2))
    said = []
    for (label, kept), style, colour in zip(histories.items(), ("o-", "s-", "^-"), (ORANGE, BLUE, GREEN), strict=True):
        ax.plot(range(1, len(kept) + 1), kept, style, color=colour, label=label)
        said.append(f"{label}: from {kept[0]} to {kept[-1]}")
    ax.set(xlabel="batches", ylabel="tensors kept", title="One number at the end, and what it keeps")
    ax.legend()
    return figure(fig, alt=f"Tensors kept against batches. {'; '.join(said)}.")


def verdicts(passed: Mapping[str, Sequence[bool]], tools: Sequence[str]) -> Plot:
    """Draw a table of programs and tools: which tool objects to which program."""
    table = np.array([list(row) for row in passed.values()])
    fig, ax = plt.subplots(figsize=(5.6, 0.6 * len(table) + 0.9))
    ax.imshow(table, cmap="coolwarm", vmin=-0.6, vmax=1.6, aspect="auto")
    for (row, column), silent in np.ndenumerate(table):
        ax.text(column, row, "passes" if silent else "objects", ha="center", va="center", color="black", fontsize=11)
    ax.set_xticks(range(len(tools)), tools)
    ax.set_yticks(range(len(table)), list(passed))
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    ax.grid(False)
    said = "; ".join(
        f"{name}: "
        + ", ".join(f"{tool} {'passes' if silent else 'objects'}" for tool, silent in zip(tools, row, strict=True))
        for name, row in passed.items()
    )
    return figure(fig, alt=f"A table of programs and tools. {said}.")


def _metres(flight: Callable[[Tensor], Tensor], angle: float) -> str:
    return f"{flight(torch.tensor(angle)).item():.1f}"
