"""Pictures of lesson 09: feature maps and their gradients, windows of convolution and pooling, saliency, Grad-CAM."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import torch

from autograder.lesson_pictures.drawing import BLUE, ORANGE
from autograder.pictures.figure import Plot, figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GREY = "#8b949e"
INK: dict[str, Any] = {"cmap": "gray_r", "vmin": 0}
HEAT: dict[str, Any] = {"cmap": "Oranges", "vmin": 0}


def digits_in_a_row(images: Sequence[torch.Tensor]) -> Plot:
    """Draw the digits 0 to 9."""
    fig, axes = plt.subplots(2, 5, figsize=(4.4, 1.9))
    for ax, image in zip(axes.flat, images, strict=True):
        _map(ax, image, **INK)
    return figure(
        fig, alt="Ten small images, the handwritten digits 0 to 9, dark on light, of 8 by 8 pixels.", width=422
    )


def misclassified(images: torch.Tensor, labels: torch.Tensor, predicted: torch.Tensor, odds: torch.Tensor) -> Plot:
    """Draw up to six misclassified digits with label, predicted class and its probability."""
    fig, axes = plt.subplots(2, 3, figsize=(4.4, 3.6))
    for ax in axes.flat:
        ax.axis("off")
    said = []
    for ax, image, label, found, probability in zip(axes.flat, images, labels, predicted, odds, strict=False):
        _map(ax, image, f"{label} as {found}\n({probability:.0%})", **INK)
        said.append(f"class {label} as {found} with {probability:.0%}")
    return figure(fig, alt=f"Held-out digits that the network misclassifies: {', '.join(said)}.", width=422)


def feature_maps(maps: torch.Tensor, gradients: Mapping[str, torch.Tensor], shown: Sequence[int]) -> Plot:
    """Draw some feature maps in a row, and below them gradients with respect to them, in colours for the sign."""
    fig, axes = plt.subplots(1 + len(gradients), len(shown), figsize=(4.6, 1.45 * (1 + len(gradients))))
    limit = max(values[list(shown)].abs().max().item() for values in gradients.values())
    colours = {"cmap": "RdBu_r", "vmin": -limit, "vmax": limit}
    said = []
    for line, (name, values) in zip(axes, {"maps": maps, **gradients}.items(), strict=True):
        for ax, k in zip(line, shown, strict=True):
            _map(ax, values[k], **(INK if values is maps else colours))
        line[0].set_title(name, fontsize=10, loc="left")
        if values is not maps:
            empty = torch.stack([maps[k] == 0 for k in shown])
            there = torch.stack([values[k] for k in shown])[empty]
            said.append(f"{name}: not 0 at {(there != 0).double().mean():.0%} of the positions where a map is 0")
    return figure(fig, alt=f"Feature maps of 8 by 8 units with many zeros. Below them, {'; '.join(said)}.", width=442)


def sensitivity_and_contribution(sensitivity: torch.Tensor, contribution: torch.Tensor, target: int) -> Plot:
    """Draw a dot for each unit: how far it would move a logit, and how much it adds to the logit."""
    fig, ax = plt.subplots(figsize=(4.4, 3.2))
    ax.plot(sensitivity, contribution, "o", markersize=4, alpha=0.6)
    ax.set(title=f"{len(sensitivity)} units and the logit of class {target}")
    ax.set(xlabel="sensitivity", ylabel="contribution")
    none = sensitivity[contribution == 0]
    alt = (
        f"A dot for each of {len(sensitivity)} units, sensitivity to the right, contribution upwards. {len(none)} dots "
        f"lie on the horizontal line of contribution 0, at sensitivities from {none.min():.2f} to {none.max():.2f}; "
        f"all sensitivities lie between {sensitivity.min():.2f} and {sensitivity.max():.2f}."
    )
    return figure(fig, alt=alt, width=422)


def weights_on_a_signal(x: torch.Tensor, y: torch.Tensor, weights: int) -> Plot:
    """Draw which weight each output of a one-dimensional convolution takes for each value of the signal."""
    fig, ax = plt.subplots(figsize=(4.6, 2.8))
    for i in range(len(y)):
        for k, colour in zip(range(weights), (BLUE, ORANGE), strict=True):
            ax.add_patch(plt.Rectangle((i + k, i), 1, 1, facecolor=colour, alpha=0.25))
            ax.text(i + k + 0.5, i + 0.5, f"$w_{k}$", ha="center", va="center", color=colour, fontsize=12)
    ax.set(xlim=(0, len(x)), ylim=(len(y), 0), aspect="equal")
    ax.set_xticks([j + 0.5 for j in range(len(x))], [f"$x_{j}$\n{x[j]:g}" for j in range(len(x))])
    ax.set_yticks([i + 0.5 for i in range(len(y))], [f"$y_{i}$ = {y[i]:g}" for i in range(len(y))])
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)
    alt = (
        "A table with a row for each output and a column for each value of the signal. Output i takes weight 0 times "
        "value i and weight 1 times value i + 1, so each weight runs down along a diagonal."
    )
    return figure(fig, alt=alt, width=442)


def pixels_met(shown: Iterable[tuple[tuple[int, int], int, int]], *, n: int = 8, k: int = 3) -> Plot:
    """Draw the pixels that one entry of a kernel meets, for entries, strides and paddings."""
    fig, axes = plt.subplots(2, 2, figsize=(4.4, 4.8))
    said = []
    for ax, ((i, j), stride, padding) in zip(axes.flat, shown, strict=True):
        size = n + 2 * padding
        many = (size - k) // stride + 1
        grid = torch.zeros(size, size)
        grid[i : i + many * stride : stride, j : j + many * stride : stride] = 1
        ax.pcolormesh(grid, cmap="Blues", vmin=0, vmax=1.6, edgecolors=GREY, linewidth=0.5)
        ax.add_patch(plt.Rectangle((padding, padding), n, n, fill=False, edgecolor=ORANGE, linewidth=2))
        ax.set(aspect="equal", xlim=(-0.1, size + 0.1), ylim=(size + 0.1, -0.1))
        ax.set_title(f"entry ({i}, {j}), stride {stride},\npadding {padding}", fontsize=10, loc="center")
        ax.axis("off")
        said.append(
            f"entry ({i}, {j}) with stride {stride} and padding {padding} meets {many} by {many} pixels, each "
            f"{stride} from the next, the first in row {i} and column {j}"
        )
    alt = f"Four grids of pixels, padding included, the image framed. {'; '.join(said).capitalize()}."
    return figure(fig, alt=alt, width=422)


def windows_over_pixels(counts: Mapping[str, torch.Tensor]) -> Plot:
    """Draw how many windows of a convolution cover each pixel."""
    fig, axes = plt.subplots(len(counts), 1, figsize=(3.3, 2.9 * len(counts)))
    said = []
    for ax, (name, windows) in zip(axes, counts.items(), strict=True):
        _map(ax, windows, name, cmap="Blues", vmin=0, vmax=16)
        for r, row in enumerate(windows):
            for c, count in enumerate(row):
                ax.text(c, r, int(count), ha="center", va="center", fontsize=9)
        numbers = sorted({int(one) for one in windows.flatten()})
        corners = f"{int(windows[0, 0])} at the upper left, {int(windows[-1, -1])} at the lower right"
        said.append(f"With {name} the numbers are {', '.join(map(str, numbers))}, with {corners}")
    return figure(fig, alt=f"How many 3 by 3 windows cover each pixel of an image. {'. '.join(said)}.", width=317)


def max_pooling(values: torch.Tensor, gradient: torch.Tensor, size: int) -> Plot:
    """Draw a map cut into windows, and where its gradient arrives."""
    fig, axes = plt.subplots(2, 1, figsize=(3.6, 5.8))
    rows, columns = values.shape
    for ax, numbers, title in zip(axes, (values, gradient), ("the map, in windows", "its gradient"), strict=True):
        for r in range(rows):
            for c in range(columns):
                reached = bool(gradient[r, c] != 0)
                ax.add_patch(plt.Rectangle((c, r), 1, 1, facecolor=BLUE if reached else "white", alpha=0.25))
                weight = "bold" if reached else "normal"
                ax.text(c + 0.5, r + 0.5, f"{numbers[r, c]:g}", ha="center", va="center", fontsize=12, weight=weight)
        for r in range(0, rows - size + 1, size):
            for c in range(0, columns - size + 1, size):
                ax.add_patch(plt.Rectangle((c, r), size, size, fill=False, edgecolor=ORANGE, linewidth=2))
        ax.set(xlim=(-0.05, columns + 0.05), ylim=(rows + 0.05, -0.05), aspect="equal")
        ax.set_title(title, fontsize=11, loc="left")
        ax.axis("off")
    places = [f"{values[r, c]:g} gets {gradient[r, c]:g}" for r, c in gradient.nonzero().tolist()]
    alt = (
        f"A map of {rows} by {columns} numbers in windows of {size} by {size}, and below it its gradient: "
        f"{', '.join(places)}; all others, those outside the windows too, get 0."
    )
    return figure(fig, alt=alt, width=346)


def saliency_of_digits(images: Sequence[torch.Tensor], names: Sequence[str], strengths: Sequence[torch.Tensor]) -> Plot:
    """Draw digits, and below each its saliency with the digit's strokes as lines."""
    fig, axes = plt.subplots(2, len(images), figsize=(4.8, 2.2))
    for column, image, name, strength in zip(axes.T, images, names, strengths, strict=True):
        _map(column[0], image, name, **INK)
        _map(column[1], strength, **HEAT)
        _strokes(column[1], image)
    alt = (
        f"A row of {len(images)} digits, and below each its saliency for its own class, with the strokes as lines: "
        "dark pixels on the strokes and beside them."
    )
    return figure(fig, alt=alt, width=461)


