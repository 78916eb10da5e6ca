"""What the pictures of several lessons draw with: the house's colours by name, and arrows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.pictures.figure import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE, ORANGE, GREEN, _, LIGHT_BLUE, _ = PALETTE
GREY = "#57606a"
"""For words and arrows beside the coloured ones; dark enough to be read."""


def arrow(
    ax: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    colour: str = GREY,
    *,
    width: float = 1.6,
    bend: float = 0.0,
    gap: float = 0.0,
) -> None:
    """Draw an arrow.

    Args:
        ax: the axes, in whose coordinates the ends are.
        start, end: the ends.
        colour: of line and head.
        width: of the line, in points.
        bend: how far the line curves to the side, as a fraction of its length.
        gap: what is left free at both ends, in points.
    """
    style = {"arrowstyle": "-|>", "color": colour, "linewidth": width, "connectionstyle": f"arc3,rad={bend}"}
    ax.annotate("", end, start, arrowprops={**style, "shrinkA": gap, "shrinkB": gap})
