"""An SVG written anew from what is known to be harmless: shapes, text, a clip, a colour run, glyphs drawn once each.

A picture in an `<img>` runs no script, but 1 kB of it can keep a browser busy for hours: `<use>` inside `<use>`
multiplies, filters compute. What is kept here refers to leaves only, so that each element is drawn a counted
number of times, and `cost` bounds the sum. matplotlib's and Graphviz's pictures, and this course's, look the same.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from xml.etree import ElementTree

from autograder.sanitising.svg_attributes import Attributes, is_linked, looks_of, undash
from autograder.sanitising.svg_prices import LAYER, Pen, may_be_dashed, price
from autograder.sanitising.svg_reading import UnknownPictureError, name_of, parsed
from autograder.sanitising.svg_words import ATTRIBUTES, INSIDE, LONGEST, REFERENCE, SHAPES, SVG, TEXTS, XLINK


@dataclasses.dataclass(frozen=True)
class Svg:
    """A harmless picture.

    Attributes:
        text: of the file.
        cost: of painting it, in pixels of a bitmap that would cost as much.
    """

    text: str
    cost: float


def inert_svg(source: str, bitmap: Callable[[str], float | None]) -> Svg | None:
    """The picture without what a browser could run, load or labour over; unchanged where this made it.

    Args:
        source: of the file.
        bitmap: what an image inside it costs, by its address; None where it may not be shown.

    Returns:
        None where it is not an SVG, or has too many or too deep elements.
    """
    try:
        return _Writer(parsed(source), bitmap).svg()
    except (UnknownPictureError, ElementTree.ParseError, ValueError, LookupError):
        return None  # defusedxml's errors, for entities, are ValueErrors


class _Writer:
    """Writes one picture anew, and counts what painting it costs."""

    def __init__(self, root: ElementTree.Element, bitmap: Callable[[str], float | None]) -> None:
        self._root, self._bitmap, self._cost = root, bitmap, 0.0
        self._ids: dict[str, ElementTree.Element] = {}
        self._prices: dict[tuple[str, Pen], float] = {}
        for element in self._reachable(root):
            if (own := element.get("id")) is not None:
                self._ids.setdefault(own, element)
        self._attributes = Attributes(self._ids, bitmap)

    def svg(self) -> Svg:
        """Write it."""
        made = self._kept(self._root, Pen(), alone=False)
        if made is None:
            raise UnknownPictureError
        linked = {"xmlns:xlink": XLINK[1 : XLINK.index("}")]} if any(map(is_linked, made.iter())) else {}
        made.attrib = {"xmlns": SVG[1:-1], **linked, **made.attrib}
        return Svg(ElementTree.tostring(made, encoding="unicode"), self._cost)

    def _reachable(self, element: ElementTree.Element) -> Iterator[ElementTree.Element]:
        """What may be kept, in the order of the file: of two with one id, browsers take the first."""
        if name_of(element) in ATTRIBUTES or name_of(element) == "a":
            yield element
            for child in element:
                yield from self._reachable(child)

    def _kept(self, element: ElementTree.Element, pen: Pen, *, alone: bool) -> ElementTree.Element | None:
        """An element as it is written; `pen` of what is around it; `alone`: without references to others."""
        name = name_of(element)
        if name == "a":  # Graphviz has links around nodes
            name = "g"
        if name not in ATTRIBUTES or (name == "svg" and element is not self._root):
            return None
        made = ElementTree.Element(name, self._attributes.kept(element, name, alone))
        if name == "style":
            made.text = self._attributes.for_all(element.text or "")
            return made if made.text else None
        if name in TEXTS or name in ("title", "desc"):
            made.text = self._text(element.text)
        if name in ("use", "image") and not is_linked(made):
            return None
        looks = looks_of(made)
        pen = pen.of(looks)
        if (pen.period or "id" in made.attrib) and name in {*SHAPES, *TEXTS} and not may_be_dashed(made):
            pen = dataclasses.replace(pen, period=0.0)
            undash(made)
        self._cost += self._price(made, looks, pen)
        inside = set() if name in SHAPES else INSIDE.get(name, ATTRIBUTES.keys() | {"a"})
        for child in (child for child in element if name_of(child) in inside):
            if (kept := self._kept(child, pen, alone=alone or name in INSIDE)) is not None:
                kept.tail = self._text(child.tail) if name in TEXTS else None
                made.append(kept)
        return made

    def _text(self, text: str | None) -> str:
        return (text or "")[: LONGEST * 10]

    def _price(self, made: ElementTree.Element, looks: dict[str, str], pen: Pen) -> float:
        """What drawing this element costs, without its children; what it refers to is drawn for it."""
        whole = price(made, pen)
        if made.tag == "image":
            whole += self._bitmap(made.attrib["xlink:href"]) or 0.0
        if made.tag == "use":
            whole += self._price_of(made.attrib["xlink:href"][1:], pen)
        if "opacity" in looks:
            whole += LAYER
        for key in ("clip-path", "fill", "stroke"):
            if found := REFERENCE.fullmatch(looks.get(key, "")):
                whole += LAYER + self._price_of(found[1], Pen())
        return whole

    def _price_of(self, own: str, pen: Pen) -> float:
        """What an element that others refer to costs each time, its children included."""
        if (own, pen) not in self._prices:
            element = self._ids[own]
            spent, self._cost = self._cost, 0.0
            self._kept(element, pen, alone=name_of(element) in INSIDE)
            self._prices[own, pen], self._cost = self._cost, spent
        return self._prices[own, pen]
