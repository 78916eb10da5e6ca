"""Pictures of lesson 08: derivatives of derivatives, what they cost, Hessians, Newton's paths and penalised fits."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np

from autograder.lesson_pictures.drawing import BLUE, GREEN, GREY, ORANGE
from autograder.pictures.figure import Plot, figure

Numbers = Sequence[float]
"""An array, or a tensor that requires no gradient."""


def derivatives(points: Numbers, curves: Sequence[Numbers]) -> Plot:
    """Draw a function and its derivatives, each divided by its largest value."""
    fig, ax = plt.subplots(figsize=(5.6, 3.8))
    crossings = []
    for order, curve in enumerate(map(np.asarray, curves)):
        scaled = curve / abs(curve).max()
        ax.plot(points, scaled, label=f"order {order}, largest {abs(curve).max():.1f}")
        crossings.append(int((np.diff(np.sign(scaled)) != 0).sum()))
    ax.set(title="A bell curve and its derivatives, scaled to 1", xlabel="x", ylim=(-1.1, 1.9))
    ax.legend(fontsize=9, ncols=2, loc="upper center")
    counts = ", ".join(map(str, crossings))
    return figure(
        fig, alt=f"{len(curves)} curves, a bell and its derivatives. How often they cross zero, by order: {counts}."
    )


def reference_cycle(held: bool) -> Plot:
    """Draw what holds what after `backward(create_graph=True)`: x, its gradient, and the nodes between them.

    Args:
        held: whether the memory was still held when the garbage collector had run.
    """
    boxes = {"x": (0, 1), "x.grad": (1, 1), "its graph": (1, 0), "node of x": (0, 0)}
    fig, ax = plt.subplots(figsize=(4.6, 3.4))
    ax.axhspan(-0.45, 0.45, color="#e8edf2")
    ax.text(-0.62, -0.42, "C++", color=GREY, va="bottom")
    ax.text(-0.62, 1.42, "Python", color=GREY, va="top")
    names = list(boxes)
    for one, other in itertools.pairwise([*names, names[0]]):
        (x0, y0), (x1, y1) = boxes[one], boxes[other]
        start = (x0 + 0.3 * (x1 - x0), y0 + 0.22 * (y1 - y0))
        end = (x1 - 0.3 * (x1 - x0), y1 - 0.22 * (y1 - y0))
        ax.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": ORANGE, "lw": 2.2, "mutation_scale": 18})
    for name, (x, y) in boxes.items():
        style = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": BLUE, "linewidth": 1.6}
        ax.text(x, y, name, ha="center", va="center", fontsize=12, bbox=style)
    ax.set(xlim=(-0.7, 1.5), ylim=(-0.45, 1.45), title="An arrow means: keeps alive")
    ax.axis("off")
    return figure(
        fig,
        alt=f"A ring of four boxes with arrows from each to the next: {', '.join(names)}, and back to x. The upper "
        f"two live in Python, the lower two in C++. After the garbage collector ran, the memory was "
        f"{'held' if held else 'free'}.",
    )


def prices(nodes: Mapping[str, Sequence[int]], cost: Mapping[str, Numbers]) -> Plot:
    """Draw the nodes of each derivative's graph and the time of each pass, for several functions."""
    fig, axes = plt.subplots(2, 1, figsize=(5.0, 6.2), sharex=True)
    for name, counts in nodes.items():
        axes[0].plot(range(len(counts)), counts, marker="o", markersize=4, label=name)
        axes[1].plot(range(1, len(cost[name]) + 1), cost[name], marker="o", markersize=4)
    axes[0].set(yscale="log", title="Nodes in its graph")
    axes[1].set(yscale="log", xlabel="order of the derivative", title="Time of its pass / first pass")
    axes[0].legend(fontsize=9)
    said = "; ".join(f"{name}: {', '.join(map(str, counts))}" for name, counts in nodes.items())
    times = ", ".join(f"{name} {each[-1]:.0f}" for name, each in cost.items())
    return figure(
        fig,
        alt=f"Nodes and processor time against the order of the derivative, on logarithmic axes. Nodes, from order 0: "
        f"{said}. Time of the last pass as a multiple of the first: {times}.",
    )


