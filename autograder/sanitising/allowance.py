"""What all that one notebook shows may cost the browser and the converter of whoever looks at it.

One picture, table or formula is bounded where it is sanitised; a thousand of them are bounded here.
"""

from __future__ import annotations

import dataclasses
import math
import re

from autograder.sanitising.pictures import picture_in

DEEPEST = 100
"""Elements inside each other."""
MOST_ELEMENTS = 20_000
"""Of one output or one cell."""
FORMULA = 10
"""What a formula costs beside its macros, indices and braces."""
_TAG = re.compile(r'<(/?)([a-z][a-z0-9]*)((?:[^">]|"[^"]*")*)>', re.IGNORECASE)
_SOURCE = re.compile(r'src="(data:[^"]*)"')
_VOID = {"br", "hr", "img", "col", "input"}
_DELIMITER = re.compile(r"\$\$?|\\\(|\\\[|\\begin")
_TOKEN = re.compile(r"[\\^_{&]")


@dataclasses.dataclass
class Allowance:
    """What is left of it.

    Attributes:
        deadline: until when Markdown is rendered, by `time.thread_time`: a busy machine costs nobody their Markdown.
        pixels: of pictures, as `Picture.cost` counts them.
        elements: of HTML; each costs nbconvert 80 microseconds, too.
        tex: of formulas, in macros, indices and braces.
    """

    deadline: float = math.inf
    pixels: float = 300_000_000
    elements: int = 60_000
    tex: int = 20_000

    def admits(self, html: str) -> bool:
        """Whether there is room for a piece of inert HTML; what it costs is then taken off."""
        elements, pixels, tex = _elements(html), _pixels(html), tex_cost(html)
        if elements is None or elements > self.elements or not pixels <= self.pixels or tex > self.tex:
            return False
        self.elements, self.pixels, self.tex = self.elements - elements, self.pixels - pixels, self.tex - tex
        return True

    def admits_pixels(self, pixels: float) -> bool:
        """The same of a picture that stands alone."""
        if not pixels <= self.pixels:  # so that what is no number has no room
            return False
        self.pixels -= pixels
        return True


def _elements(html: str) -> int | None:
    """How many elements well-formed HTML has; None where they are too many or too deep."""
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
    """What the pictures inside HTML cost."""
    found = (picture_in(address) for address in _SOURCE.findall(html))
    return sum(picture.cost for picture in found if picture is not None)


def tex_cost(text: str) -> int:
    """What MathJax has to do, where it finds anything to do."""
    formulas = len(_DELIMITER.findall(text)) // 2
    return FORMULA * formulas + len(_TOKEN.findall(text)) if formulas else 0
