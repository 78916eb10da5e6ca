"""Pictures of lesson 04: which hooks are called, when and with what, and what keeps a hook alive."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import torch

from autograder.lesson_pictures.drawing import BLUE, GREEN, ORANGE, arrow
from autograder.pictures.figure import STYLE, Plot, figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GREY = "#8b949e"
PALE_BLUE, PALE_ORANGE, PALE_GREY = "#dceaf5", "#fbe3d3", "#eeeeee"
WIDTH = 4.4
"""Inches; at 96 pixels an inch a narrow phone shows it at nearly full size."""
_arrow = functools.partial(arrow, colour="#555555", gap=2.0)

Found = tuple[Sequence[float | None], Sequence[float | None]]
"""What a hook found in `.grad` in each pass, and what `.grad` held after each pass."""


def reentrant(received: Sequence[float], total: float) -> Plot:
    """Draw one backward call under a reentrant checkpoint as a time line of two passes."""
    first, second = received
    steps = [
        (0, "you call backward()", PALE_GREY),
        (0, f"hook on w: {first:g}", PALE_ORANGE),
        (1, "the block runs again", PALE_GREY),
        (1, f"hook on w: {second:g}", PALE_ORANGE),
        (0, f"w.grad is {total:g}", PALE_BLUE),
    ]
    fig, ax = _blank(3.3)
    _lanes(ax, ["outer pass", "inner pass"], steps)
    return figure(
        fig,
        alt="Time line from top to bottom in two columns, the outer pass and the inner pass. You call backward(). "
        f"In the outer pass the hook on w receives {first:g}. The block runs again, and in the inner pass the hook "
        f"receives {second:g}. At the end w.grad is {total:g}.",
    )


def names_looked_up(own: Sequence[str], late: Sequence[str]) -> Plot:
    """Draw which name each of the hooks finds, with a closure for each and with one variable of a loop."""
    fig, axes = _blank(3.2, 2)
    titles = ("made by note(name)", "defined in the loop")
    for ax, title, found in zip(axes, titles, (own, late), strict=True):
        ax.set_title(title, fontsize=11, loc="center")
        _frame(ax, len(found))
        names = list(dict.fromkeys(found))
        places = {
            name: (len(found) - 1) * (i + 0.5) / len(names) + 0.5 * i / len(names) for i, name in enumerate(names)
        }
        if len(names) == len(found):
            places = {name: i for i, name in enumerate(names)}
        for i, name in enumerate(found):
            _box(ax, 0.22, i, "hook", PALE_ORANGE)
            _arrow(ax, (0.38, i), (0.66, places[name]))
        for name in names:
            _box(ax, 0.8, places[name], f'"{name}"', PALE_BLUE)
    return figure(
        fig,
        alt=f"Two columns of {len(own)} hooks each. Those made by note(name) point to names of their own, "
        f"{', '.join(own)}. Those defined in the loop find {_and(sorted(set(late)))}, all through one variable.",
    )


def calls(passes: Mapping[str, Sequence[str]], hooks: Sequence[str]) -> Plot:
    """Draw a grid of how often each pass, a row, called each hook, a column."""
    fig, ax = _blank(0.9 + 0.45 * len(passes))
    ax.set(xlim=(-0.6, len(hooks) - 0.4), ylim=(len(passes) - 0.4, -0.9))
    said = []
    for y, (name, called) in enumerate(passes.items()):
        counts = Counter(called)
        ax.axhline(y, color="#d9d9d9", linewidth=0.8, zorder=0)
        for x, hook in enumerate(hooks):
            ax.plot(x, y, "o", markersize=17, color=ORANGE if counts[hook] else "white", markeredgecolor=GREY)
            if counts[hook]:
                ax.text(x, y, str(counts[hook]), ha="center", va="center", color="white", fontsize=11)
        said.append(f"{name}: {_and([f'{hook} {counts[hook]}' for hook in hooks if counts[hook]]) or 'none'}")
    ax.axis("on")
    ax.grid(False)
    ax.set_xticks(range(len(hooks)), [hook.replace(" ", "\n", 1) if len(hook) > 8 else hook for hook in hooks])
    ax.set_yticks(range(len(passes)), passes)
    ax.tick_params(length=0, labelsize=11.5, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    return figure(fig, alt=f"How often each pass called the hook on each of {_and(hooks)}. {'. '.join(said)}.")


def storages(kept: Mapping[str, torch.Tensor]) -> Plot:
    """Draw which of the kept gradients are one tensor."""
    groups: dict[int, list[str]] = {}
    for name, gradient in kept.items():
        groups.setdefault(gradient.data_ptr(), []).append(name)
    fig, ax = _blank(2.7)
    _frame(ax, len(kept))
    ax.text(0.2, -0.75, "dictionary", ha="center", fontsize=11)
    ax.text(0.78, -0.75, "tensors in memory", ha="center", fontsize=11)
    y, said = 0, []
    for names in groups.values():
        middle = y + (len(names) - 1) / 2
        _box(ax, 0.78, middle, f"{kept[names[0]].item():g}", PALE_ORANGE if len(names) > 1 else PALE_GREY)
        for name in names:
            _box(ax, 0.2, y, f'kept["{name}"]', PALE_BLUE)
            _arrow(ax, (0.37, y), (0.66, middle))
            y += 1
        many = "share" if len(names) > 1 else "has"
        said.append(f"{_and(names)} {many} a tensor that holds {kept[names[0]].item():g}")
    return figure(fig, alt=f"Arrows from the entries of the dictionary to tensors in memory: {'; '.join(said)}.")


def lifetimes(on_parameter: Sequence[int], on_prediction: Sequence[int]) -> Plot:
    """Draw each hook as a bar over the steps in which it is called."""
    steps = range(1, len(on_parameter) + 1)
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(WIDTH, 2.6))
    labels: list[str] = []
    for counts, what, colour in ((on_parameter, "parameter", ORANGE), (on_prediction, "prediction", BLUE)):
        for nth in range(1, max(counts) + 1):
            called = [step for step, count in zip(steps, counts, strict=True) if count >= nth]
            ax.barh(len(labels), len(called), left=called[0] - 0.5, height=0.6, color=colour)
            labels.append(f"hook {nth} on {what}")
    ax.set_yticks(range(len(labels)), labels, fontsize=11.5)
    ax.set_xticks(steps, [f"step {step}" for step in steps], fontsize=11.5)
    ax.set(xlim=(0.45, len(steps) + 0.55))
    ax.invert_yaxis()
    ax.grid(False)
    return figure(
        fig,
        alt="Bars over the steps in which each hook is called. Hooks on the parameter start one a step and last to the "
        f"end, so the steps make {_and([str(count) for count in on_parameter])} calls. The hook on the prediction is "
        f"called {_and([str(count) for count in on_prediction])} times.",
    )


def reference_cycle(held_by_itself: int, held_by_detached: int, made: int) -> Plot:
    """Draw what refers to what when a hook uses its own tensor, and when it uses a detached one."""
    fig, axes = _blank(3.5, 2)
    cases = (("h", held_by_itself), ("h.detach()", held_by_detached))
    for ax, (used, held) in zip(axes, cases, strict=True):
        ax.set(xlim=(0, 1), ylim=(3.9, -0.5))
        ax.set_title(f"uses {used}", fontsize=12, loc="center")
        _box(ax, 0.5, 0, "tensor h", PALE_BLUE)
        _box(ax, 0.5, 1.1, "node (C++)", PALE_GREY)
        _box(ax, 0.5, 2.2, "hook", PALE_ORANGE)
        _arrow(ax, (0.5, 0.25), (0.5, 0.85))
        _arrow(ax, (0.5, 1.35), (0.5, 1.95))
        if used == "h":
            _arrow(ax, (0.62, 2.2), (0.74, 0.05), bend=0.75, colour=ORANGE)
        else:
            _box(ax, 0.5, 3.1, "numbers only", PALE_BLUE)
            _arrow(ax, (0.5, 2.42), (0.5, 2.87))
        ax.text(0.5, 3.75, f"{held} of {made} stay", ha="center", fontsize=12, color=ORANGE if held else GREEN)
    return figure(
        fig,
        alt="Two chains of references. If the hook uses h, the tensor h refers to its node in C++, the node to the "
        f"hook, and the hook to h again: a reference cycle, and {held_by_itself} of {made} tensors stay. If the "
        f"hook uses h.detach(), the chain ends at the numbers, and {held_by_detached} of {made} stay.",
    )


def directions(gradient: torch.Tensor, by_norm: torch.Tensor, by_value: torch.Tensor) -> Plot:
    """Draw a gradient's direction with what clipping by norm and by value make of it."""
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(WIDTH, 3.3))
    far = (gradient / gradient.norm() * 1.55).tolist()
    ax.plot([0, far[0]], [0, far[1]], ":", color="black", linewidth=1.5)
    ax.text(far[0], far[1] + 0.05, f"to ({gradient[0]:g}, {gradient[1]:g})", ha="right", fontsize=11.5)
    said = []
    for name, clipped, colour, below in (("by norm", by_norm, BLUE, True), ("by value", by_value, ORANGE, False)):
        x, y = clipped.tolist()
        ax.annotate("", (x, y), (0, 0), arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 2.5})
        at = (x / 2, -0.15) if below else (0.0, y + 0.08)
        ax.text(
            *at, f"{name}, length {clipped.norm():.2f}", color=colour, fontsize=11.5, ha="center" if below else "left"
        )
        cosine = torch.dot(gradient, clipped) / gradient.norm() / clipped.norm()
        said.append(f"{name} the arrow has length {clipped.norm():.2f} and lies at {_degrees(cosine)} degrees to it")
    ax.set(xlim=(-0.1, 1.65), ylim=(-0.22, 1.25), aspect="equal")
    ax.tick_params(labelsize=11)
    return figure(fig, alt=f"The gradient's direction as a dotted line. Clipped {'; '.join(said)}.")


