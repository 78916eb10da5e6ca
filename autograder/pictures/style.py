"""Colours of the pictures, from Okabe and Ito's palette for colour-blind readers.

Nothing is told by colour alone: roles differ in outline too, and wrong numbers have a cross and a dashed frame.
"""

from __future__ import annotations

from autograder.pictures.graph import Role

CARD, CARD_BORDER = "#ffffff", "#d5dae0"
INK, QUIET = "#1b1f24", "#57606a"
EDGE, EDGE_TEXT = "#6b7480", "#3d4650"
GRADIENT = "#0b5c8f"
WRONG, WRONG_FILL = "#a83f00", "#fff1e8"
CURRENT = "#1b1f24"
"""A second, solid frame around the node that a step is at; its last line says so in words."""

# By role: (fill, outline, attributes of the outline, corner radius).
OUTLINES = {
    Role.LEAF: ("#e6f1fa", "#0072b2", 'stroke-width="1.6"', 12),
    Role.INNER: ("#ffffff", "#57606a", 'stroke-width="1.3"', 3),
    Role.OUTPUT: ("#fff6de", "#8a6100", 'stroke-width="1.3"', 3),
    Role.FOLDED: ("#f3f4f6", "#8b949e", 'stroke-width="1.3" stroke-dasharray="2 3"', 3),
    Role.WRONG: (WRONG_FILL, WRONG, 'stroke-width="3" stroke-dasharray="8 4"', 3),
}
