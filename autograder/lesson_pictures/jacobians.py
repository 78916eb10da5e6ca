"""Pictures of lesson 07: an arm and the columns of its Jacobian, products, costs, gates, and samples that mix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from autograder.lesson_pictures.drawing import BLUE, GREEN, GREY, ORANGE
from autograder.pictures.figure import Plot, figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Entries = Sequence[Sequence[float]]
"""Numbers in rows: an array, or a tensor that requires no gradient."""
Costs = Mapping[tuple[str, str, int], float]
"""Times in forward runs, by what grows ("outputs" or "inputs"), the way, and the size."""


def arm_columns(points: Entries, jacobian: Entries) -> Plot:
    """Draw an arm, and at its hand the columns of the Jacobian as arrows.

    Args:
        points: across and up, for shoulder, elbow, wrist and hand.
        jacobian: a row for each coordinate of the hand, a column for each joint.
    """
    at, columns = np.asarray(points), np.asarray(jacobian).T
    hand = at[:, 3]
    fig, ax = plt.subplots(figsize=(5.6, 4.2))
    ax.plot(at[0], at[1], "-o", color=GREY, linewidth=3)
    for j, colour in enumerate((BLUE, ORANGE, GREEN)):
        ax.annotate("", hand + columns[j], hand, arrowprops={"arrowstyle": "->", "color": colour, "lw": 2})
        ax.text(*(hand + columns[j] + [(0.12, 0.12), (-2.3, 0.0), (0.15, 0.15)][j]), f"column {j}", color=colour)
        ax.plot(*at[:, [j, 3]], ":", color=colour, linewidth=1.4)
    ax.set(xlim=(-3, 7.5), ylim=(-0.6, 8.2), aspect="equal")
    ax.set_title("Where the hand goes when one joint turns")
    sizes = ", ".join(f"{np.hypot(*column):.2f}" for column in columns)
    angles = [float(column @ (hand - at[:, j])) for j, column in enumerate(columns)]
    turned = "at a right angle" if np.allclose(angles, 0, atol=1e-6) else "at an angle"
    return figure(
        fig,
        alt="A bent arm of three segments. Three arrows start at the hand, one for each column of the Jacobian, each "
        f"{turned} to the dotted line from its joint to the hand. Their lengths, from the shoulder on, are {sizes}.",
    )


def mixtures(jacobian: Entries, choices: Mapping[str, Sequence[float]]) -> Plot:
    """Draw a Jacobian with several choices of weights to the left of its rows, and the mixture of each below it."""
    table = np.asarray(jacobian)
    rows, columns = table.shape
    fig, axes = plt.subplots(len(choices), 1, figsize=(4.6, 2.6 * len(choices)))
    said = []
    for ax, (name, weights) in zip(axes, choices.items(), strict=True):
        v = np.asarray(weights)
        _grid(ax, table, (0, 0), BLUE)
        _grid(ax, v.reshape(-1, 1), (-1.6, 0), ORANGE)
        _grid(ax, (v @ table).reshape(1, -1), (0, rows + 0.3), GREEN)
        ax.set(xlim=(-2.2, columns - 0.4), ylim=(rows + 0.9, -0.7), title=name)
        ax.axis("off")
        said.append(f"weights {_listed(v)} give {_listed(v @ table)}")
    return figure(
        fig,
        alt=f"The same table of {rows} rows and {columns} columns, with a weight to the left of each row and the "
        f"weighted sum of the rows below: {'; '.join(said)}.",
    )


def products(jacobian: Entries, force: Sequence[float], speeds: Sequence[float]) -> Plot:
    """Draw a vector-Jacobian product and a Jacobian-vector product as tables with their weights and answers."""
    table, v, w = np.asarray(jacobian), np.asarray(force), np.asarray(speeds)
    rows, columns = table.shape
    fig, axes = plt.subplots(2, 1, figsize=(4.6, 5.4))
    _grid(axes[0], table, (0, 0), BLUE)
    _grid(axes[0], v.reshape(-1, 1), (-1.6, 0), ORANGE)
    _grid(axes[0], (v @ table).reshape(1, -1), (0, rows + 0.6), GREEN)
    axes[0].set_title("Reverse: weights for rows, one row out")
    _grid(axes[1], table, (0, 1.6), BLUE)
    _grid(axes[1], w.reshape(1, -1), (0, 0), ORANGE)
    _grid(axes[1], (table @ w).reshape(-1, 1), (columns + 0.6, 1.6), GREEN)
    axes[1].set_title("Forward: weights for columns, one column out")
    for ax in axes:
        ax.set(xlim=(-2.2, columns + 1.2), ylim=(rows + 1.3, -0.7))
        ax.axis("off")
    return figure(
        fig,
        alt=f"Two drawings of the same table of {rows} rows and {columns} columns. Above, a weight to the left of each "
        f"row, {_listed(v)}, and below the table their weighted sum, one row: {_listed(v @ table)}. Below, a weight "
        f"over each column, {_listed(w)}, and to the right the weighted sum, one column: {_listed(table @ w)}.",
    )


def runs(rows: int, columns: int) -> Plot:
    """Draw how three ways to a Jacobian run through the function: forward to the right, backward to the left."""
    ways = {
        "row by row": ["forward", *[f"back: row {i}" for i in range(rows)]],
        "jacrev": ["forward", f"back: {rows} rows at once"],
        "jacfwd": [f"forward: {columns} columns at once"],
    }
    fig, axes = plt.subplots(3, 1, figsize=(4.6, 5.2), height_ratios=[len(steps) + 0.9 for steps in ways.values()])
    for ax, (way, steps) in zip(axes, ways.items(), strict=True):
        for place, step in enumerate(steps):
            back, width = step.startswith("back"), 5 if "at once" in step else 1.8
            ends = ((1, place), (0, place)) if back else ((0, place), (1, place))
            style = {"arrowstyle": "-|>", "color": ORANGE if back else BLUE, "lw": width, "mutation_scale": 18}
            ax.annotate("", ends[1], ends[0], arrowprops=style)
            ax.text(0.5, place - 0.2, step, ha="center", va="bottom", fontsize=11)
        ax.text(-0.04, (len(steps) - 1) / 2, "inputs", ha="right", va="center")
        ax.text(1.04, (len(steps) - 1) / 2, "outputs", ha="left", va="center")
        ax.set(xlim=(-0.3, 1.35), ylim=(len(steps) - 0.5, -0.8))
        ax.set_title(way)
        ax.axis("off")
    said = "; ".join(f"{way}: {', then '.join(steps)}" for way, steps in ways.items())
    return figure(fig, alt=f"Three ways to a Jacobian, as arrows between inputs and outputs. {said}.")


def costs(measured: Costs, sizes: Sequence[int], ways: Sequence[str]) -> Plot:
    """Draw what a whole Jacobian costs, in forward runs, as the outputs or the inputs become more."""
    fig, axes = plt.subplots(2, 1, figsize=(5.0, 6.4), sharex=True)
    climbs = []
    for ax, grows in zip(axes, ("outputs", "inputs"), strict=True):
        for way in ways:
            ax.plot(sizes, [measured[grows, way, size] for size in sizes], marker="o", markersize=4, label=way)
        fixed = "4 inputs" if grows == "outputs" else "4 outputs"
        ax.set(xscale="log", yscale="log", xlabel=f"number of {grows}", ylabel="time / forward run")
        ax.set_title(f"{fixed}, more {grows}")
        factors = [measured[grows, way, sizes[-1]] / measured[grows, way, sizes[0]] for way in ways]
        said = ", ".join(f"{way} by {factor:.0f}" for way, factor in zip(ways, factors, strict=True))
        climbs.append(f"From {sizes[0]} to {sizes[-1]} {grows} the cost is multiplied: {said}.")
    axes[0].legend(fontsize=9)
    return figure(
        fig, alt=f"Cost of a whole Jacobian in forward runs, on logarithmic axes, for four ways. {' '.join(climbs)}"
    )


def gate(weight: Entries, jacobian: Entries, units: Sequence[float]) -> Plot:
    """Draw a layer's Jacobian before and after its activation, a row for each unit."""
    fig, axes = plt.subplots(2, 1, figsize=(4.4, 5.2))
    names = [f"h{i} = {unit:g}" for i, unit in enumerate(np.asarray(units))]
    limit = 1.8 * abs(np.asarray(weight)).max()
    for ax, numbers, title in zip(axes, (weight, jacobian), ("Before the ReLU: W", "After the ReLU"), strict=True):
        _table(ax, np.asarray(numbers), title, names, limit)
    open_ = [name for name, row in zip(names, np.asarray(jacobian), strict=True) if row.any()]
    return figure(
        fig,
        alt="Two tables of derivatives, a row for each unit and a column for each input: above before the ReLU, below "
        f"after it. Below, the rows that hold a number other than 0 are those of {', '.join(open_) or 'no unit'}.",
    )