def hessian(table: Sequence[Numbers]) -> Plot:
    """Draw a Hessian, its diagonal in frames, and under it the sums of its columns."""
    numbers = np.asarray(table)
    size = len(numbers)
    fig, axes = plt.subplots(2, 1, figsize=(4.2, 4.6), height_ratios=[size, 1])
    limit = 1.8 * abs(numbers).max()
    for ax, shown in zip(axes, (numbers, numbers.sum(0, keepdims=True)), strict=True):
        ax.imshow(shown, cmap="RdBu_r", vmin=-limit, vmax=limit, aspect="auto")
        for (row, column), entry in np.ndenumerate(shown):
            ax.text(column, row, f"{entry:g}", ha="center", va="center", fontsize=12)
        ax.grid(False)
    for place in range(size):
        frame = plt.Rectangle((place - 0.47, place - 0.47), 0.94, 0.94, fill=False, edgecolor=ORANGE, linewidth=2.5)
        axes[0].add_patch(frame)
    names = [f"x{place}" for place in range(size)]
    axes[0].set_xticks(range(size), [""] * size)
    axes[0].set_yticks(range(size), names)
    axes[0].set_title("The Hessian, its diagonal framed")
    axes[1].set_xticks(range(size), names)
    axes[1].set_yticks([])
    axes[1].set_title("grad(gradient.sum(), x)")
    rows = "; ".join(", ".join(f"{entry:g}" for entry in row) for row in numbers)
    sums = ", ".join(f"{entry:g}" for entry in numbers.sum(0))
    return figure(
        fig, alt=f"A table of {size} rows: {rows}. Its diagonal is framed. Below it the sum of its rows: {sums}."
    )


def overshoot(curvature: float, rates: Numbers, steps: int = 4) -> Plot:
    """Draw gradient descent on a parabola of some curvature, for each rate, as a multiple of 1 / curvature."""
    fig, axes = plt.subplots(len(rates), 1, figsize=(4.6, 2.3 * len(rates)), sharex=True)
    across = np.linspace(-2.6, 2.6, 200)
    said = []
    for ax, rate in zip(axes, rates, strict=True):
        places = [1.0]
        for _ in range(steps):
            places.append(places[-1] - rate / curvature * curvature * places[-1])
        ax.plot(across, curvature * across**2 / 2, "-", color=GREY)
        ax.plot(places, [curvature * place**2 / 2 for place in places], "-o", color=ORANGE, markersize=5)
        ax.plot(places[0], curvature / 2, "s", color=BLUE, markersize=9, zorder=4)
        ax.set(title=f"Rate {rate:g} / curvature", ylim=(-0.1 * curvature, 3 * curvature), yticks=[])
        said.append(f"rate {rate:g} / curvature: {', '.join(f'{place:.2f}' for place in places)}")
    return figure(
        fig, alt=f"A parabola for each rate, with {steps} steps of descent from 1. The places, {'; '.join(said)}."
    )


def newton_paths(
    side: Numbers, heights: Sequence[Numbers], paths: Mapping[tuple[float, float], Sequence[Numbers]], positive: Numbers
) -> Plot:
    """Draw paths over contour lines; `positive` counts the positive curvatures where each path ends."""
    fig, ax = plt.subplots(figsize=(4.8, 4.4))
    ax.contour(side, side, np.asarray(heights).T, levels=18, colors="#9aa4ae", linewidths=0.8)
    for (start, path), colour in zip(paths.items(), (BLUE, ORANGE, GREEN), strict=True):
        places = np.asarray(path)
        ax.plot(places[:, 0], places[:, 1], "-o", color=colour, markersize=4)
        ax.plot(*start, "s", color=colour, markersize=8)
    ax.set(title="Newton's method from three starts", aspect="equal", xlabel="x0", ylabel="x1")
    kinds = {2: "at a minimum", 1: "at a saddle", 0: "at a maximum"}
    ends = "; ".join(f"from {start} {kinds[int(count)]}" for start, count in zip(paths, positive, strict=True))
    return figure(fig, alt=f"Contour lines with three short paths that begin at squares. They end, {ends}.")


