"""Pictures of lesson 05: tables of derivatives, and the ways of a gradient through broadcasting and indexing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from autograder.lesson_pictures.drawing import BLUE, GREY, ORANGE, arrow
from autograder.pictures.figure import Plot, figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

THIN = 1.1
"""Points; many arrows cross in these pictures."""
Entries = Sequence[Sequence[float]]
"""Numbers in rows: an array, or a tensor that requires no gradient."""


def numbered(letter: str, count: int) -> list[str]:
    """Name the elements of a vector, such as x[0], x[1], x[2]."""
    return [f"{letter}[{k}]" for k in range(count)]


def derivative_tables(tables: Mapping[str, Entries]) -> Plot:
    """Draw tables of derivatives, two in a row; an output is a row, an input a column."""
    fig, axes = plt.subplots(-(-len(tables) // 2), 2, figsize=(5.8, 5.2))
    for ax, (title, entries) in zip(axes.flat, tables.items(), strict=True):
        rows, columns = np.shape(entries)
        _show(ax, entries, title, numbered("y", rows), numbered("x", columns))
    said = " ".join(f"For {title} {_filled(entries)}." for title, entries in tables.items())
    return figure(fig, alt=f"Tables of derivatives, outputs in rows and inputs in columns. {said}")


def passes(readings: Sequence[Sequence[float]], truth: Sequence[float], labels: Sequence[str]) -> Plot:
    """Draw what a leaf's `.grad` holds after each of several passes, divided by the true gradient."""
    ratios = [np.asarray(reading) / np.asarray(truth) for reading in readings]
    fig, ax = plt.subplots(figsize=(5.6, 3.4))
    for place, (ratio, label) in enumerate(zip(ratios, labels, strict=True)):
        ax.bar(np.arange(len(ratio)) + 0.27 * (place - 1), ratio, width=0.25, label=label)
    ax.axhline(1, color="black", linestyle="-", linewidth=1)
    top = 1.3 * max(ratio.max() for ratio in ratios)
    ax.set(xticks=range(len(truth)), xticklabels=numbered("x", len(truth)), ylabel="x.grad / truth", ylim=(0, top))
    ax.set_title("Right after the first pass, wrong from then on")
    ax.grid(False)
    ax.legend(ncols=3, loc="upper center")
    said = "; ".join(f"{label}: {_listed(ratio)}" for label, ratio in zip(labels, ratios, strict=True))
    return figure(fig, alt=f"Bars of x.grad divided by the true gradient, for each element. {said}.")


def broadcast_ways(upstream: Entries) -> Plot:
    """Draw how a bias is copied into the rows of a batch, and how the gradients of the copies come back to it."""
    numbers = np.asarray(upstream)
    rows, columns = numbers.shape
    fig, axes = plt.subplots(2, 1, figsize=(4.6, 6.4))
    _copies(axes[0], np.full(numbers.shape, "copy"), numbered("b", columns), forward=True)
    axes[0].set_title("Forward: each number is copied")
    _copies(axes[1], np.vectorize(_short)(numbers), [_short(one) for one in numbers.sum(0)], forward=False)
    axes[1].set_title("Backward: its copies' gradients add up")
    return figure(
        fig,
        alt=f"Above, forward: arrows lead from each of {columns} numbers of b down into its column, to {rows} copies. "
        f"Below, backward: the arrows are turned round. Each column of upstream gradients leads to their sum: "
        f"{_listed(numbers.sum(0))}.",
    )


