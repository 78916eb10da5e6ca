"""Colours of the pictures, which take their ink from the page, so that they follow its theme.

Outlines come from Okabe and Ito's palette for colour-blind readers, as far as they are seen on white and on black;
fills are thin enough for the ink of either. Nothing is told by colour alone: roles differ in outline too, and wrong
numbers have a cross and a dashed frame.
"""

from __future__ import annotations

from autograder.pictures.graph import Role

INK = "currentColor"
"""The page's own colour of text; black where the picture is an image of its own."""
QUIET = 0.75
"""Opacity of what matters less: operations, labels, the key."""
FAINT = 0.3
"""Opacity of rules and of the picture's frame."""
EDGE = "#6b7480"
CURRENT = INK
"""A second, solid frame around the node that a step is at; its last line says so in words."""

# By role: (fill, its opacity, outline, attributes of the outline, corner radius).
OUTLINES = {
    Role.LEAF: ("#0072b2", 0.12, "#0072b2", 'stroke-width="1.6"', 12),
    Role.INNER: ("none", 1, "#7a838c", 'stroke-width="1.3"', 3),
    Role.OUTPUT: ("#e69f00", 0.12, "#a87400", 'stroke-width="1.3"', 3),
    Role.FOLDED: ("#7a838c", 0.12, "#7a838c", 'stroke-width="1.3" stroke-dasharray="2 3"', 3),
    Role.WRONG: ("#d55e00", 0.12, "#d55e00", 'stroke-width="3" stroke-dasharray="8 4"', 3),
}
