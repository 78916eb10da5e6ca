"""Pictures of lesson 13: gradients from layer to layer, singular values, slopes, and a unit that opens again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import torch

from autograder.lesson_pictures.drawing import BLUE, GREEN, ORANGE
from autograder.pictures.figure import STYLE, Plot, figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GREY = "#8b949e"
WIDTH = 4.4
"""Inches; at 96 pixels an inch a narrow phone shows it at nearly full size."""
FINEST = 1e-12
"""Singular values below this are drawn there."""


def norms(by_name: Mapping[str, float]) -> Plot:
    """Draw the norm of each weight's gradient, in the order of the layers."""
    fig, ax = _axes(3.0)
    layers, values = range(1, len(by_name) + 1), list(by_name.values())
    ax.semilogy(layers, values, "o", color=BLUE, markersize=5)
    ax.set(xlabel="layer", ylabel="norm of its gradient")
    middle = len(values) // 2
    return figure(
        fig,
        alt=f"Norm of each weight's gradient over {len(values)} layers, logarithmic: nearly a straight line, from "
        f"{values[-1]:.0e} at the last layer over {values[middle]:.0e} in the middle to {values[0]:.0e} at the first.",
    )


def slopes(z: torch.Tensor, squared: torch.Tensor, densities: Mapping[int, torch.Tensor]) -> Plot:
    """Draw the squared slope of an activation, and how z is spread for several standard deviations."""
    fig, ax = _axes(3.2)
    ax.fill_between(z, squared, color=ORANGE, alpha=0.3, linewidth=0)
    ax.plot(z, squared, color=ORANGE, label="squared slope of tanh")
    for (sigma, density), colour, dashes in zip(densities.items(), (BLUE, GREEN), ("--", "-."), strict=True):
        ax.plot(z, density, color=colour, linestyle=dashes, label=f"density of z, σ = {sigma}")
    ax.set(xlabel="z", ylim=(0, None), xlim=(z[0].item(), z[-1].item()))
    fig.legend(loc="outside lower center", ncols=1)
    said = [f"with σ = {sigma} it is {density.max():.2f} high" for sigma, density in densities.items()]
    return figure(
        fig,
        alt="The squared slope of tanh, 1 at z = 0 and next to nothing beyond 3 on either side, and the density of z, "
        f"a bell: {', '.join(said)}. Only where both overlap do units add to the mean squared slope.",
    )


def singular_values(spectra: Mapping[int, torch.Tensor]) -> Plot:
    """Draw the sorted singular values of products of matrices, a line for each number of layers."""
    fig, ax = _axes(3.6)
    said = []
    for depth, values in spectra.items():
        ax.semilogy(range(1, len(values) + 1), values.clamp(min=FINEST), label=f"{depth} layer{'s' * (depth > 1)}")
        small = int((values < 0.001).sum())
        said.append(
            f"{depth} layers from {values[0]:.1f} to {values[len(values) // 2]:.0e} in the middle, {small} below 0.001"
        )
    ax.set(xlabel="singular value, from the largest", ylabel="gain", ylim=(1e-9, 20))
    fig.legend(loc="outside lower center", ncols=2)
    return figure(fig, alt=f"Sorted singular values of products of random matrices, logarithmic: {'; '.join(said)}.")


def both_ways(forwards: Mapping[str, Sequence[float]], backwards: Mapping[str, Sequence[float]]) -> Plot:
    """Draw the spread of the activations and the norm of the gradient over the layers, one above the other."""
    fig, axes = _axes(5.0, 2)
    said = []
    for ax, curves, label, place in (
        (axes[0], forwards, "spread of h", -1),
        (axes[1], backwards, "norm of gradient", 0),
    ):
        for name, values in curves.items():
            ax.semilogy(range(len(values)), values, label=name if place else None)
        ax.set(ylabel=label)
        where = "at the output" if place else "at the first layer"
        said.append(f"{label} {where}: {', '.join(f'{name} {values[place]:.0e}' for name, values in curves.items())}")
    axes[1].set(xlabel="layers passed (the gradient from the right)")
    fig.legend(loc="outside lower center", ncols=3)
    return figure(fig, alt=f"Two panels over the layers, logarithmic, straight lines. {'. '.join(said)}.")


def flow(curves: Mapping[str, Sequence[float]], columns: int = 2) -> Plot:
    """Draw the norm of the gradient over the layers of several networks, aligned where the gradient comes from."""
    fig, ax = _axes(3.8)
    deepest = max(map(len, curves.values()))
    said = []
    for name, values in curves.items():
        ax.semilogy(range(deepest - len(values), deepest), values, label=name)
        said.append(f"{name} {values[len(values) // 2]:.0e} half way and {values[0]:.0e} at its first layer")
    ax.set(xlabel="layer (the gradient from the right)", ylabel="norm of gradient")
    fig.legend(loc="outside lower center", ncols=columns)
    return figure(
        fig,
        alt=f"Norm of the gradient over the layers, logarithmic, from 1 at the right end: {'; '.join(said)}.",
    )