def images(shown: Mapping[str, Sequence[Numbers]]) -> Plot:
    """Draw grey images side by side."""
    fig, axes = plt.subplots(1, len(shown), figsize=(2.9 * len(shown), 3.2))
    for ax, (title, image) in zip(axes, shown.items(), strict=True):
        ax.imshow(image, cmap="gray", vmin=-0.5, vmax=2)
        ax.set(title=title, xticks=[], yticks=[])
    rough = [float(abs(np.diff(np.asarray(image))).mean()) for image in shown.values()]
    said = ", ".join(f"{title} {one:.2f}" for title, one in zip(shown, rough, strict=True))
    return figure(
        fig,
        alt=f"Grey images of a disc with a bar. Mean difference between neighbouring pixels of a row: {said}.",
    )


def penalised_fits(
    grid: Numbers, data: tuple[Numbers, Numbers], fits: Mapping[str, Numbers], slopes: Mapping[str, Numbers]
) -> Plot:
    """Draw fits through measured points, and each fit's mean squared slope while it was trained."""
    fig, axes = plt.subplots(2, 1, figsize=(5.0, 6.4))
    styles = {"without": ("#b4bec8", "-", 5.0), "retain_graph": (ORANGE, ":", 2.4), "create_graph": (BLUE, "-", 1.8)}
    for name, (colour, line, width) in styles.items():
        axes[0].plot(grid, fits[name], line, color=colour, linewidth=width, label=name)
        axes[1].plot(slopes[name], line, color=colour, linewidth=width)
    axes[0].plot(*data, "ko", markersize=4)
    axes[0].set(title="The fits", xlabel="x")
    axes[0].legend(fontsize=9)
    axes[1].set(yscale="log", title="Mean squared slope", xlabel="step")
    values = {name: np.asarray(fit) for name, fit in fits.items()}
    pairs = itertools.combinations(values, 2)
    same = [f"{one} and {other}" for one, other in pairs if np.array_equal(values[one], values[other])]
    ends = ", ".join(f"{name} {history[-1]:.2f}" for name, history in slopes.items())
    return figure(
        fig,
        alt=f"Above, {len(np.asarray(data[0]))} points and three curves. Identical are {'; '.join(same) or 'none'}. "
        f"Below, the squared slope during training; at the end it is {ends}.",
    )


def norm_slopes(u: Numbers, lengths: Mapping[str, Numbers], slopes: Mapping[str, Numbers]) -> Plot:
    """Draw ways to compute a length near 0, and their slopes."""
    fig, axes = plt.subplots(2, 1, figsize=(5.0, 5.2), sharex=True)
    for name in lengths:
        axes[0].plot(u, lengths[name], label=name)
        axes[1].plot(u, slopes[name])
    axes[0].set(title="The length of (u, 0)")
    axes[1].set(title="Its slope", xlabel="u")
    axes[0].legend(fontsize=9)
    middle = len(np.asarray(u)) // 2
    said = ", ".join(
        f"{name}: length {np.asarray(lengths[name])[middle]:.4f}, slope {np.asarray(slopes[name])[middle]:.1f}"
        for name in lengths
    )
    return figure(
        fig,
        alt=f"Above, lengths as curves with their lowest point at 0, one a sharp V and one rounded. Below, their "
        f"slopes, one with a jump and one without. At 0: {said}.",
    )


def rate_curve(log_rates: Numbers, losses: Numbers, at: float, loss: float, slope: float) -> Plot:
    """Draw a loss as a function of the logarithm of the learning rate, with its tangent at one rate."""
    fig, ax = plt.subplots(figsize=(5.2, 3.6))
    ax.plot(log_rates, losses, "-")
    ax.plot([at - 0.5, at + 0.5], [loss - 0.5 * slope, loss + 0.5 * slope], "--", color=ORANGE, linewidth=2.5)
    ax.plot(at, loss, "o", color=ORANGE)
    ax.set(title="Validation loss after ten steps", xlabel="logarithm of the rate", ylabel="loss", ylim=(0, 3))
    lowest = float(np.asarray(log_rates)[np.asarray(losses).argmin()])
    return figure(
        fig,
        alt=f"A curve of the loss against the logarithm of the rate, lowest at {lowest:.1f}. At {at:.1f} a line of "
        f"slope {slope:.2f} touches it.",
    )
