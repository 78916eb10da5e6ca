"""Pictures of lesson 06: who calls a Function's methods, what lives how long, and where gradients go."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

from autograder.lesson_pictures.drawing import BLUE, GREEN, GREY, ORANGE, arrow
from autograder.pictures.figure import Plot, figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PALE = "#e3e8ee"
Numbers = Sequence[float]


def one_apply() -> Plot:
    """Draw who calls forward, setup_context and backward, and that ctx waits between the two passes."""
    fig, ax = plt.subplots(figsize=(4.8, 3.4))
    for left, right, name in ((0, 6.1, "forward pass"), (6.4, 10, "backward pass")):
        ax.axvspan(left, right, color="#f3f5f8", zorder=0)
        ax.text((left + right) / 2, 5.5, name, ha="center", color=GREY)
    _box(ax, 3.05, 4.5, "you: apply(x)", 5.6, GREY)
    _box(ax, 8.2, 4.5, "y.backward()", 3.2, GREY)
    _box(ax, 1.5, 2.9, "forward", 2.6, BLUE)
    _box(ax, 4.45, 2.9, "setup_\ncontext", 2.6, BLUE)
    _box(ax, 8.2, 2.9, "backward", 3.0, ORANGE)
    ax.fill_between([3.2, 10], 0.45, 1.15, color=GREEN, alpha=0.85, linewidth=0)
    ax.text(6.6, 0.8, "ctx = y.grad_fn", ha="center", va="center", color="white", weight="bold")
    for x, start, end in (
        (1.5, 4.05, 3.45),
        (4.45, 4.05, 3.45),
        (8.2, 4.05, 3.45),
        (4.45, 2.3, 1.25),
        (7.7, 1.25, 2.4),
    ):
        arrow(ax, (x, start), (x, end))
    ax.text(4.2, 1.75, "saves", ha="right", va="center", color=GREY)
    ax.text(8.0, 1.75, "reads", ha="left", va="center", color=GREY)
    _bare(ax, (0, 10), (0.2, 6))
    return figure(
        fig,
        alt="A time line of two passes. In the forward pass, your apply(x) calls forward and then setup_context, which "
        "saves on ctx. ctx is y.grad_fn and waits until the backward pass, where y.backward() calls backward, which "
        "reads from ctx.",
    )


def two_upstreams(gradients: Mapping[str, Mapping[str, Numbers]], x: Numbers) -> Plot:
    """Draw gradients under several upstream gradients as groups of bars: by upstream gradient, then by Function."""
    fig, axes = plt.subplots(1, len(gradients), figsize=(5.0, 3.4))
    for ax, (upstream, by_function) in zip(axes, gradients.items(), strict=True):
        for place, (name, numbers) in enumerate(by_function.items()):
            colour, hatch = ((BLUE, ""), (ORANGE, "//"))[place % 2]
            ax.bar(
                np.arange(len(x)) + 0.4 * place,
                numbers,
                width=0.38,
                color=colour,
                hatch=hatch,
                edgecolor="white",
                label=name,
            )
        ax.set(title=f"upstream {upstream}", xticks=np.arange(len(x)) + 0.2, xticklabels=[f"{one:g}" for one in x])
        ax.set_xlabel("x")
        ax.grid(visible=False, axis="x")
    axes[0].set_ylabel("gradient of x")
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    said = " ".join(
        f"Upstream {upstream}: "
        + ", ".join(f"{name} {_listed(numbers)}" for name, numbers in by_function.items())
        + "."
        for upstream, by_function in gradients.items()
    )
    return figure(fig, alt=f"Bars of the gradient at x = {_listed(x)}. {said}")


def lives(held: Mapping[str, Mapping[str, bool]]) -> Plot:
    """Draw a bar for each version, over the stages in which the memory is still held."""
    stages = list(next(iter(held.values())))
    fig, ax = plt.subplots(figsize=(5.2, 2.5))
    for row, (name, by_stage) in enumerate(held.items()):
        for column, stage in enumerate(stages):
            if by_stage[stage]:
                ax.barh(row, 1, left=column, height=0.45, color=(BLUE, ORANGE)[row % 2])
            else:
                ax.text(column + 0.5, row, "freed", ha="center", va="center", color=GREY)
        ax.text(0.08, row - 0.36, name, va="bottom", weight="bold")
    ax.set(
        xlim=(0, len(stages)),
        ylim=(len(held) - 0.6, -0.75),
        yticks=[],
        xticks=np.arange(len(stages)) + 0.5,
        xticklabels=[textwrap.fill(stage, 13) for stage in stages],
        title="Is the input's memory still held after ...",
    )
    ax.grid(visible=False)
    ax.spines["left"].set_visible(False)
    ax.vlines(range(1, len(stages)), -0.75, len(held) - 0.6, color="#d9d9d9", linewidth=0.8, linestyle="-")
    said = " ".join(
        f"{name}: " + ", ".join(f"{'held' if yes else 'freed'} after {stage}" for stage, yes in by_stage.items()) + "."
        for name, by_stage in held.items()
    )
    return figure(fig, alt=f"A time line of the input's memory. {said}")


def reference_cycle() -> Plot:
    """Draw an output and its node, with and without a reference from the node back to the output."""
    fig, axes = plt.subplots(2, 1, figsize=(4.6, 4.0))
    for ax, title in zip(axes, ("ctx.save_for_backward(output)", "ctx.y = output"), strict=True):
        ax.set_title(title)
        _box(ax, 1.4, 2, "output y", 2.6, BLUE)
        _box(ax, 6.3, 2, "node (ctx)", 3.0, GREEN)
        arrow(ax, (2.75, 2.3), (4.75, 2.3))
        ax.text(3.75, 2.5, "grad_fn", ha="center", va="bottom", color=GREY)
        _bare(ax, (0, 10), (-0.3, 3.4))
    _box(axes[0], 6.3, 0.4, "values of y", 3.0, GREY)
    arrow(axes[0], (6.3, 1.45), (6.3, 0.95))
    arrow(axes[1], (4.75, 1.7), (2.75, 1.7), ORANGE)
    axes[1].text(3.75, 1.45, "ctx.y", ha="center", va="top", color=ORANGE)
    axes[1].text(3.75, 0.3, "a reference cycle", ha="center", va="center", color=ORANGE, weight="bold")
    return figure(
        fig,
        alt="Above, save_for_backward: the output refers to its node by grad_fn, and the node holds the values of y, "
        "without an arrow back. Below, ctx.y = output: the output refers to the node by grad_fn and the node refers to "
        "the output by ctx.y, a reference cycle.",
    )


def positions(returned: Mapping[str, str]) -> Plot:
    """Draw the arguments of apply above what backward returns for each, place by place."""
    fig, ax = plt.subplots(figsize=(4.8, 2.3))
    ax.text(0.1, 2.5, "apply", va="center", color=GREY)
    ax.text(0.1, 0.6, "return", va="center", color=GREY)
    for place, (argument, value) in enumerate(returned.items()):
        x = 3.0 + 2.9 * place
        _box(ax, x, 2.5, argument, 2.4, BLUE)
        _box(ax, x, 0.6, value, 2.4, ORANGE if value != "None" else GREY)
        arrow(ax, (x, 1.15), (x, 1.95))
    _bare(ax, (0, 3.0 + 2.9 * len(returned) - 1.6), (0, 3.1))
    pairs = ", ".join(f"{value} for {argument}" for argument, value in returned.items())
    return figure(
        fig, alt=f"The arguments of apply in a row, and below each what backward returns in its place: {pairs}."
    )


def outer_gradients(rows: int, columns: int) -> Plot:
    """Draw which numbers of the upstream gradient G meet which vector, for one element of u and one of v."""
    fig, axes = plt.subplots(1, 2, figsize=(5.0, 3.0))
    for ax, by_row in zip(axes, (True, False), strict=True):
        for i in range(rows):
            for j in range(columns):
                chosen = i == 1 if by_row else j == 0
                _cell(
                    ax, j, i, f"G{i}{j}", (BLUE if by_row else ORANGE) if chosen else PALE, "white" if chosen else GREY
                )
        for place in range(columns if by_row else rows):
            across, down = (place, -1.5) if by_row else (-1.5, place)
            _cell(ax, across, down, f"{'v' if by_row else 'u'}{place}", "#ffffff", "black")
        ax.set_title("gradient of u1:\nrow 1 times v" if by_row else "gradient of v0:\ncolumn 0 times u")
        _bare(ax, (-2.1, columns - 0.3), (rows - 0.3, -2.1))
        ax.set_aspect("equal")
    return figure(
        fig,
        alt=f"The upstream gradient G, {rows} rows by {columns} columns, twice. For the gradient of u1, row 1 is "
        "marked, with v above it, element by element. For the gradient of v0, column 0 is marked, with u beside it.",
    )


def sorting(x: Numbers, order: Sequence[int], upstream: Numbers, gradient: Numbers) -> Plot:
    """Draw how numbers go to their sorted places, and how the upstream gradients return to the old places."""
    fig, axes = plt.subplots(2, 1, figsize=(4.6, 4.6))
    rows = (
        (axes[0], "Forward: numbers go to their places", x, [x[place] for place in order], BLUE),
        (axes[1], "Backward: gradients go back", gradient, upstream, ORANGE),
    )
    for ax, title, above, below, colour in rows:
        ax.set_title(title)
        for column, number in enumerate(above):
            _box(ax, 3.2 + 2.2 * column, 2.6, f"{number:g}", 1.5, GREY)
        for column, number in enumerate(below):
            _box(ax, 3.2 + 2.2 * column, 0.5, f"{number:g}", 1.5, GREY)
            ends = (3.2 + 2.2 * order[column], 2.05), (3.2 + 2.2 * column, 1.05)
            arrow(ax, *(ends if colour == BLUE else ends[::-1]), colour)
        _bare(ax, (0, 9), (-0.1, 3.2))
    for ax, over, under in ((axes[0], "x", "sorted"), (axes[1], "gradient", "upstream")):
        ax.text(0, 2.6, over, va="center", color=GREY)
        ax.text(0, 0.5, under, va="center", color=GREY)
    return figure(
        fig,
        alt=f"Above, arrows lead from x = {_listed(x)} to the sorted numbers; they come from places {_listed(order)}. "
        f"Below, reversed, the arrows carry the upstream gradients {_listed(upstream)} back: {_listed(gradient)}.",
    )


def log_cosh(e: Numbers, curves: Sequence[Numbers], misled: float) -> Plot:
    """Draw ln cosh with its slope and second derivative, and what autograd made of the second derivative at 0."""
    fig, ax = plt.subplots(figsize=(5.2, 3.6))
    for name, numbers in zip(("value", "slope", "second derivative"), curves, strict=True):
        ax.plot(e, numbers, label=name)
    ax.plot(0, misled, "kx", markersize=10, markeredgewidth=2, label="second derivative,\nautograd on |e|")
    ax.set(xlabel="e", title="ln cosh is smooth; at 0 autograd was misled")
    ax.legend(loc="upper center")
    ax.set_ylim(-1.1, 3.6)
    top = max(curves[2])
    return figure(
        fig,
        alt=f"ln cosh between {min(e):g} and {max(e):g} like a rounded V, its slope rising from -1 to 1, its second "
        f"derivative a bump that reaches {top:g} at 0. A cross at (0, {misled + 0.0:g}) marks what autograd made of "
        "the formula with absolute values.",
    )


def straight_through(w: Numbers, y: Numbers, passed: Numbers) -> Plot:
    """Draw a rounding in a range, and the factor of its backward beside the staircase's own slope."""
    fig, axes = plt.subplots(2, 1, figsize=(4.6, 4.6), sharex=True, height_ratios=[1.5, 1])
    axes[0].plot(w, y)
    axes[0].set(title="Forward")
    axes[1].plot(w, passed, color=ORANGE, linestyle="-", label="backward's factor")
    axes[1].plot(w, np.zeros(len(w)), color=BLUE, linestyle="--", label="the staircase's own slope")
    axes[1].set(xlabel="w", title="Backward", ylim=(-0.15, 2.1), yticks=[0, 1])
    axes[1].legend(loc="upper center")
    inside = [one for one, factor in zip(w, passed, strict=True) if factor]
    return figure(
        fig,
        alt=f"Above, a staircase from {min(y):g} to {max(y):g}, flat outside. Below, the factor of backward, "
        f"{max(passed):g} between {min(inside):.0f} and {max(inside):.0f} and {min(passed):g} outside, beside the "
        "staircase's own slope, which is 0 between its steps.",
    )


