"""Pictures of lesson 10: scores along a step, attacked digits, accuracy against epsilon, a projected walk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import torch

from autograder.lesson_pictures.drawing import BLUE, GREEN, LIGHT_BLUE, ORANGE
from autograder.pictures.figure import Plot, figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GREY = "#767676"
YELLOW = "#e69f00"
SIZE = 8
"""Pixels of a digit in each direction."""


def changes_of_a_neuron(changes: Mapping[str, Sequence[float]]) -> Plot:
    """Draw histograms of how far a neuron moved in many networks, one for each direction of the step."""
    fig, ax = plt.subplots(figsize=(4.6, 3.4))
    for (name, change), colour in zip(changes.items(), (ORANGE, LIGHT_BLUE, GREEN), strict=True):
        ax.hist(change, bins=40, range=(-0.08, 0.1), color=colour, alpha=0.7, label=name)
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set(xlabel="change of the neuron's activation", ylabel="networks", xticks=[-0.05, 0, 0.05, 0.1])
    ax.legend(fontsize=9, loc="upper left")
    ax.set_ylim(0, 1.6 * ax.get_ylim()[1])
    said = []
    for name, change in changes.items():
        each = torch.tensor(change)
        said.append(f"{name}: {(each > 0).double().mean():.0%} to the right of 0, median {each.median():+.3f}")
    return figure(fig, alt=f"Histograms of a neuron's change in many networks: {'; '.join(said)}.", width=442)


def scores(sizes: Sequence[float], lines: Mapping[str, Sequence[float]]) -> Plot:
    """Draw an image's score against the size of the change, a line for each kind of change."""
    fig, ax = plt.subplots(figsize=(4.6, 3.4))
    for (name, values), colour, dashes in zip(
        lines.items(), (GREY, LIGHT_BLUE, YELLOW, ORANGE), (":", "--", "-.", "-"), strict=True
    ):
        ax.plot(sizes, values, color=colour, linestyle=dashes, label=name)
    ax.axhline(0, color="black", linestyle="-", linewidth=0.8)
    ax.set(xlabel="largest change of a pixel", ylabel="score (above 0: an 8)")
    ax.legend(fontsize=9)
    said = [f"{name} from {values[0]:.1f} to {values[-1]:.1f}" for name, values in lines.items()]
    alt = f"Score of an image against the largest change of a pixel, straight lines: {'; '.join(said)}."
    return figure(fig, alt=alt, width=442)


def change_and_result(image: torch.Tensor, size: float, rows: Mapping[str, tuple[torch.Tensor, Any, str]]) -> Plot:
    """Draw an image, changes of it, enlarged, and the results with what the network says."""
    fig, axes = plt.subplots(len(rows), 3, figsize=(4.6, 1.9 * len(rows)))
    said = []
    for line, (name, (change, result, verdict)) in zip(axes, rows.items(), strict=True):
        _digit(line[0], image, "image")
        _signed(line[1], change, name, 1.4 * size)
        _digit(line[2], result, verdict)
        said.append(f"with {name} the network says {verdict}")
    alt = f"An image, a change of each pixel by up to {size:g} in red and blue, and the sum: {'; '.join(said)}."
    return figure(fig, alt=alt, width=442)


def accuracies(sizes: Sequence[float], curves: Mapping[str, Sequence[float]]) -> Plot:
    """Draw accuracy against epsilon, a curve for each attack or network."""
    fig, ax = plt.subplots(figsize=(4.6, 3.4))
    for (name, values), colour, marker in zip(curves.items(), (BLUE, ORANGE, GREEN, GREY), "os^v", strict=False):
        ax.plot(sizes, values, color=colour, marker=marker, markersize=4, label=name)
    ax.set(xlabel="epsilon, largest change of a pixel", ylabel="accuracy", ylim=(-0.02, 1.02))
    ax.legend(fontsize=9)
    said = []
    for name, values in curves.items():
        points = ", ".join(f"{value:.0%} at {size:g}" for size, value in zip(sizes, values, strict=True))
        said.append(f"{name}: {points}")
    return figure(fig, alt=f"Accuracy on held-out images against epsilon: {'; '.join(said)}.", width=442)


def walks(loss: Callable[[torch.Tensor], torch.Tensor], epsilon: float, points: Mapping[str, torch.Tensor]) -> Plot:
    """Draw walks of an image with two pixels over the contours of a loss, and the square that they should not leave."""
    across, up = torch.linspace(0.2, 0.9, 71), torch.linspace(0.05, 0.7, 66)
    grid = torch.stack(torch.meshgrid(across, up, indexing="xy"), -1)
    start = next(iter(points.values()))[0]
    fig, ax = plt.subplots(figsize=(4.6, 4.8))
    ax.contour(grid[..., 0], grid[..., 1], loss(grid), levels=24, cmap="Greys", linewidths=0.8)
    corner = (start - epsilon).tolist()
    ax.add_patch(plt.Rectangle(corner, 2 * epsilon, 2 * epsilon, fill=False, edgecolor="black", linewidth=1.5))
    said = []
    for (name, path), colour, style in zip(
        points.items(), (LIGHT_BLUE, BLUE, ORANGE), ("s--", "x:", "o-"), strict=True
    ):
        ax.plot(*path.T, style, color=colour, label=f"{name}: loss {loss(path[-1]):.2f}", markersize=5)
        side = (path[-1] - start).abs().max().item()
        said.append(f"{name}, it ends {side:.2f} from the start in one pixel, at a loss of {loss(path[-1]):.2f}")
    ax.grid(visible=False)
    ax.set(xlim=(0.2, 0.9), ylim=(0.05, 0.7), xlabel="first pixel", ylabel="second pixel")
    ax.legend(fontsize=9, loc="lower left", frameon=True, framealpha=1)
    alt = (
        f"Contours of a loss with a leaning crest, and a square of {epsilon:g} to each side of the start. "
        f"The walk: {'; '.join(said)}."
    )
    return figure(fig, alt=alt, width=442)


