"""A notebook's rendering budget: what all of its content together may cost nbconvert and a reader's browser.

A single image, table or formula is bounded where it is sanitised; a thousand of them are bounded here.
"""

from __future__ import annotations

import dataclasses
import math
import re

from autograder.sanitising.images import image_in_url

DEEPEST = 100
"""Nesting depth of HTML elements."""
MOST_ELEMENTS = 20_000
"""HTML elements in one output or one cell."""
FORMULA = 10
"""Fixed cost of a formula, on top of its macros, indices and braces."""
_TAG = re.compile(r'<(/?)([a-z][a-z0-9]*)((?:[^">]|"[^"]*+")*+)>', re.IGNORECASE)
_SOURCE = re.compile(r'src="(data:[^"]*)"')
_VOID = {"br", "hr", "img", "col", "input"}
_DELIMITER = re.compile(r"\$\$?|\\\(|\\\[|\\begin")
_TOKEN = re.compile(r"[\\^_{&]")


@dataclasses.dataclass
class Allowance:
    """What remains of a notebook's rendering budget.

    Attributes:
        deadline: when rendering Markdown stops, in `time.thread_time`, so that a busy machine costs nobody their
            Markdown.
        pixels: for images, in the unit of `EmbeddedImage.cost`.
        elements: HTML elements; each costs nbconvert 80 microseconds, too.
        tex: for formulas, in the unit of `tex_cost`.
    """

    deadline: float = math.inf
    pixels: float = 300_000_000
    elements: int = 60_000
    tex: int = 20_000

    def admits(self, html: str) -> bool:
        """Return whether a piece of inert HTML fits into the budget, and if so, subtract its cost."""
        elements, pixels, tex = _elements(html), _pixels(html), tex_cost(html)
        if elements is None or elements > self.elements or not pixels <= self.pixels or tex > self.tex:
            return False
        self.elements, self.pixels, self.tex = self.elements - elements, self.pixels - pixels, self.tex - tex
        return True

    def admits_pixels(self, pixels: float) -> bool:
        """Return whether a standalone image of this cost fits, and if so, subtract its cost."""
        if not pixels <= self.pixels:  # `not <=` also refuses NaN
            return False
        self.pixels -= pixels
        return True


def _elements(html: str) -> int | None:
    """Count the elements of well-formed HTML; None if they are too many or nested too deep."""
    count = depth = 0
    for closing, name, _ in _TAG.findall(html):
        if closing:
            depth -= 1
            continue
        count += 1
        if name.lower() not in _VOID:
            depth += 1
        if depth > DEEPEST or count > MOST_ELEMENTS:
            return None
    return count


def _pixels(html: str) -> float:
    """Add up what the images embedded in HTML cost."""
    found = (image_in_url(url) for url in _SOURCE.findall(html))
    return sum(image.cost for image in found if image is not None)


def tex_cost(text: str) -> int:
    """Estimate MathJax's work on a text in macros, indices and braces; 0 if it holds no formula."""
    formulas = len(_DELIMITER.findall(text)) // 2
    return FORMULA * formulas + len(_TOKEN.findall(text)) if formulas else 0
