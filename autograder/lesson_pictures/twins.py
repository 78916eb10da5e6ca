"""Pictures of lesson 12, and what TensorFlow and JAX answered where they are installed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np

from autograder.lesson_pictures.drawing import BLUE, GREEN, GREY, ORANGE
from autograder.pictures.figure import Plot, figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PALE = "#d0d7de"
RECORD = Path(__file__).with_suffix(".toml")
SLOPES = {"PyTorch": (BLUE, "-"), "TensorFlow": (ORANGE, "--"), "JAX": (GREEN, ":")}
PHASES = {"plan": GREY, "values": BLUE, "gradients": ORANGE}
Steps = list[tuple[str, float, float]]
Line = tuple[Steps, list[tuple[float, float]]]
TWO_STEPS: Steps = [("values", 2, 4), ("gradients", 4, 6), ("values", 6.5, 8.5), ("gradients", 8.5, 10.5)]
EACH_STEP: Line = (TWO_STEPS, [(2, 6), (6.5, 10.5)])
PLANNED: Line = ([("plan", 0, 2), *TWO_STEPS], [(0, 12)])
LINES: dict[str, Line] = {
    "PyTorch": EACH_STEP,
    "TF tape": EACH_STEP,
    "TF graph": PLANNED,
    "JAX grad": EACH_STEP,
    "JAX jit": PLANNED,
}
"""By system, what happens in two training steps (what, from, to), and how long a graph exists."""


def recorded() -> dict[str, dict[str, Any]]:
    """Read what TensorFlow and JAX answered in this lesson, and in which versions."""
    return tomllib.loads(RECORD.read_text(encoding="utf-8"))


def time_line() -> Plot:
    """Draw when each system plans, computes values and computes gradients, and how long its graph exists."""
    fig, ax = plt.subplots(figsize=(4.4, 3.8))
    for row, (steps, lives) in enumerate(LINES.values()):
        for what, start, end in steps:
            ax.barh(row, end - start, left=start, height=0.36, color=PHASES[what], edgecolor="white")
        for start, end in lives:
            ax.plot([start, end], [row + 0.34] * 2, color=GREEN, linestyle="-", linewidth=4, solid_capstyle="butt")
    for what, colour in PHASES.items():
        ax.barh(0, 0, color=colour, label=what)
    ax.plot([], [], color=GREEN, linestyle="-", linewidth=4, label="graph in use")
    ax.set(yticks=range(len(LINES)), yticklabels=LINES, xticks=(4, 8.5), xticklabels=("first step", "second step"))
    ax.tick_params(length=0)
    ax.invert_yaxis()
    ax.grid(False)
    fig.legend(loc="outside upper center", ncols=2)
    return figure(
        fig,
        alt="A time line of two training steps. In PyTorch and with TensorFlow's tape each step computes values and "
        "records a graph, computes gradients, and the graph is gone. JAX's grad traces anew in each call. TensorFlow's "
        "graph mode and JAX's jit plan once, before the first step, and the plan serves both steps and lives on.",
    )


def tracing(runs: Mapping[str, int], calls: Mapping[str, int]) -> Plot:
    """Draw, for each way of calling a function, how often it was called and how often its Python code ran."""
    fig, ax = plt.subplots(figsize=(4.2, 2.8))
    rows = np.arange(len(calls))
    ax.barh(rows - 0.18, list(calls.values()), height=0.34, color=PALE, edgecolor=GREY, label="calls")
    ax.barh(rows + 0.18, list(runs.values()), height=0.34, color=BLUE, label="runs of its Python code")
    ax.set(yticks=rows, yticklabels=calls, xticks=range(max(calls.values()) + 1))
    ax.invert_yaxis()
    ax.grid(visible=False, axis="y")
    fig.legend(loc="outside upper center", ncols=2)
    said = "; ".join(f"{way}: {calls[way]} and {runs[way]}" for way in calls)
    return figure(fig, alt=f"Bars of how often a function is called and how often its Python code runs. {said}.")


def corners(slopes: Mapping[str, Mapping[str, float]]) -> Plot:
    """Draw four functions near 0, and through each corner a line with the slope that each system gives there."""
    functions = {
        "relu": lambda x: np.maximum(x, 0),
        "maximum": lambda x: np.maximum(x, 0),
        "clip": lambda x: np.clip(x, 0, 9),
        "abs": np.abs,
    }
    fig, axes = plt.subplots(2, 2, figsize=(4.4, 4.4), sharex=True, sharey=True)
    x = np.linspace(-1, 1, 201)
    for ax, (name, function) in zip(axes.flat, functions.items(), strict=True):
        ax.plot(x, function(x), color=PALE, linestyle="-", linewidth=5)
        for system, (colour, line) in SLOPES.items():
            ax.plot(0.8 * x, 0.8 * x * slopes[system][name], color=colour, linestyle=line, label=system)
        ax.set(title=name, xticks=(-1, 0, 1), yticks=(-1, 0, 1), ylim=(-0.9, 1.1))
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    said = "; ".join(
        f"{name}: " + ", ".join(f"{system} {slopes[system][name]:g}" for system in SLOPES) for name in functions
    )
    return figure(fig, alt=f"Four functions with a corner at 0, and the slope that each system gives there. {said}.")


def summed_rows(rows: Sequence[Sequence[float]], total: Sequence[float]) -> Plot:
    """Draw a Jacobian's rows above their sum."""
    numbers = np.array([*rows, total])
    fig, ax = plt.subplots(figsize=(4.2, 2.9))
    for (row, column), number in np.ndenumerate(numbers):
        place = row + 0.7 * (row == len(rows))
        face = "#fff1e5" if row == len(rows) else "#ddf4ff"
        ax.add_patch(plt.Rectangle((column, place), 0.9, 0.8, facecolor=face, edgecolor=GREY))
        ax.text(column + 0.45, place + 0.4, f"{number:g}", ha="center", va="center", fontsize=13)
    for column in range(numbers.shape[1]):
        ax.annotate(
            "", (column + 0.45, len(rows) + 0.66), (column + 0.45, len(rows) - 0.16), arrowprops={"arrowstyle": "->"}
        )
    names = [f"row of y{one + 1}" for one in range(len(rows))] + ["the answer"]
    ax.set(yticks=[*(np.arange(len(rows)) + 0.4), len(rows) + 1.1], yticklabels=names, xticks=[])
    ax.set(xlim=(-0.1, numbers.shape[1]), ylim=(len(rows) + 1.6, -0.1))
    ax.grid(False)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    said = " plus ".join(str([int(one) for one in row]) for row in rows)
    return figure(fig, alt=f"The rows of the Jacobian are added column by column: {said} is {[int(t) for t in total]}.")