def broadcast_sums(upstream: Entries) -> Plot:
    """Draw an upstream gradient with its sums for a column, for a row and for a single number."""
    numbers = np.asarray(upstream)
    rows, columns = numbers.shape
    fig, axes = plt.subplots(
        2, 2, figsize=(5.8, 3.9), width_ratios=[columns, 1.6], height_ratios=[rows, 1.2], sharex="col"
    )
    names, heads = [f"row {k}" for k in range(rows)], [f"col {k}" for k in range(columns)]
    _show(axes[0, 0], numbers, f"upstream, ({rows}, {columns})", names, heads)
    _show(axes[0, 1], numbers.sum(1, keepdims=True), f"to ({rows}, 1)", [""] * rows, [""])
    _show(axes[1, 0], numbers.sum(0, keepdims=True), f"to ({columns},)", ["sum"], heads)
    _show(axes[1, 1], numbers.sum(keepdims=True), "to ()", [""], [""])
    return figure(
        fig,
        alt=f"A table of {rows} rows and {columns} columns with the upstream gradient. Beside it the sums of the rows, "
        f"{_listed(numbers.sum(1))}, for a ({rows}, 1) column. Below it the sums of the columns, "
        f"{_listed(numbers.sum(0))}, for a ({columns},) bias. In the corner the sum of everything, "
        f"{_short(numbers.sum())}, for a single number.",
    )


def broadcast_matrix(spread: Entries, shape: tuple[int, int]) -> Plot:
    """Draw the table of derivatives of a broadcast: a row for each result, a column for each element that went in."""
    numbers = np.asarray(spread)
    fig, ax = plt.subplots(figsize=(4.0, 4.6))
    places = [f"({row}, {column})" for row in range(shape[0]) for column in range(shape[1])]
    _show(ax, numbers, f"Rows: places in {shape}", places, numbered("b", numbers.shape[1]))
    in_row, in_column = _same(numbers.astype(bool).sum(1)), _same(numbers.astype(bool).sum(0))
    return figure(
        fig,
        alt=f"A table of {numbers.shape[0]} rows, one for each result, and {numbers.shape[1]} columns, one for each "
        f"element of b. Numbers other than 0 in a row: {in_row}; in a column: {in_column}. All of them are 1.",
    )


def index_ways(index: Sequence[int], upstream: Sequence[float], gradient: Sequence[float]) -> Plot:
    """Draw which places an index reads, and which places the upstream gradients come back to."""
    index = [int(place) for place in index]
    fig, axes = plt.subplots(1, 2, figsize=(5.8, 3.9))
    below, right = numbered("x", len(gradient)), numbered("y", len(index))
    _ways(axes[0], index, below, right, forward=True)
    axes[0].set_title("Forward: read")
    _ways(axes[1], index, [_short(one) for one in gradient], [_short(one) for one in upstream], forward=False)
    axes[1].set_title("Backward: add")
    read = "; ".join(f"x[{place}] by {_entries(index, place)}" for place in range(len(gradient)))
    return figure(
        fig,
        alt=f"Left, forward: an arrow for each reading, from the elements of x to those of y. Read are {read}. Right, "
        f"backward: the same arrows turned round. At each element of x the arrivals add up to {_listed(gradient)}.",
    )


def index_matrix(picks: Entries, index: Sequence[int]) -> Plot:
    """Draw the table of derivatives of an index, and its transpose, by which the backward pass multiplies."""
    numbers = np.asarray(picks)
    rows, columns = numbers.shape
    fig, axes = plt.subplots(2, 1, figsize=(4.2, 6.2), height_ratios=[rows, columns])
    _show(axes[0], numbers, f"Forward: x[{[int(one) for one in index]}]", numbered("y", rows), numbered("x", columns))
    _show(axes[1], numbers.T, "Backward: its transpose", numbered("x", columns), numbered("y", rows))
    return figure(
        fig,
        alt=f"Above, a table of {rows} rows and {columns} columns: each row has a single 1, in the column it read. "
        f"How many ones the columns have: {_listed(numbers.sum(0))}. Below, its transpose.",
    )


def recurrence_table(entries: Entries) -> Plot:
    """Draw the derivative of every element of a recurrence with respect to every element."""
    numbers = np.asarray(entries)
    fig, ax = plt.subplots(figsize=(5.0, 3.2))
    names = [f"t{k}" for k in range(len(numbers))]
    _show(ax, numbers, "Row: the result. Column: what is nudged.", names, names)
    columns = "; ".join(f"{name}: {_listed(column)}" for name, column in zip(names, numbers.T, strict=True))
    return figure(fig, alt=f"A table of {len(numbers)} rows and columns. Its columns, from the top: {columns}.")


