"""A matplotlib figure as an image with alternative text.

The inline backend shows figures without alternative text, at whatever size the screen suggests, and with
ids that change from run to run. `figure` ends a cell instead::

    plt.style.use(STYLE)
    fig, ax = plt.subplots()
    ax.plot(steps, losses)
    figure(fig, alt="Loss over 200 steps: it falls from 0.31 to 0.002 and stays there.")
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.pictures.picture import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#000000")
"""Colours that colour-blind readers can tell apart (Okabe and Ito), the two strongest first."""

_LINES = ("-", "--", "-.", ":", "-", "--")  # lines differ not only in colour

STYLE: dict[str, object] = {
    "figure.figsize": (6.4, 3.6),
    "figure.facecolor": "white",  # a transparent figure has black text on a dark theme
    "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans",  # matplotlib brings it, so it is the same on every machine
    "font.size": 10,
    "axes.prop_cycle": f"cycler('color', {PALETTE}) + cycler('linestyle', {_LINES})",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "grid.color": "#d9d9d9",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.8,
    "legend.frameon": False,
}
"""The house style of every lesson: call `plt.style.use(STYLE)` before the first figure."""

_REPRODUCIBLE = {"svg.hashsalt": "autograder", "svg.fonttype": "path"}
_NO_METADATA = {"Date": None, "Creator": None}


@dataclass(frozen=True, repr=False)
class Plot(Picture):
    """A `Picture` of a matplotlib figure, with a width of its own.

    Attributes:
        width: in CSS pixels; a narrower page shrinks the image.
    """

    width: int = 614

    def html(self, alt: str | None = None) -> str:
        """Return one `<img>` with the SVG inside; `alt` defaults to the whole alternative text."""
        return super().html(alt).replace("<img ", f'<img width="{self.width}" ', 1)

    inline = html  # a plot brings its own colours


def figure(fig: Figure, alt: str, *, width: int | None = None) -> Plot:
    """Turn a figure into an image with alternative text; put it last in a cell.

    This closes the figure, so that the inline backend does not show it a second time. Equal figures give
    equal bytes.

    Args:
        fig: The finished figure.
        alt: What it shows, in a sentence or two, for readers who cannot see it. Not empty.
        width: Width on the page in CSS pixels; without it, the figure's own width at 96 pixels an inch.

    Raises:
        TypeError: If `fig` is not a figure, or `alt` not a string.
        ValueError: If `alt` is empty.
    """
    import matplotlib.pyplot as plt  # it takes a second, and most users of this package draw no figure

    if not isinstance(fig, plt.Figure):
        raise TypeError(f"figure() takes a matplotlib figure, as plt.subplots() makes one, not {type(fig).__name__}")
    if not isinstance(alt, str):
        raise TypeError(f"figure(alt=...) takes a sentence that says what the figure shows, not {type(alt).__name__}")
    alt = " ".join(alt.split())
    if not alt:
        raise ValueError("a figure needs alternative text: say in a sentence what it shows")
    buffer = io.StringIO()
    with plt.rc_context(_REPRODUCIBLE):
        fig.savefig(buffer, format="svg", metadata=_NO_METADATA)
    pixels = round(fig.get_figwidth() * 96) if width is None else width
    plt.close(fig)
    return Plot(buffer.getvalue(), alt, pixels)
