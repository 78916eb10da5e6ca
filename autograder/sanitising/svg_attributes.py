"""The SVG attributes that are kept: values of a known form, and references to elements that cost little."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from xml.etree import ElementTree

from autograder.sanitising.svg_allowlist import (
    ATTRIBUTES,
    DASHES,
    IN_STYLE_SHEET,
    INSIDE,
    LENGTH,
    LONGEST,
    LOOKS,
    REFERENCE,
    SHAPES,
    SHEET,
    SPACE,
    TARGETS,
    TEXTS,
    TRANSFORM,
    VALUE,
    XLINK,
)
from autograder.sanitising.svg_reading import name_of

LONGEST_SIDE = 4_000
"""Width or height of an SVG, in its own units; without them it fills the room that there is."""


class Attributes:
    """Filters the attributes of one SVG's elements.

    Attributes:
        ids: by id, the elements that others may refer to.
        bitmap: returns the cost of an image by URL, or None if it may not be shown.
    """

    def __init__(self, ids: dict[str, ElementTree.Element], bitmap: Callable[[str], float | None]) -> None:
        self.ids, self.bitmap = ids, bitmap

    def kept(self, element: ElementTree.Element, name: str, alone: bool) -> dict[str, str]:
        """Return an element's harmless attributes; `alone`: without references to other elements."""
        kept: dict[str, str] = {}
        for key, value in element.attrib.items():
            value = " ".join(value.split())
            if key == "id":
                if name in {*SHAPES, *INSIDE} and self.ids.get(value) is element and re.fullmatch(r"[\w.:-]+", value):
                    kept[key] = value
            elif key == "style":
                kept[key] = ";".join(self._declarations(name, value, alone))
            elif key in ("href", XLINK):
                if (target := self._target(name, value, alone)) is not None:
                    kept["xlink:href"] = target
            elif key == SPACE:
                kept["xml:space"] = "preserve" if value == "preserve" else "default"
            elif key == "transform":
                if len(value) <= LONGEST and TRANSFORM.fullmatch(value):
                    kept[key] = value
            elif name == "svg" and key in ("width", "height"):
                if (length := LENGTH.fullmatch(value)) and float(length[1]) <= LONGEST_SIDE:
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
        if found := REFERENCE.fullmatch(value):
            target = self.ids.get(found[1])
            fits = not alone and target is not None and name_of(target) in TARGETS.get(key, ())
            fits &= key == "clip-path" or name in {*SHAPES, *TEXTS, "use"}  # a group's children would inherit it
            return f"url(#{found[1]})" if fits else "none"
        pattern = DASHES if key == "stroke-dasharray" else VALUE
        return value if len(value) <= LONGEST and pattern.fullmatch(value) else None

    def _target(self, name: str, value: str, alone: bool) -> str | None:
        if name == "image":
            return value if not alone and self.bitmap(value) is not None else None
        if name != "use" or alone or not value.startswith("#"):
            return None
        target = self.ids.get(value[1:])
        return value if target is not None and name_of(target) in TARGETS["use"] else None

    def style_sheet(self, sheet: str) -> str:
        """Return a style sheet reduced to one rule for `*`, as matplotlib writes it; other selectors may be costly."""
        found = SHEET.fullmatch(sheet)
        declarations = self._declarations("style", " ".join(found[1].split()), alone=True) if found else ()
        kept = ";".join(one for one in declarations if one.partition(":")[0] in IN_STYLE_SHEET)
        return f"*{{{kept}}}" if kept else ""


def is_linked(made: ElementTree.Element) -> bool:
    """Return whether an element has a link to another element or to an image."""
    return "xlink:href" in made.attrib


def looks_of(made: ElementTree.Element) -> dict[str, str]:
    """Return an element's presentation properties; its style overrides its attributes."""
    declarations = (declaration.partition(":") for declaration in made.get("style", "").split(";"))
    return dict(made.attrib) | {key: value for key, _, value in declarations}


def undash(made: ElementTree.Element) -> None:
    """Make an element's outline solid, whatever it would inherit."""
    own = [one for one in made.get("style", "").split(";") if one and one.partition(":")[0] != "stroke-dasharray"]
    made.attrib.pop("style", None)
    if own:
        made.set("style", ";".join(own))
    made.set("stroke-dasharray", "none")
