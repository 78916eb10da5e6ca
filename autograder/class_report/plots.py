"""The plots of a class report, in the house's style, each with an alternative text that says the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from autograder.class_report.item_analysis import TaskItem
from autograder.class_report.proportions import LEAST, signed
from autograder.class_report.results import CLOSE, AssignmentResults
from autograder.class_report.weeks import Week, quartiles
from autograder.pictures.figure import PALETTE, STYLE, Plot, figure
from autograder.standings.number_text import number
from autograder.visible_text import visible

BINS = 10
LONGEST_LABEL = 24
WIDE = 5.0
"""Inches: 480 CSS pixels, so that the letters can still be read where a telephone shrinks the picture to 360."""
MOST_ROWS = 40
"""Tasks that are drawn; the table has all."""
BLUE, ORANGE = PALETTE[:2]


@contextmanager
def house_style() -> Iterator[None]:
    """Draw in the style of the lessons' figures."""
    with matplotlib.rc_context(STYLE | {"axes.axisbelow": True}):
        yield


def label(text: str) -> str:
    """Return a name for an axis: short, on one line, without matplotlib's mathematics and without missing glyphs."""
    line = visible(text, kept="").replace("$", r"\$")
    line = "".join(one if one.isascii() or one in "äöüÄÖÜßéèàçñ" else "?" for one in line)
    return line if len(line) <= LONGEST_LABEL else f"{line[: LONGEST_LABEL - 3]}..."


def distribution(results: AssignmentResults) -> Plot | None:
    """Draw a histogram of the final points of a class; None if no points are final."""
    points = [one.points for one in results.final]
    if not points or results.maximum <= 0:
        return None
    with house_style():
        fig = Figure(figsize=(WIDE, 2.8))
        ax = fig.subplots()
        counts, edges = np.histogram(points, bins=BINS, range=(0, max(results.maximum, *points)))
        ax.bar(edges[:-1], counts, width=np.diff(edges), align="edge", color=BLUE, edgecolor="white")
        ax.axvline(float(np.median(points)), color=ORANGE, linestyle="--")
        ax.set(xlabel="points", ylabel="students", title="Final points; the dashed line is the median")
        ax.yaxis.set_major_locator(MaxNLocator(integer=True))
        ax.grid(axis="x", visible=False)
        return figure(fig, f"A histogram. {points_in_words(results)}")


def points_in_words(results: AssignmentResults) -> str:
    """Describe the final points of a class in a sentence or two; there may be none."""
    points = sorted(one.points for one in results.final)
    if not points:
        return "No student's points are final yet."
    most = number(results.maximum)
    if len(points) == 1:
        return f"One student has final points: {number(points[0])} of {most}."
    if len(points) < LEAST:
        named = ", ".join(map(number, points[:-1]))
        return f"{len(points)} students have final points, of {most}: {named} and {number(points[-1])}."
    low, middle, high = map(number, quartiles(points))
    full = sum(one >= results.maximum - CLOSE for one in points)
    none = sum(one <= CLOSE for one in points)
    return (
        f"{len(points)} students have final points, of {most}: the median is {middle}, the middle half has {low} to "
        f"{high}, {full} {_has(full)} full points and {none} {_has(none)} none."
    )


def _has(count: int) -> str:
    return "has" if count == 1 else "have"


def difficulty(items: Sequence[TaskItem]) -> Plot | None:
    """Draw the mean share of points in each task, as bars; None if the class is too small for percentages."""
    found = [one for one in items if one.mean.students >= LEAST]
    if not found:
        return None
    hardest, *_, easiest = sorted([*found, *found[:1]], key=lambda one: one.mean.share or 0.0)
    alt = f"Bars of the mean share of points, from {hardest.mean.shown} in {hardest.task}"
    alt += f" to {easiest.mean.shown} in {easiest.task}."
    with house_style():
        fig, ax, shown = _rows(found)
        shares = [min(one.mean.share or 0.0, 1.0) for one in shown]
        ax.barh(range(len(shown)), shares, color=BLUE, height=0.65)
        for place, (one, share) in enumerate(zip(shown, shares, strict=True)):
            ax.text(share + 0.02, place, one.mean.shown, va="center")
        ax.set(xlim=(0, 1.18), title="Difficulty: mean share of points")
        ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"])
        return figure(fig, alt)