def draws(curves: Sequence[Sequence[float]], expected: Sequence[float], plain: Sequence[float]) -> Plot:
    """Draw the norm of the gradient for several draws of one network, for the calculated mean, and for a plain one."""
    fig, ax = _axes(3.6)
    layers = range(len(expected))
    for place, values in enumerate(curves):
        label = "LayerNorm, 8 draws" if place == 0 else None
        ax.semilogy(layers, values, color=BLUE, linestyle="-", linewidth=1, alpha=0.7, label=label)
    ax.semilogy(layers, expected, color="black", linestyle="--", label="two directions in 64 lost")
    ax.semilogy(layers, plain, color=ORANGE, linestyle="-.", label="plain ReLU, scale 1")
    ax.set(xlabel="layer (the gradient from the right)", ylabel="norm of gradient")
    fig.legend(loc="outside lower center", ncols=1)
    ends = [values[0] for values in curves]
    return figure(
        fig,
        alt=f"Norm of the gradient over {len(expected) - 1} layers, logarithmic. {len(curves)} draws with LayerNorm "
        f"wander about the calculated line, which ends at {expected[0]:.2f}, and end between {min(ends):.0e} and "
        f"{max(ends):.0e}. "
        f"The plain ReLU network falls to {plain[0]:.0e}.",
    )


def highest_inputs(highest: torch.Tensor) -> Plot:
    """Draw the largest input of a dead unit over the steps of training, a line for each run."""
    fig, ax = _axes(3.2)
    opened = (highest > 0).any(1)
    for values, crossed in zip(highest, opened, strict=True):
        ax.plot(values, color=ORANGE if crossed else GREY, linestyle="-", linewidth=1.2)
    ax.axhline(0, color="black", linestyle="-", linewidth=1)
    ax.plot([], [], color=ORANGE, linestyle="-", label="opens")
    ax.plot([], [], color=GREY, linestyle="-", label="stays dead")
    ax.set(xlabel="step", ylabel="largest input of the unit", ylim=(-0.6, 1.0))
    fig.legend(loc="outside lower center", ncols=2)
    return figure(
        fig,
        alt=f"Largest input of the unit over {highest.shape[1]} steps in {len(highest)} runs, all starting at "
        f"{highest[0, 0]:.2f}. {int(opened.sum())} lines cross 0, where the unit opens; the others stay below.",
    )


def shortened(ratios: Mapping[str, Sequence[float]]) -> Plot:
    """Draw, for each gradient of a model, which fraction of its norm each way to clip leaves."""
    fig, ax = _axes(3.2)
    said = []
    for (name, values), colour, marker in zip(ratios.items(), (BLUE, ORANGE, GREEN), "os^", strict=True):
        ax.plot(range(1, len(values) + 1), values, color=colour, marker=marker, markersize=6, label=name)
        said.append(f"{name} {min(values):.2f} to {max(values):.2f}")
    ax.set(xlabel="parameter, from the first layer", ylabel="norm after / before", ylim=(0, 1.05))
    fig.legend(loc="outside lower center", ncols=1)
    return figure(fig, alt=f"Norm of each parameter's gradient after clipping by that before: {'; '.join(said)}.")


def memory(costs: Mapping[str, float]) -> Plot:
    """Draw how much each kind of layer saves for the backward pass, as bars."""
    fig, ax = _axes(2.4)
    ax.barh(list(costs), list(costs.values()), color=BLUE, height=0.6)
    for place, size in enumerate(costs.values()):
        ax.text(size - 0.15, place, f"{size:.1f}", ha="right", va="center", color="white")
    ax.set(xlabel="KiB saved per layer")
    ax.invert_yaxis()
    ax.grid(False)
    said = [f"{block} {size:.1f}" for block, size in costs.items()]
    return figure(fig, alt=f"KiB saved per layer, as bars: {', '.join(said)}.")


def _axes(height: float, rows: int = 1) -> tuple[Any, Any]:
    with plt.rc_context({**STYLE, "font.size": 11.5}):
        fig, axes = plt.subplots(rows, 1, figsize=(WIDTH, height), sharex=rows > 1)
    each: list[Axes] = [axes] if rows == 1 else list(axes)
    for ax in each:
        ax.tick_params(labelsize=11)
    return fig, axes