def saliency_for_classes(image: torch.Tensor, title: str, slopes: Mapping[int, torch.Tensor]) -> Plot:
    """Draw a digit, and its saliency for several classes in one scale."""
    fig, axes = plt.subplots(1, 1 + len(slopes), figsize=(4.6, 1.9))
    _map(axes[0], image, title, **INK)
    limit = max(slope.abs().max().item() for slope in slopes.values())
    for ax, (target, slope) in zip(axes[1:], slopes.items(), strict=True):
        _map(ax, slope.abs(), f"saliency for {target}", **HEAT | {"vmax": limit})
        _strokes(ax, image)
    alt = f"A digit ({title}) and its saliency for the classes {' and '.join(map(str, slopes))}, which differ."
    return figure(fig, alt=alt, width=442)


def grad_cam_steps(
    image: torch.Tensor, title: str, maps: torch.Tensor, weights: torch.Tensor, total: torch.Tensor
) -> Plot:
    """Draw the steps of Grad-CAM: a digit, maps with their weights, the weighted sum and what is left above 0."""
    fig, axes = plt.subplots(2, 3, figsize=(4.4, 3.6))
    order = weights.argsort(descending=True)
    limit = total.abs().max().item()
    _map(axes[0, 0], image, title, **INK)
    shown = [order[0], order[1], order[-1]]
    for ax, k in zip(axes.flat[1:4], shown, strict=True):
        _map(ax, maps[k], f"map {k}\nweight {weights[k]:.3f}", **HEAT)
    _map(axes[1, 1], total, "weighted sum", cmap="RdBu_r", vmin=-limit, vmax=limit)
    _map(axes[1, 2], total.clamp(min=0), "after the ReLU", **HEAT)
    for ax in axes.flat[1:]:
        _strokes(ax, image)
    alt = (
        f"A digit ({title.lower()}), three of its maps, with the weights "
        f"{', '.join(f'{weights[k]:.3f}' for k in shown)}, the weighted sum of all maps in red and blue, and what is "
        "left of it above 0."
    )
    return figure(fig, alt=alt, width=422)


