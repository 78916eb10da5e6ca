"""Colours of the pictures, from Okabe and Ito's palette for all kinds of colour vision.

No colour speaks alone: roles differ in outline too, wrong numbers carry a cross and a thick dashed frame.
"""

from __future__ import annotations

from autograder.pictures.graph import FOLDED, INNER, LEAF, OUTPUT

CARD, CARD_BORDER = "#ffffff", "#d5dae0"
INK, QUIET = "#1b1f24", "#57606a"
EDGE, EDGE_TEXT = "#6b7480", "#3d4650"
GRADIENT = "#0b5c8f"
WRONG, WRONG_FILL = "#a83f00", "#fff1e8"

# role -> (fill, outline, attributes of the outline, corner radius)
OUTLINES = {
    LEAF: ("#e6f1fa", "#0072b2", 'stroke-width="1.6"', 12),
    INNER: ("#ffffff", "#57606a", 'stroke-width="1.3"', 3),
    OUTPUT: ("#fff6de", "#8a6100", 'stroke-width="1.3"', 3),
    FOLDED: ("#f3f4f6", "#8b949e", 'stroke-width="1.3" stroke-dasharray="2 3"', 3),
    "wrong": (WRONG_FILL, WRONG, 'stroke-width="3" stroke-dasharray="8 4"', 3),
}