def when_cleared(tensor_hook: Found, post_accumulate_hook: Found) -> Plot:
    """Draw the second of two passes as time lines, with `.grad` cleared in a hook of either kind."""
    early, late = tensor_hook, post_accumulate_hook
    fig, ax = _blank(4.0)
    columns = {
        "in a tensor hook": [
            ("gradient arrives", PALE_GREY),
            ("hook: .grad = None", PALE_ORANGE),
            ("PyTorch adds to .grad", PALE_GREY),
            (f".grad is {_said(early[1][-1])}", PALE_BLUE),
        ],
        "post-accumulate": [
            ("gradient arrives", PALE_GREY),
            ("PyTorch adds to .grad", PALE_GREY),
            (f"hook finds {_said(late[0][-1])},\nsets None", PALE_ORANGE),
            (f".grad is {_said(late[1][-1])}", PALE_BLUE),
        ],
    }
    _columns(ax, columns)
    said = [
        f"{name}: {', then '.join(text for text, _ in steps)}".replace("\n", " ") for name, steps in columns.items()
    ]
    return figure(fig, alt=f"Two time lines of one pass, from top to bottom. {'. '.join(said)}.")


def gradients_held(kept: Sequence[int], cleared: Sequence[int]) -> Plot:
    """Draw how many parameters have a `.grad` at each call to the hook."""
    with plt.rc_context(STYLE):
        fig, ax = plt.subplots(figsize=(WIDTH, 2.8))
    calls_made = range(1, len(kept) + 1)
    ax.plot(calls_made, kept, "o-", color=ORANGE, markersize=4)
    ax.plot(calls_made, cleared, "s-", color=BLUE, markersize=4)
    ax.text(len(kept) * 0.6, kept[-1] * 0.75, "kept", color=ORANGE, fontsize=12, ha="right")
    ax.text(len(kept) * 0.85, max(cleared) + 0.7, "set to None", color=BLUE, fontsize=12, ha="center")
    ax.set_xlabel("calls to the hook, from the last layer", fontsize=11.5)
    ax.set_ylabel("parameters with .grad", fontsize=11.5)
    ax.tick_params(labelsize=11)
    ax.set_ylim(0, max(kept) * 1.06)
    ax.set_xticks([1, *calls_made[3::4]])
    ax.set_yticks([1, *calls_made[3::4]])
    return figure(
        fig,
        alt=f"Parameters with a .grad over {len(kept)} calls to the hook. Kept, they grow from {kept[0]} to "
        f"{kept[-1]}. Set to None in the hook, there are never more than {max(cleared)}.",
    )


