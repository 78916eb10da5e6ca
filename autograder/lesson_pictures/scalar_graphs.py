"""Pictures of lesson 01: errors of finite differences, a topological order, powers near 0, and losses of a fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np

from autograder.pictures.figure import Plot, figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def errors_over_step(steps: Sequence[float], errors: Mapping[str, Sequence[float]]) -> Plot:
    """Draw the error of difference quotients over the step, one curve for each kind of quotient."""
    fig, ax = plt.subplots(figsize=(5.6, 3.6))
    for (name, error), marker in zip(errors.items(), "os", strict=False):
        ax.loglog(steps, error, marker=marker, markersize=4, label=name)
    ax.set(xlabel="step h", ylabel="error of the derivative", title="Both too large and too small a step are bad")
    _plain_powers(ax)
    ax.legend()
    best = [
        f"the {name} error is smallest near h = {steps[int(np.argmin(error))]:.0e}" for name, error in errors.items()
    ]
    return figure(
        fig,
        alt="Error of difference quotients of exp at 1 over the step h, on logarithmic axes. The curves are V-shaped: "
        f"{', '.join(best)}. To the left of these points the errors rise again, with scatter.",
    )


def gaps_over_step(steps: Sequence[float], gaps: Mapping[str, Sequence[float]]) -> Plot:
    """Draw how far gradients are from central differences, over the step of the differences."""
    fig, ax = plt.subplots(figsize=(5.6, 3.6))
    for (name, gap), marker in zip(gaps.items(), "os", strict=False):
        ax.loglog(steps, gap, marker=marker, markersize=4, label=name)
    ax.set(xlabel="step h", ylabel="gap to the difference", title="A wrong gradient keeps its gap at every step")
    ax.text(max(steps), 1e-9, "truncation", ha="right", fontsize=11)
    ax.text(min(steps), 1e-9, "rounding", ha="left", fontsize=11)
    _plain_powers(ax)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0.85))
    least = [f"{name}, smallest gap {min(gap):.0e}" for name, gap in gaps.items()]
    return figure(
        fig,
        alt="Gap between a gradient and central differences over the step h, on logarithmic axes. The gap of the right "
        "gradient is V-shaped, with truncation as the right arm and rounding as the left. That of the wrong gradient "
        f"stays level: {'; '.join(least)}.",
    )


def uses_left(order: Sequence[Any], names: Mapping[str, Any]) -> Plot:
    """Draw how many uses of each node have not yet reported, at first and after each node of an order.

    Args:
        order: nodes with `parents`, each after all its uses.
        names: the same nodes by their names, as rows of the table.
    """
    left = {id(node): sum(parent is node for user in order for parent in user.parents) for node in order}
    rows, taken = [dict(left)], ["start"]
    for node in order:
        for parent in node.parents:
            left[id(parent)] -= 1
        rows.append(dict(left))
        taken.append(next(name for name, one in names.items() if one is node))
    fig, ax = plt.subplots(figsize=(5.2, 2.6))
    table = np.array([[row[id(node)] for row in rows] for node in names.values()])
    ax.imshow(table > 0, cmap="Blues", vmin=0, vmax=2.5, aspect="auto")
    for (y, x), count in np.ndenumerate(table):
        ax.text(x, y, str(count), ha="center", va="center", fontsize=14)
    ax.set_xticks(range(len(taken)), taken, fontsize=12)
    ax.set_yticks(range(len(names)), names, fontsize=12)
    ax.set(xlabel="node taken", title="Uses that have not yet reported")
    ax.grid(False)
    said = [f"{name} {', '.join(map(str, counts))}" for name, counts in zip(names, table, strict=True)]
    return figure(
        fig,
        alt="A table of the uses that have not yet reported, at the start and after each node taken: "
        f"{'; '.join(said)}. A node is taken when its number has reached 0.",
    )


def powers_at_zero(exponents: Sequence[float]) -> Plot:
    """Draw powers of p just above 0."""
    fig, ax = plt.subplots(figsize=(5.2, 3.2))
    p = np.linspace(0, 1, 400)
    for exponent in exponents:
        ax.plot(p, p**exponent, label=f"p to the {exponent}")
    ax.set(xlabel="p", title="Four powers of p, and how they start at 0")
    ax.legend(loc="lower right")
    return figure(
        fig,
        alt=f"Powers of p from 0 to 1 with the exponents {', '.join(map(str, exponents))}. With 0 the curve is level "
        "everywhere, with 0.5 it starts upright, with 1 it is a straight line, with 2 it starts level.",
    )


def losses_over_steps(losses: Mapping[str, Sequence[float]]) -> Plot:
    """Draw the loss over the steps of several fits."""
    fig, ax = plt.subplots(figsize=(5.6, 3.4))
    for name, loss in losses.items():
        ax.plot(loss, label=name)
    ax.set(xlabel="step", ylabel="loss", ylim=(0, 0.8), title="Old gradients do not fade")
    ax.legend(loc="upper right")
    said = [f"{name}, {loss[0]:.2f} at first and {loss[-1]:.2f} at last" for name, loss in losses.items()]
    return figure(
        fig,
        alt=f"Loss over the steps: {'; '.join(said)}. With gradients zeroed it falls and stays low. "
        "Without zeroing it falls, climbs back and keeps oscillating.",
    )


def _plain_powers(ax: Axes) -> None:
    """Write the powers of ten at logarithmic axes as the lesson does: 1e-08."""
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:.0e}")
        axis.set_minor_formatter(lambda value, _: "")