def shared_upstream() -> Plot:
    """Draw that a sum hands one tensor to both of its terms."""
    fig, ax = plt.subplots(figsize=(4.6, 2.9))
    _box(ax, 8.1, 2.5, "sum", 1.8, GREY)
    _box(ax, 4.9, 2.5, "upstream\n(one tensor)", 3.0, GREEN)
    _box(ax, 1.4, 4.1, "clip", 2.2, ORANGE)
    _box(ax, 1.4, 0.9, "b", 2.2, BLUE)
    arrow(ax, (7.1, 2.5), (6.5, 2.5))
    arrow(ax, (3.35, 3.0), (2.6, 3.7))
    arrow(ax, (3.35, 2.0), (2.6, 1.3))
    ax.text(3.4, 4.15, "clamp_ writes here,", va="center", color=ORANGE)
    ax.text(3.4, 0.85, "and b receives it", va="center", color=BLUE)
    _bare(ax, (0, 9.4), (0.2, 4.8))
    return figure(
        fig,
        alt="Backward from a sum: one upstream tensor goes both to the clipping node and to b, so that b receives "
        "what clamp_ writes into it.",
    )


def tables(by_function: Mapping[str, Mapping[str, Sequence[Numbers]]]) -> Plot:
    """Draw tables of derivatives: a row of pictures for each Function, its judges side by side."""
    judges = list(next(iter(by_function.values())))
    fig, axes = plt.subplots(len(by_function), len(judges), figsize=(4.4, 2.3 * len(by_function)), squeeze=False)
    for row, (name, by_judge) in zip(axes, by_function.items(), strict=True):
        for ax, (judge, entries) in zip(row, by_judge.items(), strict=True):
            numbers = np.asarray(entries) + 0.0
            ax.imshow(numbers, cmap="RdBu_r", vmin=-1.6, vmax=1.6)
            for (i, j), entry in np.ndenumerate(numbers):
                ax.text(j, i, f"{entry:.2f}", ha="center", va="center")
            ax.set(title=f"{name},\n{judge}", xticks=[], yticks=[])
            ax.grid(visible=False)
    said = " ".join(
        f"{name}: " + "; ".join(f"{judge} {_rows(entries)}" for judge, entries in by_judge.items()) + "."
        for name, by_judge in by_function.items()
    )
    return figure(fig, alt=f"Tables of derivatives, {' and '.join(judges)}, row by row. {said}")