def module_calls(order: Sequence[tuple[str, str]]) -> Plot:
    """Draw a row of modules with the place in time of each forward and full backward hook."""
    names = list(dict.fromkeys(name for _, name in order))
    fig, ax = _blank(2.7)
    ax.set(xlim=(-0.75, len(names) - 0.25), ylim=(1.35, -1.35))
    for x, name in enumerate(names):
        _box(ax, x, 0, f'child "{name}"', PALE_BLUE)
    for time, (direction, name) in enumerate(order, 1):
        y, colour = (-0.62, GREEN) if direction == "forward" else (0.62, ORANGE)
        ax.plot(names.index(name), y, "o", markersize=20, color=colour)
        ax.text(names.index(name), y, str(time), ha="center", va="center", color="white", fontsize=12)
    last = len(names) - 1
    _arrow(ax, (-0.5, -1.0), (last + 0.5, -1.0), colour=GREEN)
    _arrow(ax, (last + 0.5, 1.0), (-0.5, 1.0), colour=ORANGE)
    ax.text(last / 2, -1.12, "forward hooks", ha="center", va="bottom", fontsize=12, color=GREEN)
    ax.text(last / 2, 1.12, "full backward hooks", ha="center", va="top", fontsize=12, color=ORANGE)
    said = [f"{time}: {direction} hook of {name}" for time, (direction, name) in enumerate(order, 1)]
    return figure(fig, alt=f"The children of a model in a row, with the order of calls. {', '.join(said)}.")


