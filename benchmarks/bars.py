"""Horizontal bars as an SVG picture, with its numbers as text for those who do not see it."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import escape

ROW, LABEL, LONGEST, MARGIN = 22, 270, 380, 10
COLOURS = {"sandbox": "#e69f00", "worker": "#56b4e9", "coordinator": "#009e73"}
"""Of Okabe and Ito's colours, which people with any kind of sight tell apart, by the first word of a label."""


def described(parts: Mapping[str, float]) -> str:
    """Say in words what the bars show, for a picture's alternative text."""
    shares = ", ".join(f"{label} {seconds * 1000:.0f} ms" for label, seconds in parts.items())
    return f"CPU time of one submission, {sum(parts.values()) * 1000:.0f} ms in all: {shares}"


def bars(parts: Mapping[str, float]) -> str:
    """Return a picture with a bar for each part.

    Args:
        parts: seconds by label; a label begins with the process: "worker: judge".
    """
    width, height = LABEL + LONGEST + 90, 2 * MARGIN + ROW * len(parts)
    longest = max(parts.values())
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="13">',
        f"<title>{escape(described(parts))}</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for number, (label, seconds) in enumerate(parts.items()):
        top, length = MARGIN + number * ROW, max(1.0, LONGEST * seconds / longest)
        colour = COLOURS[label.partition(":")[0]]
        lines += [
            f'<text x="{LABEL - 8}" y="{top + 15}" text-anchor="end">{escape(label)}</text>',
            f'<rect x="{LABEL}" y="{top + 3}" width="{length:.1f}" height="{ROW - 6}" fill="{colour}"/>',
            f'<text x="{LABEL + length + 6:.1f}" y="{top + 15}">{seconds * 1000:.1f} ms</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])
