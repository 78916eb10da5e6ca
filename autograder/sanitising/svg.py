"""An SVG written anew from what is known to be harmless: shapes, text, a clip, a colour run, glyphs drawn once each.

A picture in an `<img>` runs no script, but 1 kB of it can keep a browser busy for hours: `<use>` inside `<use>`
multiplies, filters compute. What is kept here refers to leaves only, so that each element is drawn a counted
number of times, and `cost` bounds the sum. matplotlib's and Graphviz's pictures, and this course's, look the same.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from xml.etree import ElementTree

from defusedxml.ElementTree import iterparse

MOST_ELEMENTS = 20_000
DEEPEST = 40
LONGEST = 500
"""Characters of an attribute that is no path, and of a text."""
LONGEST_SIDE = 4_000
"""Of the picture, in its units; one without sides is shown in the room that there is."""

ELEMENT, CHARACTER, LAYER, DASH = 5_000, 10, 20_000, 10
"""What it costs to draw one, in pixels of a bitmap."""

_SVG = "{http://www.w3.org/2000/svg}"
_XLINK = "{http://www.w3.org/1999/xlink}href"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"

_SHAPES = {
    "path": {"d"},
    "rect": {"x", "y", "width", "height", "rx", "ry"},
    "circle": {"cx", "cy", "r"},
    "ellipse": {"cx", "cy", "rx", "ry"},
    "line": {"x1", "y1", "x2", "y2"},
    "polyline": {"points"},
    "polygon": {"points"},
}
_TEXTS = {name: {"x", "y", "dx", "dy", "rotate"} for name in ("text", "tspan")}
_COLOURS = {
    "linearGradient": {"x1", "y1", "x2", "y2", "gradientUnits", "gradientTransform", "spreadMethod"},
    "radialGradient": {"cx", "cy", "r", "fx", "fy", "gradientUnits", "gradientTransform", "spreadMethod"},
}
_OTHERS = {
    "svg": {"width", "height", "viewBox", "preserveAspectRatio", "version", "role", "aria-label"},
    "g": set(),
    "defs": set(),
    "title": set(),
    "desc": set(),
    "stop": {"offset", "stop-color", "stop-opacity"},
    "use": {"x", "y"},
    "clipPath": {"clipPathUnits"},
    "pattern": {"patternUnits", "x", "y", "width", "height"},
    "image": {"x", "y", "width", "height", "preserveAspectRatio"},
    "style": set(),
}
ATTRIBUTES = _SHAPES | _TEXTS | _COLOURS | _OTHERS
"""Every element that is kept, and its own attributes."""
_LOOKS = """
    fill fill-opacity fill-rule clip-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin
    stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color visibility display paint-order font font-family
    font-size font-style font-weight font-stretch font-variant text-anchor dominant-baseline baseline-shift
    letter-spacing text-decoration writing-mode white-space stop-color stop-opacity clip-path shape-rendering
    text-rendering image-rendering vector-effect
