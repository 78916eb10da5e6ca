"""What painting an SVG element costs a browser, in pixels of a bitmap that would cost as much."""

from __future__ import annotations

import dataclasses
import re
from xml.etree import ElementTree

from autograder.sanitising.svg_allowlist import SHAPES, TEXTS

ELEMENT, CHARACTER, LAYER, DASH = 5_000, 10, 20_000, 10
CURVE = 400
"""Cost per number of a stroked path with curves: a browser flattens each curve in up to 0.5 ms."""
_MOST = 1e9
_NUMBER = re.compile(r"[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?")
_NUMBERS = re.compile(rf"(?:{_NUMBER.pattern}|[\s,])*+")
_CURVES = re.compile(r"[CcSsQqTtAa]")


@dataclasses.dataclass(frozen=True)
class Pen:
    """The stroke properties that an element inherits and its cost depends on.

    Attributes:
        period: length of the dash pattern; 0 for a solid line.
        stroked: whether there is an outline at all.
    """

    period: float = 0.0
    stroked: bool = False

    def of(self, looks: dict[str, str]) -> Pen:
        """Return the pen of a child element with these properties of its own."""
        dashes = looks.get("stroke-dasharray")
        return Pen(
            self.period if dashes is None else sum(numbers(dashes)),
            self.stroked if "stroke" not in looks else looks["stroke"] != "none",
        )


def numbers(text: str) -> list[float]:
    """Return the magnitudes of an attribute's numbers, each bounded."""
    return [min(abs(float(number)), _MOST) for number in _NUMBER.findall(text)]


def element_cost(made: ElementTree.Element, pen: Pen) -> float:
    """Return what drawing an element costs, without its children and the elements it refers to."""
    whole = float(ELEMENT + CHARACTER * (sum(map(len, made.attrib.values())) + 10 * len(made.text or "")))
    if pen.stroked and _CURVES.search(made.get("d", "")):
        whole += CURVE * len(_NUMBER.findall(made.attrib["d"]))
    if pen.period and made.tag in SHAPES:  # the sum of its numbers bounds the length
        whole += DASH * 7 * sum(numbers(_shape(made))) / pen.period
    return whole


def may_be_dashed(made: ElementTree.Element) -> bool:
    """Return whether an element's length is known, unlike that of text or a shape in percents or inches."""
    return made.tag not in TEXTS and (made.tag == "path" or _NUMBERS.fullmatch(_shape(made)) is not None)


def _shape(made: ElementTree.Element) -> str:
    return " ".join(made.attrib[key] for key in SHAPES.get(made.tag, ()) if key in made.attrib)