def sequences(lines: Mapping[str, Sequence[str]], special: Sequence[str] = ()) -> Plot:
    """Draw calls one below the other, a column for each pass; special calls have another colour."""
    fig, ax = _blank(0.7 + 0.5 * max(map(len, lines.values())))
    _columns(
        ax,
        {
            title: [(name, PALE_ORANGE if name in special else PALE_BLUE) for name in called]
            for title, called in lines.items()
        },
    )
    said = [f"{title}: {', '.join(called)}" for title, called in lines.items()]
    return figure(fig, alt=f"The order of calls, from first to last. {'. '.join(said)}.")


def gradients_passed(passed: Sequence[tuple[str, Sequence[float]]]) -> Plot:
    """Draw gradients in the order of the pass, a row each, with nan in another colour."""
    width = len(passed[0][1])
    fig, ax = _blank(0.5 + 0.55 * len(passed))
    ax.set(xlim=(-1.3, width - 0.4), ylim=(len(passed) - 0.4, -0.6))
    for y, (name, numbers) in enumerate(passed):
        ax.text(-0.6, y, name, ha="right", va="center", fontsize=12.5)
        for x, number in enumerate(numbers):
            bad = math.isnan(number)
            ax.add_patch(plt.Rectangle((x - 0.45, y - 0.4), 0.9, 0.8, color=ORANGE if bad else PALE_BLUE))
            text = "nan" if bad else f"{number:.2f}"
            ax.text(x, y, text, ha="center", va="center", fontsize=12.5, color="white" if bad else "black")
    said = [
        f"{name}: {_and(['nan' if math.isnan(one) else f'{one:.2f}' for one in numbers])}" for name, numbers in passed
    ]
    return figure(fig, alt=f"The gradients in the order of the backward pass, from top to bottom. {'. '.join(said)}.")


def _blank(height: float, columns: int = 1) -> tuple[Any, Any]:
    with plt.rc_context(STYLE):
        fig, axes = plt.subplots(1, columns, figsize=(WIDTH, height))
    for ax in [axes] if columns == 1 else axes:
        ax.axis("off")
    return fig, axes


def _frame(ax: Axes, rows: int) -> None:
    ax.set(xlim=(0, 1), ylim=(rows - 0.5, -1.0 if rows else 0))


def _box(ax: Axes, x: float, y: float, text: str, colour: str) -> None:
    ax.text(
        x,
        y,
        text,
        ha="center",
        va="center",
        fontsize=11.5,
        bbox={"boxstyle": "round,pad=0.35", "facecolor": colour, "edgecolor": GREY},
    )


def _lanes(ax: Axes, lanes: Sequence[str], steps: Sequence[tuple[int, str, str]]) -> None:
    """Draw steps one below the other, each in its lane, with arrows from one to the next."""
    ax.set(xlim=(-0.5, len(lanes) - 0.5), ylim=(len(steps) - 0.5, -1.2))
    for x, lane in enumerate(lanes):
        ax.text(x, -0.95, lane, ha="center", fontsize=12, color=BLUE)
    for y, (x, text, colour) in enumerate(steps):
        if y:
            _arrow(ax, (steps[y - 1][0], y - 0.72), (x, y - 0.28))
        _box(ax, x, y, text, colour)


def _columns(ax: Axes, columns: Mapping[str, Sequence[tuple[str, str]]]) -> None:
    """Draw time lines side by side, each from top to bottom."""
    rows = max(map(len, columns.values()))
    ax.set(xlim=(-0.5, len(columns) - 0.5), ylim=(rows - 0.5, -1.1))
    for x, (title, steps) in enumerate(columns.items()):
        ax.text(x, -0.8, title, ha="center", fontsize=12, color=BLUE)
        for y, (text, colour) in enumerate(steps):
            if y:
                _arrow(ax, (x, y - 0.72), (x, y - 0.28))
            _box(ax, x, y, text, colour)


def _said(number: float | None) -> str:
    return "None" if number is None else f"{number:g}"


def _degrees(cosine: torch.Tensor) -> str:
    return f"{math.degrees(math.acos(min(1.0, cosine.item()))):.0f}"


def _and(words: Sequence[str]) -> str:
    words = list(words)
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