"""
LOOKS = frozenset(_LOOKS.split())
"""Properties that any element may have, as attributes or in its style."""
_INSIDE = {"clipPath": set(_SHAPES), "pattern": set(_SHAPES), "linearGradient": {"stop"}, "radialGradient": {"stop"}}
"""What some elements may hold; a shape in there refers to nothing."""
_TARGETS = {"use": set(_SHAPES), "clip-path": {"clipPath"}, "fill": {"pattern", *_COLOURS}, "stroke": set(_COLOURS)}
"""What may be referred to, from where."""
_VALUE = re.compile(r"(?:[\w\s#%.,+'\"-]|(?:rgb|hsl)a?\([\w\s%.,/+-]*\))*")
_MOVES = re.compile(r"(?:\s*(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([\d\s.,eE+-]*\)[\s,]*)*")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_REFERENCE = re.compile(r"url\(\s*['\"]?#([\w.:-]+)['\"]?\s*\)")
_FOR_ALL = re.compile(r"\s*\*\s*\{([^{}]*)\}\s*")
_LENGTH = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(?:px|pt|em|ex|mm|cm|in|pc)?\s*")


@dataclasses.dataclass(frozen=True)
class Svg:
    """A harmless picture.

    Attributes:
        text: of the file.
        cost: of painting it, in pixels of a bitmap that would cost as much.
    """

    text: str
    cost: float


class _UnknownPictureError(Exception):
    """It is no SVG, or one that no page should be asked to show."""


def inert_svg(source: str, bitmap: Callable[[str], float | None]) -> Svg | None:
    """The picture without what a browser could run, load or labour over; unchanged where this made it.

    Args:
        source: of the file.
        bitmap: what an image inside it costs, by its address; None where it may not be shown.

    Returns:
        None where it is not an SVG, or has too many or too deep elements.
    """
    try:
        return _Writer(_parsed(source), bitmap).svg()
    except (_UnknownPictureError, ElementTree.ParseError, ValueError, LookupError):
        return None  # defusedxml's errors, for entities, are ValueErrors


def _parsed(source: str) -> ElementTree.Element:
    """The tree, in which neither number nor depth of the elements can hurt."""
    root, depth, count = None, 0, 0
    raw = BytesIO(re.sub(r"^\s*<\?xml[^>]*\?>", "", source).encode("utf-8", errors="replace").lstrip())
    for event, element in iterparse(raw, ("start", "end"), forbid_dtd=False, forbid_entities=True):
        if event == "start":
            root = element if root is None else root
            depth, count = depth + 1, count + 1
            if depth > DEEPEST or count > MOST_ELEMENTS:
                raise _UnknownPictureError
        else:
            depth -= 1
    if root is None or _name(root) != "svg":
        raise _UnknownPictureError
    return root


def _name(element: ElementTree.Element) -> str:
    """Of an SVG element, without its namespace; others have none that is known."""
    tag = element.tag
    return tag.removeprefix(_SVG) if isinstance(tag, str) else ""


class _Writer:
    """Writes one picture anew, and counts what painting it costs."""

    def __init__(self, root: ElementTree.Element, bitmap: Callable[[str], float | None]) -> None:
        self._root, self._bitmap, self._cost = root, bitmap, 0.0
        self._ids: dict[str, ElementTree.Element] = {}
        self._prices: dict[tuple[str, float], float] = {}
        for element in self._reachable(root):
            if (own := element.get("id")) is not None:
                self._ids.setdefault(own, element)

    def svg(self) -> Svg:
        made = self._kept(self._root, 0.0, alone=False)
        if made is None:
            raise _UnknownPictureError
        linked = {"xmlns:xlink": _XLINK[1 : _XLINK.index("}")]} if any(map(_is_linked, made.iter())) else {}
        made.attrib = {"xmlns": _SVG[1:-1], **linked, **made.attrib}
        return Svg(ElementTree.tostring(made, encoding="unicode"), self._cost)

    def _reachable(self, element: ElementTree.Element) -> Iterator[ElementTree.Element]:
        """What may be kept, in the order of the file: of two with one id, browsers take the first."""
        if _name(element) in ATTRIBUTES or _name(element) == "a":
            yield element
            for child in element:
                yield from self._reachable(child)

    def _kept(self, element: ElementTree.Element, period: float, *, alone: bool) -> ElementTree.Element | None:
        """An element as it is written; `period` of the dashes around it; `alone`: without references to others."""
        name = _name(element)
        if name == "a":  # Graphviz has links around nodes
            name = "g"
        if name not in ATTRIBUTES or (name == "svg" and element is not self._root):
            return None
        made = ElementTree.Element(name, self._attributes(element, name, alone))
        if name == "style":
            made.text = self._for_all(element.text or "")
            return made if made.text else None
        if name in _TEXTS or name in ("title", "desc"):
            made.text = self._text(element.text)
        if name in ("use", "image") and not _is_linked(made):
            return None
        looks = _looks(made)
        if "stroke-dasharray" in looks:
            period = sum(_numbers(looks["stroke-dasharray"]))
        self._cost += self._price(made, looks, period)
        inside = set() if name in _SHAPES else _INSIDE.get(name, ATTRIBUTES.keys() | {"a"})
        for child in (child for child in element if _name(child) in inside):
            if (kept := self._kept(child, period, alone=alone or name in _INSIDE)) is not None:
                kept.tail = self._text(child.tail) if name in _TEXTS else None
                made.append(kept)
        return made

    def _text(self, text: str | None) -> str:
        return (text or "")[: LONGEST * 10]

    def _attributes(self, element: ElementTree.Element, name: str, alone: bool) -> dict[str, str]:
        kept: dict[str, str] = {}
        for key, value in element.attrib.items():
            value = " ".join(value.split())
            if key == "id":
                if (
                    name in {*_SHAPES, *_INSIDE}
                    and self._ids.get(value) is element
                    and re.fullmatch(r"[\w.:-]+", value)
                ):
                    kept[key] = value
            elif key == "style":
                kept[key] = ";".join(self._declarations(name, value, alone))
            elif key in ("href", _XLINK):
                if (target := self._target(name, value, alone)) is not None:
                    kept["xlink:href"] = target
            elif key == _SPACE:
                kept["xml:space"] = "preserve" if value == "preserve" else "default"
            elif key == "transform":
                if len(value) <= LONGEST and _MOVES.fullmatch(value):
                    kept[key] = value
            elif name == "svg" and key in ("width", "height"):
                if (length := _LENGTH.fullmatch(value)) and float(length[1]) <= LONGEST_SIDE:
                    kept[key] = value
            elif key in LOOKS:
                if (look := self._look(name, key, value, alone)) is not None:
                    kept[key] = look
            elif key in ATTRIBUTES[name] and (key in ("d", "points") or len(value) <= LONGEST):
                kept[key] = value
        return {key: value for key, value in kept.items() if value}

    def _declarations(self, name: str, style: str, alone: bool) -> Iterator[str]:
        for declaration in style.split(";"):
            key, _, value = (part.strip() for part in declaration.partition(":"))
            if key in LOOKS and (look := self._look(name, key, value, alone)) is not None:
                yield f"{key}:{look}"

    def _look(self, name: str, key: str, value: str, alone: bool) -> str | None:
        if found := _REFERENCE.fullmatch(value):
            target = self._ids.get(found[1])
            fits = not alone and target is not None and _name(target) in _TARGETS.get(key, ())
            fits &= key == "clip-path" or name in {*_SHAPES, *_TEXTS, "use"}  # all inside a group would inherit it
            return f"url(#{found[1]})" if fits else "none"
        return value if len(value) <= LONGEST and _VALUE.fullmatch(value) else None

    def _target(self, name: str, value: str, alone: bool) -> str | None:
        if name == "image":
            return value if not alone and self._bitmap(value) is not None else None
        if name != "use" or alone or not value.startswith("#"):
            return None
        target = self._ids.get(value[1:])
        return value if target is not None and _name(target) in _TARGETS["use"] else None

    def _for_all(self, sheet: str) -> str:
        """matplotlib's style sheet, `*{stroke-linejoin: round}`; no other selector is known to be cheap."""
        found = _FOR_ALL.fullmatch(sheet)
        kept = ";".join(self._declarations("style", " ".join(found[1].split()), alone=True)) if found else ""
        return f"*{{{kept}}}" if kept else ""

    def _price(self, made: ElementTree.Element, looks: dict[str, str], period: float) -> float:
        """What drawing this element costs, without its children; what it refers to is drawn for it."""
        price = float(ELEMENT + CHARACTER * (sum(map(len, made.attrib.values())) + 10 * len(made.text or "")))
        if made.tag == "image":
            price += self._bitmap(made.attrib["xlink:href"]) or 0.0
        if made.tag == "use":
            price += self._price_of(made.attrib["xlink:href"][1:], period)
        if "opacity" in looks:
            price += LAYER
        for key in ("clip-path", "fill", "stroke"):
            if found := _REFERENCE.fullmatch(looks.get(key, "")):
                price += LAYER + self._price_of(found[1], 0.0)
        return price + (_dashes(made, period) if period else 0.0)

    def _price_of(self, own: str, period: float) -> float:
        """What an element that others refer to costs each time, its children included."""
        if (own, period) not in self._prices:
            element = self._ids[own]
            spent, self._cost = self._cost, 0.0
            self._kept(element, period, alone=_name(element) in _INSIDE)
            self._prices[own, period], self._cost = self._cost, spent
        return self._prices[own, period]


def _is_linked(made: ElementTree.Element) -> bool:
    return "xlink:href" in made.attrib


def _looks(made: ElementTree.Element) -> dict[str, str]:
    """An element's own properties; those in its style come before its attributes."""
    declarations = (declaration.partition(":") for declaration in made.get("style", "").split(";"))
    return dict(made.attrib) | {key: value for key, _, value in declarations}


def _numbers(text: str) -> list[float]:
    return [abs(float(number)) for number in _NUMBER.findall(text)]


def _dashes(made: ElementTree.Element, period: float) -> float:
    """What dashes along a shape cost; the sum of its numbers bounds its length."""
    shape = " ".join(made.attrib[key] for key in _SHAPES.get(made.tag, ()) if key in made.attrib)
    return DASH * 7 * sum(_numbers(shape)) / period