def blocks(tables: Mapping[str, Entries], samples: int) -> Plot:
    """Draw tables of all outputs against all inputs of a batch, divided into a block for each pair of samples."""
    fig, axes = plt.subplots(len(tables), 1, figsize=(4.0, 2.5 * len(tables) + 0.3), squeeze=False)
    said = []
    for ax, (name, entries) in zip(axes.flat, tables.items(), strict=True):
        numbers = abs(np.asarray(entries))
        high, wide = (size // samples for size in numbers.shape)
        ax.imshow(numbers / numbers.max(), cmap="Greys", aspect="auto")
        for edge in range(1, samples):
            ax.axhline(edge * high - 0.5, color=BLUE, linewidth=0.9, linestyle="-")
            ax.axvline(edge * wide - 0.5, color=BLUE, linewidth=0.9, linestyle="-")
        ax.set_xticks([wide * (one + 0.5) - 0.5 for one in range(samples)], range(samples))
        ax.set_yticks([high * (one + 0.5) - 0.5 for one in range(samples)], range(samples))
        ax.set(title=name, xlabel="inputs of sample", ylabel="outputs of sample")
        ax.grid(False)
        filled = numbers.reshape(samples, high, samples, wide).max((1, 3)) > 0
        diagonal = np.array_equal(filled, np.eye(samples, dtype=bool))
        said.append(f"{name}: {'only those on the diagonal' if diagonal else f'{filled.sum()} of {filled.size}'}.")
    return figure(
        fig,
        alt=f"Tables of {samples} by {samples} blocks, a block for the outputs of one sample and the inputs of "
        f"another. Blocks that hold numbers other than 0. {' '.join(said)}",
    )


def cloud(trials: Entries, covariance: Entries, joints: Sequence[float]) -> Plot:
    """Draw where the hand went in trials, with the ellipse that the Jacobian predicts, and each joint's fraction."""
    points, spread = np.asarray(trials), np.asarray(covariance)
    sizes, directions = np.linalg.eigh(spread)
    turn = np.linspace(0, 2 * np.pi, 200)
    ellipse = points.mean(0)[:, None] + directions @ (
        2 * np.sqrt(sizes)[:, None] * np.stack([np.cos(turn), np.sin(turn)])
    )
    fig, axes = plt.subplots(2, 1, figsize=(4.4, 6.0), height_ratios=[3, 1])
    axes[0].plot(*points[:1500].T, ".", color=GREY, alpha=0.35, markersize=3)
    axes[0].plot(*ellipse, "-", color=ORANGE, linewidth=2.5)
    axes[0].set(aspect="equal", title="The hand in 1,500 trials, and J's ellipse")
    names = ("shoulder", "elbow", "wrist")
    axes[1].barh(names, np.asarray(joints), color=BLUE)
    axes[1].set(title="Fraction of the variance", xlim=(0, 0.6))
    axes[1].invert_yaxis()
    offset = (points - points.mean(0)) @ directions
    inside = float(((offset**2 / sizes).sum(1) < 4).mean())
    fractions = ", ".join(f"{name} {one:.2f}" for name, one in zip(names, np.asarray(joints), strict=True))
    return figure(
        fig,
        alt=f"Above, a slanting cloud of points with an ellipse around it, two standard deviations of the prediction "
        f"wide; {inside:.0%} of the trials lie inside. Below, bars with each joint's fraction of the variance: "
        f"{fractions}.",
    )


def arm_path(positions: Sequence[Entries], target: Sequence[float]) -> Plot:
    """Draw an arm on its way to a target, the last position in colour."""
    fig, ax = plt.subplots(figsize=(5.6, 3.8))
    for k, position in enumerate(np.asarray(position) for position in positions):
        last = k == len(positions) - 1
        style = {"color": BLUE if last else GREY, "alpha": 1.0 if last else 0.25 + 0.18 * k}
        ax.plot(position[0], position[1], "-o", linewidth=3 if last else 2, **style)
    ax.plot(*np.asarray(target), "x", color=ORANGE, markersize=12, markeredgewidth=3)
    ax.set(aspect="equal", title="The arm on its way to the target")
    distance = float(np.hypot(*(np.asarray(positions[-1])[:, 3] - np.asarray(target))))
    return figure(
        fig,
        alt=f"{len(positions)} positions of the arm, the later the darker, and a cross for the target. In the last "
        f"position the hand is {distance:.0e} away from it.",
    )


def _grid(ax: Axes, numbers: np.ndarray, corner: tuple[float, float], colour: str) -> None:
    """Draw numbers in boxes of one unit, the first at a corner."""
    for (row, column), entry in np.ndenumerate(numbers):
        x, y = corner[0] + column, corner[1] + row
        box = plt.Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, facecolor="white", edgecolor=colour, linewidth=1.5)
        ax.add_patch(box)
        ax.text(x, y, f"{entry:.2f}", ha="center", va="center", fontsize=11)


def _table(ax: Axes, numbers: np.ndarray, title: str, names: list[str], limit: float) -> None:
    """Draw a table of numbers, in grey where they are 0."""
    ax.imshow(numbers, cmap="RdBu_r", vmin=-limit, vmax=limit, aspect="auto")
    for (row, column), entry in np.ndenumerate(numbers):
        ax.text(column, row, f"{entry:g}", ha="center", va="center", color="#767676" if entry == 0 else "black")
    ax.set_xticks(range(numbers.shape[1]), [f"x{j}" for j in range(numbers.shape[1])])
    ax.set_yticks(range(len(names)), names)
    ax.set_title(title)
    ax.grid(False)


def _listed(numbers: np.ndarray) -> str:
    return ", ".join(f"{number:.2f}" for number in numbers)