def judged_points(x: Numbers, differences: Numbers, claimed: Numbers) -> Plot:
    """Draw a gate with two short lines at each point: its slope by finite differences and the slope of a backward."""
    fig, ax = plt.subplots(figsize=(4.8, 3.2))
    ends = [min(x) - 0.5, 0, max(x) + 0.4]
    ax.plot(ends, [max(one, 0) for one in ends], color="#b0b8c2", linestyle="-", linewidth=5, label="forward")
    for place, (at, right, wrong) in enumerate(zip(x, differences, claimed, strict=True)):
        for slope, colour, line, label in ((wrong, ORANGE, "-", "backward"), (right, BLUE, "--", "finite differences")):
            half = 0.2 / np.hypot(1, slope)
            ys = max(at, 0) - slope * half, max(at, 0) + slope * half
            ax.plot(
                (at - half, at + half), ys, color=colour, linestyle=line, linewidth=2.6, label="" if place else label
            )
        ax.plot(at, max(at, 0), "o", color="black", markersize=5)
    ax.set(title="A gate whose backward forgot it", xlabel="x", xticks=x, aspect="equal", ylim=(-0.35, 1.15))
    ax.legend(loc="upper left")
    said = "; ".join(
        f"at {at:g}, differences {right:g}, backward {wrong:g}"
        for at, right, wrong in zip(x, (round(one, 6) for one in differences), claimed, strict=True)
    )
    return figure(
        fig, alt=f"A line that is 0 for negative x and rises for positive x, with its slope at four points: {said}."
    )