def losses(of_sum: Sequence[float], of_mean: Sequence[float]) -> Plot:
    """Draw the mean loss of two programs that differ only in what they differentiate."""
    fig, ax = plt.subplots(figsize=(4.4, 3.0))
    ax.plot(of_sum, label="gradient of the sum", color=ORANGE, linestyle="--", marker="s", markersize=4)
    ax.plot(of_mean, label="gradient of the mean", color=BLUE, marker="o", markersize=4)
    ax.set(xlabel="step", ylabel="mean loss", ylim=(0, None))
    ax.legend()
    return figure(
        fig,
        alt=f"The mean loss over {len(of_sum) - 1} steps, from {of_sum[0]:.2f}. The program that differentiates the "
        f"sum is at {of_sum[1]:.2f} after one step, the one that differentiates the mean at {of_mean[1]:.2f}; at the "
        f"end they are at {of_sum[-1]:.2f} and {of_mean[-1]:.2f}.",
    )


def ways_back() -> Plot:
    """Draw how PyTorch and TensorFlow walk back from y, and what JAX asks of a function."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.6))
    for ax, title in zip(axes, ("PyTorch, TensorFlow", "JAX"), strict=True):
        ax.set(title=title, xlim=(0, 4), ylim=(0, 3), xticks=[], yticks=[])
        ax.grid(False)
        ax.spines[:].set_visible(False)
    for name, x, y, colour in (("x", 0.5, 2.3, BLUE), ("z", 0.5, 0.7, ORANGE), ("y", 3.4, 2.3, BLUE)):
        _node(axes[0], name, x, y, colour)
    _arrow(axes[0], (3.05, 2.3), (0.85, 2.3), "walks back")
    axes[0].text(1.0, 0.7, "never met", va="center", color=ORANGE)
    for name, x, y, colour in (("x", 0.5, 2.3, BLUE), ("z", 0.5, 0.7, ORANGE), ("y", 3.4, 1.5, BLUE)):
        _node(axes[1], name, x, y, colour)
    _arrow(axes[1], (0.85, 2.2), (3.05, 1.6), "6")
    _arrow(axes[1], (0.85, 0.8), (3.05, 1.4), "0")
    return figure(
        fig,
        alt="Left: PyTorch and TensorFlow walk back from y and reach x; z lies apart and is never met. Right: in JAX x "
        "and z are both arguments of the function that gives y, with the derivatives 6 and 0.",
    )


def _node(ax: Axes, name: str, x: float, y: float, colour: str) -> None:
    ax.text(
        x, y, name, ha="center", va="center", fontsize=13,
        bbox={"boxstyle": "circle", "facecolor": "white", "edgecolor": colour, "linewidth": 1.6},
    )  # fmt: skip


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float], text: str) -> None:
    ax.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": GREY})
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2 + 0.22)
    ax.text(*middle, text, ha="center", va="bottom", color=GREY)


def lifetimes(works: Mapping[str, Sequence[bool]]) -> Plot:
    """Draw how long what was recorded serves, and which questions it answers."""
    fig, ax = plt.subplots(figsize=(4.6, 3.2))
    most = max(map(len, works.values()))
    for row, answers in enumerate(works.values()):
        end = most + 0.5 if all(answers) else answers.index(False) + 0.0
        ax.barh(row, end, height=0.3, color="#b6e3ff", edgecolor=BLUE)
        for place, worked in enumerate(answers, 1):
            sign, colour = ("o", GREEN) if worked else ("X", ORANGE)
            ax.plot(place, row, sign, color=colour, markersize=9)
    ax.plot([], [], "o", color=GREEN, label="an answer")
    ax.plot([], [], "X", color=ORANGE, label="an error")
    ax.barh(0, 0, color="#b6e3ff", edgecolor=BLUE, label="can be asked")
    ordinals = ("1st", "2nd", "3rd")[:most]
    ax.set(yticks=range(len(works)), yticklabels=works, xticks=range(1, most + 1), xticklabels=ordinals)
    ax.set(xlim=(0, most + 0.5), xlabel="question")
    ax.invert_yaxis()
    ax.grid(visible=False, axis="y")
    fig.legend(loc="outside upper center", ncols=3, handletextpad=0.4, columnspacing=1.0)
    said = "; ".join(
        f"{name}: " + ", ".join("an answer" if worked else "an error" for worked in answers)
        for name, answers in works.items()
    )
    return figure(fig, alt=f"Answers of each system's graph to several questions in a row. {said}.")


def stopped(slopes: Sequence[float], nudged: float) -> Plot:
    """Draw the square of x at 3, with the slope that the systems give for x times a constant, and the nudge's."""
    fig, ax = plt.subplots(figsize=(4.2, 3.0))
    x = np.linspace(2, 4, 101)
    ax.plot(x, x**2, color=PALE, linestyle="-", linewidth=5, label="x * x")
    ax.plot(x, 9 + slopes[0] * (x - 3), color=BLUE, linestyle="-", label="the systems' slope")
    ax.plot(x, 9 + nudged * (x - 3), color=ORANGE, linestyle="--", label="the nudge's slope")
    ax.plot(3, 9, "o", color="black")
    ax.set(xlabel="x", xticks=(2, 3, 4))
    ax.legend()
    return figure(
        fig,
        alt=f"The curve x times x near 3. A line through it with the slope {nudged:g}, which nudging gives, touches "
        f"it; the line with the slope {slopes[0]:g}, which every system gives when one factor is stopped, cuts it.",
    )