def _show(ax: Axes, entries: Entries, title: str, rows: list[str], columns: list[str]) -> None:
    """Draw a table of numbers on colours, with its rows and columns named."""
    numbers = np.asarray(entries) + 0.0  # turns -0 into 0
    colours = np.sign(numbers) * np.sqrt(abs(numbers))  # roots, so that small entries show too
    limit = 1.8 * abs(colours).max()
    ax.imshow(colours, cmap="RdBu_r", vmin=-limit, vmax=limit, aspect="auto")
    for (row, column), entry in np.ndenumerate(numbers):
        colour = "#767676" if entry == 0 else "black"
        ax.text(
            column, row, f"{entry:.3g}" if abs(entry) < 1 else _short(entry), ha="center", va="center", color=colour
        )
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.set_title(title)
    ax.grid(False)


def _copies(ax: Axes, inside: np.ndarray, above: list[str], *, forward: bool) -> None:
    """Draw a row of boxes over a grid of boxes, and arrows between each and its column."""
    rows, columns = inside.shape
    for column in range(columns):
        _box(ax, column, 0, above[column], BLUE)
        for row in range(rows):
            _box(ax, column, row + 1.5, str(inside[row, column]), GREY if forward else ORANGE)
            side = (0, 1, -1)[row % 3]  # the arrow to a lower copy passes the copies above it on one side
            ends = (column + 0.12 * side, 0.25), (column + 0.27 * side, row + 1.5 - 0.26 * (side == 0))
            arrow(ax, *(ends if forward else ends[::-1]), width=THIN, bend=-0.22 * side if forward else 0.22 * side)
    ax.set(xlim=(-0.6, columns - 0.4), ylim=(rows + 1, -0.5))
    ax.axis("off")


def _ways(ax: Axes, index: list[int], left: list[str], right: list[str], *, forward: bool) -> None:
    """Draw two columns of boxes and an arrow for each entry of an index."""
    stretch = (len(right) - 1) / max(len(left) - 1, 1)
    for place, text in enumerate(left):
        _box(ax, 0, place * stretch, text, BLUE)
    for k, (place, text) in enumerate(zip(index, right, strict=True)):
        _box(ax, 2, k, text, GREY if forward else ORANGE)
        ends = (0.42, place * stretch), (1.58, k)
        arrow(ax, *(ends if forward else ends[::-1]), width=THIN)
    ax.set(xlim=(-0.5, 2.5), ylim=(len(right) - 0.5, -0.5))
    ax.axis("off")


def _box(ax: Axes, x: float, y: float, text: str, colour: str) -> None:
    style = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": colour, "linewidth": 1.4}
    ax.text(x, y, text, ha="center", va="center", bbox=style, zorder=3)


def _short(number: float) -> str:
    """Write a number in up to four digits, a whole one in full."""
    number = float(number) + 0.0  # turns -0 into 0
    return f"{number:.0f}" if number.is_integer() else f"{number:.4g}"


def _listed(numbers: Sequence[float] | np.ndarray) -> str:
    return ", ".join(_short(one) for one in np.asarray(numbers))


def _same(counts: np.ndarray) -> str:
    return f"always {counts[0]}" if len(set(counts.tolist())) == 1 else _listed(counts)


def _entries(index: list[int], place: int) -> str:
    found = [f"y[{k}]" for k, one in enumerate(index) if one == place]
    return ", ".join(found) or "nothing"


def _filled(entries: Entries) -> str:
    """Say where a square table is not 0."""
    numbers = np.asarray(entries)
    filled = numbers != 0
    size = len(filled)
    eye: np.ndarray = np.eye(size, dtype=bool)
    known = {
        "only the diagonal is filled": eye,
        "everything on and below the diagonal is filled": np.tril(np.ones_like(eye)),
        "only the other diagonal is filled": np.flipud(eye),
        "every entry is filled": np.ones_like(eye),
    }
    where = next((words for words, pattern in known.items() if np.array_equal(filled, pattern)), "some are filled")
    values = "; ".join(_listed(row) for row in numbers.round(4))
    return f"{where}; row by row: {values}"