def transforms() -> Plot:
    """Draw what goes through a node in reverse mode, in forward mode and under vmap."""
    fig, axes = plt.subplots(3, 1, figsize=(4.6, 3.3))
    rows = (
        ("backward", "gradient", "upstream", False),
        ("jvp", "nudge of e", "nudge of y", True),
        ("vmap", "a batch of e", "a batch of y", True),
    )
    for ax, (name, left, right, forwards), colour in zip(axes, rows, (ORANGE, BLUE, GREEN), strict=True):
        _box(ax, 5, 1.3, name, 2.2, colour)
        for offset in (0.35, 0.0, -0.35) if name == "vmap" else (0.0,):
            y = 1.3 + offset
            arrow(ax, *(((3.1, y), (3.8, y)) if forwards else ((3.8, y), (3.1, y))), colour)
            arrow(ax, *(((6.2, y), (6.9, y)) if forwards else ((6.9, y), (6.2, y))), colour)
        ax.text(2.95, 1.3, left, ha="right", va="center")
        ax.text(7.05, 1.3, right, ha="left", va="center")
        _bare(ax, (0, 10), (0.65, 1.95))
    return figure(
        fig,
        alt="Three rows. backward: the upstream gradient comes in at the output, on the right, and the gradient of the "
        "input leaves on the left. jvp: a nudge of e enters on the left and the nudge of y leaves on the right. vmap: "
        "a whole batch passes from left to right.",
    )


def _box(ax: Axes, x: float, y: float, text: str, width: float, colour: str) -> None:
    ax.add_patch(
        plt.Rectangle((x - width / 2, y - 0.5), width, 1.0, facecolor="white", edgecolor=colour, linewidth=1.8)
    )
    ax.text(x, y, text, ha="center", va="center", color=colour, linespacing=0.95)


def _cell(ax: Axes, x: float, y: float, text: str, colour: str, ink: str) -> None:
    ax.add_patch(plt.Rectangle((x - 0.46, y - 0.46), 0.92, 0.92, facecolor=colour, edgecolor=GREY, linewidth=0.8))
    ax.text(x, y, text, ha="center", va="center", color=ink)


def _bare(ax: Axes, across: tuple[float, float], up: tuple[float, float]) -> None:
    ax.set(xlim=across, ylim=up)
    ax.set_axis_off()


def _listed(numbers: Numbers) -> str:
    return ", ".join(f"{number:.3g}" for number in numbers)


def _rows(entries: Sequence[Numbers]) -> str:
    return " / ".join(", ".join(f"{entry + 0.0:.2f}" for entry in row) for row in entries)