def nested_tapes() -> Plot:
    """Draw which calls run while which tape records: a tape within a tape, and one persistent tape."""
    fig, axes = plt.subplots(2, 1, figsize=(4.4, 3.6))
    cases: dict[str, tuple[list[tuple[str, float, float, float, float]], float]] = {
        "a tape within a tape: 12": ([("outer tape", 0, 6.2, -0.6, 1.3), ("inner tape", 0.5, 3, -0.4, 0.6)], 4.2),
        "one persistent tape: None": ([("tape", 0.5, 3, -0.4, 0.6)], 4.2),
    }
    for ax, (title, (tapes, first)) in zip(axes, cases.items(), strict=True):
        for name, start, end, low, high in tapes:
            ax.add_patch(plt.Rectangle((start, low), end - start, high - low, facecolor="#ddf4ff", edgecolor=BLUE))
            ax.text(start + 0.1, high - 0.08, name, va="top", fontsize=9, color=BLUE)
        ax.text(1.75, -0.1, "y = x**3", ha="center", va="center", fontsize=10)
        ax.text(first + 0.5, -0.1, "first", ha="center", va="center", fontsize=10, color=ORANGE)
        ax.text(7.3, -0.1, "second", ha="center", va="center", fontsize=10, color=ORANGE)
        ax.set(title=title, xlim=(-0.1, 8.2), ylim=(-0.8, 1.4), xticks=[], yticks=[])
        ax.grid(False)
        ax.spines[:].set_visible(False)
    return figure(
        fig,
        alt="Two time lines. With a tape within a tape, y is computed while both record, and the first derivative "
        "while the outer tape still records, so that the second can be asked of it. With one persistent tape the first "
        "derivative is computed after the tape's block, and nothing records it.",
    )
