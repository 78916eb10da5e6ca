"""SVG rewritten from an allow-list: shapes, text, clip paths, gradients, and symbols that `<use>` draws again.

An SVG in an `<img>` runs no script, but 1 kB of it can keep a browser busy for hours: `<use>` inside `<use>`
multiplies, filters compute. Kept references lead to leaves only, so the number of times each element is drawn is
known, and `cost` bounds the sum. Images by matplotlib, Graphviz and this course look the same afterwards.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from xml.etree import ElementTree

from autograder.sanitising.svg_allowlist import ATTRIBUTES, INSIDE, LONGEST, REFERENCE, SHAPES, SVG, TEXTS, XLINK
from autograder.sanitising.svg_attributes import Attributes, is_linked, looks_of, undash
from autograder.sanitising.svg_costs import LAYER, Pen, element_cost, may_be_dashed
from autograder.sanitising.svg_reading import UnsupportedSvgError, name_of, parse


@dataclasses.dataclass(frozen=True)
class Svg:
    """A harmless SVG.

    Attributes:
        text: the file's content.
        cost: what painting it costs, in pixels of a bitmap that would cost as much.
    """

    text: str
    cost: float


def inert_svg(source: str, bitmap: Callable[[str], float | None]) -> Svg | None:
    """Return an SVG without anything that a browser could run, load or labour over. The operation is idempotent.

    Args:
        source: the file's content.
        bitmap: returns the cost of an image inside it by URL, or None if it may not be shown.

    Returns:
        None if it is not an SVG, or its elements are too many or nested too deep.
    """
    try:
        return _Writer(parse(source), bitmap).svg()
    except (UnsupportedSvgError, ElementTree.ParseError, ValueError, LookupError):
        return None  # defusedxml raises ValueErrors for entities


class _Writer:
    """Writes one SVG anew and counts what painting it costs."""

    def __init__(self, root: ElementTree.Element, bitmap: Callable[[str], float | None]) -> None:
        self._root, self._bitmap, self._cost = root, bitmap, 0.0
        self._ids: dict[str, ElementTree.Element] = {}
        self._costs: dict[tuple[str, Pen], float] = {}
        for element in self._reachable(root):
            if (own := element.get("id")) is not None:
                self._ids.setdefault(own, element)
        self._attributes = Attributes(self._ids, bitmap)

    def svg(self) -> Svg:
        """Return the rewritten SVG with its cost."""
        made = self._kept(self._root, Pen(), alone=False)
        if made is None:
            raise UnsupportedSvgError
        linked = {"xmlns:xlink": XLINK[1 : XLINK.index("}")]} if any(map(is_linked, made.iter())) else {}
        made.attrib = {"xmlns": SVG[1:-1], **linked, **made.attrib}
        return Svg(ElementTree.tostring(made, encoding="unicode"), self._cost)

    def _reachable(self, element: ElementTree.Element) -> Iterator[ElementTree.Element]:
        """Yield the elements that may be kept, in document order: browsers take the first of two with one id."""
        if name_of(element) in ATTRIBUTES or name_of(element) == "a":
            yield element
            for child in element:
                yield from self._reachable(child)

    def _kept(self, element: ElementTree.Element, pen: Pen, *, alone: bool) -> ElementTree.Element | None:
        """Return the rewritten element, or None if it is dropped; `alone`: without references to other elements."""
        name = name_of(element)
        if name == "a":  # Graphviz has links around nodes
            name = "g"
        if name not in ATTRIBUTES or (name == "svg" and element is not self._root):
            return None
        made = ElementTree.Element(name, self._attributes.kept(element, name, alone))
        if name == "style":
            made.text = self._attributes.style_sheet(element.text or "")
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
        self._cost += self._cost_of(made, looks, pen)
        inside = set() if name in SHAPES else INSIDE.get(name, ATTRIBUTES.keys() | {"a"})
        for child in (child for child in element if name_of(child) in inside):
            if (kept := self._kept(child, pen, alone=alone or name in INSIDE)) is not None:
                kept.tail = self._text(child.tail) if name in TEXTS else None
                made.append(kept)
        return made

    def _text(self, text: str | None) -> str:
        return (text or "")[: LONGEST * 10]

    def _cost_of(self, made: ElementTree.Element, looks: dict[str, str], pen: Pen) -> float:
        """Return what drawing an element costs: without its children, with the elements it refers to."""
        whole = element_cost(made, pen)
        if made.tag == "image":
            whole += self._bitmap(made.attrib["xlink:href"]) or 0.0
        if made.tag == "use":
            whole += self._cost_of_reference(made.attrib["xlink:href"][1:], pen)
        if "opacity" in looks:
            whole += LAYER
        for key in ("clip-path", "fill", "stroke"):
            if found := REFERENCE.fullmatch(looks.get(key, "")):
                whole += LAYER + self._cost_of_reference(found[1], Pen())
        return whole

    def _cost_of_reference(self, own: str, pen: Pen) -> float:
        """Return what drawing a referenced element costs each time, its children included."""
        if (own, pen) not in self._costs:
            element = self._ids[own]
            spent, self._cost = self._cost, 0.0
            self._kept(element, pen, alone=name_of(element) in INSIDE)
            self._costs[own, pen], self._cost = self._cost, spent
        return self._costs[own, pen]
