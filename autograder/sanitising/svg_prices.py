"""What painting the parts of an SVG costs a browser, in pixels of a bitmap that would cost as much."""

from __future__ import annotations

import dataclasses
import re
from xml.etree import ElementTree

from autograder.sanitising.svg_words import SHAPES, TEXTS

ELEMENT, CHARACTER, LAYER, DASH = 5_000, 10, 20_000, 10
CURVE = 400
"""For each number of a stroked path with curves, which a browser cuts into lines: up to 0.5 ms a curve."""
_MOST = 1e9
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_NUMBERS = re.compile(rf"(?:{_NUMBER.pattern}|[\s,])*")
_CURVES = re.compile(r"[CcSsQqTtAa]")


@dataclasses.dataclass(frozen=True)
class Pen:
    """How shapes are outlined, as the elements around them say.

    Attributes:
        period: length of one round of dashes; 0 for a line without.
        stroked: whether there is an outline at all.
    """

    period: float = 0.0
    stroked: bool = False

    def of(self, looks: dict[str, str]) -> Pen:
        """The pen of an element with these properties of its own."""
        dashes = looks.get("stroke-dasharray")
        return Pen(
            self.period if dashes is None else sum(numbers(dashes)),
            self.stroked if "stroke" not in looks else looks["stroke"] != "none",
        )


def numbers(text: str) -> list[float]:
    """The numbers in an attribute, without their signs; none is infinite."""
    return [min(abs(float(number)), _MOST) for number in _NUMBER.findall(text)]


def price(made: ElementTree.Element, pen: Pen) -> float:
    """What drawing this element costs, without its children and what it refers to."""
    whole = float(ELEMENT + CHARACTER * (sum(map(len, made.attrib.values())) + 10 * len(made.text or "")))
    if pen.stroked and _CURVES.search(made.get("d", "")):
        whole += CURVE * len(_NUMBER.findall(made.attrib["d"]))
    if pen.period and made.tag in SHAPES:  # the sum of its numbers bounds its length
        whole += DASH * 7 * sum(numbers(_shape(made))) / pen.period
    return whole


def may_be_dashed(made: ElementTree.Element) -> bool:
    """Whether an element's length is known: not of text, nor of a shape in percents or inches."""
    return made.tag not in TEXTS and (made.tag == "path" or _NUMBERS.fullmatch(_shape(made)) is not None)


def _shape(made: ElementTree.Element) -> str:
    return " ".join(made.attrib[key] for key in SHAPES.get(made.tag, ()) if key in made.attrib)
