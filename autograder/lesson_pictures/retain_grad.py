"""Pictures of lesson 03: memory during a pass, deposits, aliases, and how much one sample or one target counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import torch
from matplotlib.ticker import MaxNLocator

from autograder.lesson_pictures.drawing import BLUE
from autograder.pictures.figure import Plot, figure

HATCHES = ("", "///", "...")


def memory(curves: Mapping[str, Sequence[float]], forward: int) -> Plot:
    """Draw the megabytes alive after each operation, a line for each way to run; backward begins at 0."""
    fig, ax = plt.subplots(figsize=(5.2, 3.8))
    said = []
    for way, curve in curves.items():
        ax.plot(range(-forward, len(curve) - forward), curve, label=way)
        said.append(f"{way}: {curve[forward]:.0f} MB where backward begins, {curve[-1]:.0f} at the end")
    ax.axvline(0, color="black", linewidth=0.8, linestyle=":")
    ax.set(xlabel="operation (backward begins at 0)", ylabel="MB alive", ylim=(0, 70))
    fig.legend(loc="outside lower center", ncols=2)
    return figure(fig, alt=f"Megabytes alive over the operations of one run. {'; '.join(said)}.", width=500)


def deposits(leaf: Sequence[float], inner: Sequence[float]) -> Plot:
    """Draw the gradients of a leaf and of an inner tensor after each of several passes through fresh graphs."""
    fig, ax = plt.subplots(figsize=(4.6, 3.0))
    passes = range(1, len(leaf) + 1)
    for shift, (name, heights) in zip((-0.2, 0.2), {"w.grad": leaf, "hidden.grad": inner}.items(), strict=True):
        hatch = HATCHES[int(shift > 0)]
        bars = ax.bar([k + shift for k in passes], heights, width=0.38, label=name, hatch=hatch, edgecolor="white")
        ax.bar_label(bars, [f"{height:g}" for height in heights], fontsize=10)
    ax.set(xlabel="pass", xticks=list(passes), ylim=(0, 1.15 * max(leaf)))
    fig.legend(loc="outside lower center", ncols=2)
    said = "; ".join(f"after pass {k}: {a:g} and {b:g}" for k, a, b in zip(passes, leaf, inner, strict=True))
    return figure(fig, alt=f"Bars of w.grad and hidden.grad. {said}.", width=442)


def weights(ways: Mapping[str, Sequence[float]], sizes: Sequence[int], right: float, each: str = "sample") -> Plot:
    """Draw how much each sample counts in an accumulated gradient, with a group of bars for each sample.

    Args:
        ways: from a way to weight the parts to the weight of each sample.
        sizes: how many samples each part holds.
        right: the weight of each in the full batch.
        each: what is counted.
    """
    fig, ax = plt.subplots(figsize=(5.2, 3.6))
    said = []
    for place, (way, counts) in enumerate(ways.items()):
        middles = [sample + 0.27 * (place - 1) for sample in range(1, len(counts) + 1)]
        ax.bar(middles, counts, width=0.25, label=way, hatch=HATCHES[place], edgecolor="white")
        said.append(f"{way}: {', '.join(f'{count:.2f}' for count in counts)}")
    ax.set_axisbelow(True)
    ax.axhline(right, color="black", linewidth=0.8, linestyle=":")
    for last in range(1, len(sizes)):
        ax.axvline(sum(sizes[:last]) + 0.5, color="black", linewidth=0.8)
    ax.set(xlabel=f"{each} (vertical lines: the parts)", ylabel=f"weight (dotted: {right:.3f})")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    fig.legend(loc="outside lower center", ncols=3)
    alt = f"How much each {each} counts, against {right:.3f} in the full batch. {'; '.join(said)}."
    return figure(fig, alt=alt, width=500)


def aliases(lists: Mapping[str, Sequence[torch.Tensor]]) -> Plot:
    """Draw lists as rows of boxes, with a line from each entry to the tensor that it names."""
    fig, axes = plt.subplots(1, len(lists), figsize=(5.2, 2.2), layout="constrained")
    said = []
    for ax, (name, entries) in zip(axes, lists.items(), strict=True):
        tensors = list({id(entry): entry for entry in entries}.values())
        middle = (len(entries) - len(tensors)) / 2
        for place, entry in enumerate(entries):
            at = middle + next(k for k, one in enumerate(tensors) if one is entry)
            ax.annotate(
                "", (at, 0.3), (place, 0.75), arrowprops={"arrowstyle": "->", "color": "black"}, annotation_clip=False
            )
            ax.text(place, 0.85, f"[{place}]", ha="center", fontsize=11)
        for place, tensor in enumerate(tensors):
            box = {"boxstyle": "round", "facecolor": "#dceaf5", "edgecolor": BLUE}
            ax.text(middle + place, 0.15, f"{tensor.item():g}", ha="center", fontsize=11, bbox=box)
        ax.set(xlim=(-0.6, len(entries) - 0.4), ylim=(0, 1.1), title=name)
        ax.axis("off")
        values = ", ".join(f"{tensor.item():g}" for tensor in tensors)
        said.append(f"{name}: {len(entries)} entries, {len(tensors)} tensors, which hold {values}")
    return figure(fig, alt=f"Entries of lists, with an arrow to the tensor of each. {'; '.join(said)}.", width=500)


def saved(counts: Mapping[str, int]) -> Plot:
    """Draw how many tensors a forward pass saves for backward, a bar for each way to run it."""
    fig, ax = plt.subplots(figsize=(4.6, 2.8))
    bars = ax.barh(list(counts), list(counts.values()), color=BLUE)
    ax.bar_label(bars, padding=3, fontsize=11)
    ax.set(xlabel="tensors saved for backward", xlim=(0, 1.15 * max(counts.values())))
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    said = "; ".join(f"{way}: {count}" for way, count in counts.items())
    return figure(fig, alt=f"Tensors that one forward pass saves for backward. {said}.", width=442)