def targets(images: torch.Tensor, changes: torch.Tensor, classes: Sequence[int], size: float) -> Plot:
    """Draw an image moved towards each class, with the class it ends in, and below each the change, enlarged."""
    fig, axes = plt.subplots(4, 5, figsize=(4.6, 4.4))
    for goal, found in enumerate(classes):
        row, column = 2 * (goal // 5), goal % 5
        _digit(axes[row, column], images[goal], f"to {goal}" if found == goal else f"to {goal}: {found}")
        _signed(axes[row + 1, column], changes[goal], "", 1.4 * size)
    missed = [f"{goal} (it is classified as {found})" for goal, found in enumerate(classes) if found != goal]
    alt = (
        "One digit moved towards each of ten classes, and below each image the change in red and blue. Not reached: "
        f"{', '.join(missed) or 'none'}."
    )
    return figure(fig, alt=alt, width=442)


def arrivals(reached: torch.Tensor) -> Plot:
    """Draw the fraction of each digit's images that reach each target."""
    fig, ax = plt.subplots(figsize=(4.4, 3.8))
    shown = ax.imshow(reached, cmap="Oranges", vmin=0, vmax=1)
    ax.set(xlabel="target", ylabel="digit in the image", xticks=range(10), yticks=range(10))
    ax.grid(visible=False)
    fig.colorbar(shown, label="fraction that arrives")
    others = reached.masked_fill(torch.eye(10, dtype=torch.bool), 0).sum(0) / 9
    alt = (
        "A table of ten digits and ten targets, the darker the more images arrive. Averaged over the other digits, "
        f"target {int(others.argmax())} is reached most, by {others.max():.0%}, and target {int(others.argmin())} "
        f"least, by {others.min():.0%}."
    )
    return figure(fig, alt=alt, width=422)


def bars(values: Mapping[str, float], label: str) -> Plot:
    """Draw fractions as horizontal bars with their numbers."""
    fig, ax = plt.subplots(figsize=(4.4, 0.55 * len(values) + 0.9))
    names = list(values)[::-1]
    ax.barh(names, [values[name] for name in names], color=BLUE, height=0.6)
    for place, name in enumerate(names):
        ax.text(values[name] + 0.02, place, f"{values[name]:.0%}", va="center")
    ax.set(xlim=(0, 1.15), xlabel=label)
    ax.grid(visible=False)
    said = ", ".join(f"{name} {value:.0%}" for name, value in values.items())
    return figure(fig, alt=f"Bars of the {label}: {said}.", width=422)


def gradients_of_digits(images: torch.Tensor, rows: Mapping[str, torch.Tensor]) -> Plot:
    """Draw digits, and below each gradients with respect to its pixels, in colours for the sign."""
    fig, axes = plt.subplots(1 + len(rows), len(images), figsize=(4.6, 1.0 * (1 + len(rows)) + 0.3))
    for ax, image in zip(axes[0], images, strict=True):
        _digit(ax, image)
    axes[0, 0].set_title("images", fontsize=10, loc="left")
    said = []
    for line, (name, gradients) in zip(axes[1:], rows.items(), strict=True):
        for ax, gradient in zip(line, gradients, strict=True):
            _signed(ax, gradient, "", gradient.abs().max().item())
        line[0].set_title(name, fontsize=10, loc="left")
        sizes = gradients.flatten(1).abs()
        faint = (sizes < 0.1 * sizes.amax(1, keepdim=True)).double().mean()
        said.append(f"{name}, {faint:.0%} of the pixels are faint, below a tenth of the strongest")
    alt = f"A row of digits, and below each the gradient of the loss in red and blue: {'; '.join(said)}."
    return figure(fig, alt=alt, width=442)


def _digit(ax: Axes, image: torch.Tensor, title: str = "") -> None:
    """Show one image without axes."""
    _show(ax, image, title, cmap="gray_r", vmin=0, vmax=1)


def _signed(ax: Axes, values: torch.Tensor, title: str, limit: float) -> None:
    """Show numbers of either sign: red for more ink, blue for less."""
    _show(ax, values, title, cmap="RdBu_r", vmin=-limit, vmax=limit)


def _show(ax: Axes, values: torch.Tensor, title: str, **style: Any) -> None:
    ax.imshow(values.detach().reshape(SIZE, SIZE), **style)
    ax.set_title(title, fontsize=10, loc="center")
    ax.axis("off")