def discrimination(items: Sequence[TaskItem]) -> Plot | None:
    """Draw each task's discrimination with its interval; None if the class is too small for any."""
    found = [one for one in items if one.discrimination.value is not None]
    if not found:
        return None
    key: Callable[[TaskItem], float] = lambda one: one.discrimination.value or 0.0  # noqa: E731
    least, most = min(found, key=key), max(found, key=key)
    alt = (
        f"Points with intervals of each task's discrimination, from {signed(key(least))} in {least.task} "
        f"to {signed(key(most))} in {most.task}."
    )
    with house_style():
        fig, ax, shown = _rows(items)
        for place, one in enumerate(shown):
            if one.discrimination.value is not None:
                ax.plot([one.discrimination.low, one.discrimination.high], [place, place], "-", color=BLUE)
                ax.plot([one.discrimination.value], [place], "o", color=BLUE)
        ax.axvline(0, color=ORANGE, linestyle="--")
        ax.set(xlim=(-1, 1.05), title="Discrimination, with 95% intervals")
        return figure(fig, alt)


def _rows(items: Sequence[TaskItem]) -> tuple[Figure, Any, list[TaskItem]]:
    """Return a figure with its axes, a row for each task, the first at the top, and the tasks that are drawn."""
    shown = [*items][:MOST_ROWS]
    fig = Figure(figsize=(WIDE, 1.0 + 0.26 * len(shown)))
    ax = fig.subplots()
    ax.set_yticks(range(len(shown)), [label(one.task) for one in shown])
    ax.set_ylim(len(shown) - 0.4, -0.6)
    ax.grid(axis="y", visible=False)
    return fig, ax, shown


def side_by_side(every: Sequence[Week]) -> Plot | None:
    """Draw assignments side by side: shares of points as boxes above, hand-ins as bars below; None below two."""
    if len(every) < 2:
        return None
    alt = "Two plots, an assignment a column. " + " ".join(map(_in_words, every))
    places = range(1, len(every) + 1)
    with house_style():
        fig = Figure(figsize=(max(WIDE, 0.75 * len(every) + 1.2), 4.6))
        above, below = fig.subplots(2, 1, sharex=True, height_ratios=[3, 2])
        if drawn := [(place, one.final) for place, one in zip(places, every, strict=True) if one.final]:
            above.boxplot(
                [final for _, final in drawn],
                positions=[place for place, _ in drawn],
                widths=0.5,
                whis=(0, 100),
                medianprops={"color": ORANGE, "linewidth": 2.5},
            )
        above.set(ylim=(-0.05, 1.05), title="Shares of the final points: median, middle half, extremes")
        above.set_yticks([0, 0.5, 1], ["0%", "50%", "100%"])
        below.bar(places, [one.handed_in.count for one in every], color=BLUE, width=0.5)
        below.set(title="Students who handed in", ylim=(0, max(1, *(one.handed_in.of for one in every)) * 1.05))
        below.yaxis.set_major_locator(MaxNLocator(integer=True))
        below.set_xticks(places, [label(one.assignment) for one in every], rotation=30, ha="right")
        for ax in (above, below):
            ax.grid(axis="x", visible=False)
        return figure(fig, alt)


def _in_words(week: Week) -> str:
    quartiles = week.quartiles
    points = f"median {quartiles[1]:.0%} of the points" if quartiles else "no final points"
    return f"{week.assignment}: {week.handed_in.count} of {week.handed_in.of} handed in, {points}."