def grad_cam_for_two_classes(
    images: Sequence[torch.Tensor], cams: Sequence[Sequence[torch.Tensor]], classes: Sequence[Sequence[int]]
) -> Plot:
    """Draw Grad-CAM for the predicted class of each image, and below it for the runner-up."""
    fig, axes = plt.subplots(2, len(images), figsize=(4.8, 2.4))
    for column, image, both, names in zip(axes.T, images, cams, classes, strict=True):
        for ax, cam, name in zip(column, both, names, strict=True):
            _map(ax, cam, f"for {name}", **HEAT)
            _strokes(ax, image)
    alt = (
        f"A row of {len(images)} digits as lines, the misclassified digit first, over their Grad-CAM: above for the "
        "predicted class, below for the runner-up. The two mark different parts."
    )
    return figure(fig, alt=alt, width=461)


def _map(ax: Axes, values: torch.Tensor, title: str = "", **style: Any) -> None:
    """Show a map of numbers without axes."""
    ax.imshow(values.detach().cpu().reshape(values.shape[-2:]), **style)
    ax.set_title(title, fontsize=10, loc="center")
    ax.axis("off")


def _strokes(ax: Axes, image: torch.Tensor) -> None:
    """Draw the strokes of a digit as lines over another picture."""
    ax.contour(image.detach().cpu().reshape(image.shape[-2:]), levels=[0.4], colors=BLUE, linewidths=1.2)
