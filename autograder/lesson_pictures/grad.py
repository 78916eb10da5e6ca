"""Pictures of lesson 02: labels out of step, what many backward passes cost, and a Jacobian whose rows cancel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np

from autograder.lesson_pictures.drawing import BLUE, GREY, ORANGE
from autograder.pictures.figure import Plot, figure


def runs_over_length(lengths: Sequence[int], runs: Mapping[str, Sequence[int]]) -> Plot:
    """Draw how many backward nodes run, over the length of a chain, one curve for each way of calling."""
    fig, ax = plt.subplots(figsize=(5.6, 3.4))
    for name, counts in runs.items():
        ax.plot(lengths, counts, label=name)
    ax.set(xlabel="length of the chain", ylabel="backward nodes run", title="A parabola against a straight line")
    ax.legend()
    said = [f"{name}, {counts[-1]} at length {lengths[-1]}" for name, counts in runs.items()]
    return figure(
        fig,
        alt=f"Backward nodes run, over the length of the chain: {'; '.join(said)}. "
        "The first curve bends upwards like a parabola, the second is a straight line.",
    )


def labels_out_of_step(asked: Sequence[str], labels: Sequence[str], numbers: Sequence[float]) -> Plot:
    """Draw which label each gradient gets, in the order of the answers; orange where it is another tensor's."""
    fig, ax = plt.subplots(figsize=(5.2, 3.2))
    heads = ("asked for", "answer", "printed as")
    for x, head in enumerate(heads):
        ax.text(x, -0.9, head, ha="center", va="center", fontsize=12, color=GREY)
    for y, (tensor, number, label) in enumerate(zip(asked, numbers, labels, strict=True)):
        colour = BLUE if tensor == label else ORANGE
        for x, text in enumerate((tensor, f"{number:g}", label)):
            ax.text(x, y, text, ha="center", va="center", fontsize=14, color=colour, weight="bold")
        for x in (0, 1):
            ax.annotate("", (x + 0.75, y), (x + 0.25, y), arrowprops={"arrowstyle": "->", "color": colour})
    ax.set(xlim=(-0.4, 2.4), ylim=(len(asked) - 0.5, -1.4))
    ax.axis("off")
    rows = zip(asked, numbers, labels, strict=True)
    said = [f"{number:g} belongs to {tensor} and is printed as {label}" for tensor, number, label in rows]
    return figure(fig, alt=f"Gradients and their labels: {'; '.join(said)}.")


def rows_and_their_sum(jacobian: Sequence[Sequence[float]]) -> Plot:
    """Draw the Jacobian of class probabilities, and below it the sum of its rows."""
    table = np.array([*jacobian, np.sum(jacobian, axis=0)])
    labels = [f"probability {i}" for i in range(len(jacobian))] + ["their sum"]
    fig, ax = plt.subplots(figsize=(5.2, 3.0))
    ax.imshow(table, cmap="RdBu", vmin=-0.6, vmax=0.6, aspect="auto")
    for (y, x), number in np.ndenumerate(table):
        ax.text(x, y, f"{number:.2f}".replace("-0.00", "0.00"), ha="center", va="center", fontsize=14)
    ax.axhline(len(jacobian) - 0.5, color="black", linewidth=2, linestyle="-")
    ax.set_xticks(range(table.shape[1]), [f"score {j}" for j in range(table.shape[1])], fontsize=12)
    ax.set_yticks(range(len(labels)), labels, fontsize=12)
    ax.grid(False)
    said = [
        f"{label} {', '.join(f'{number:.2f}'.replace('-0.00', '0.00') for number in row)}"
        for label, row in zip(labels, table, strict=True)
    ]
    return figure(fig, alt=f"Derivatives with respect to the scores: {'; '.join(said)}.")
