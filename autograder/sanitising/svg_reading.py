"""Parsing an untrusted SVG: no entities, no attribute lists, a bounded number and depth of elements."""

from __future__ import annotations

import re
from io import BytesIO
from xml.etree import ElementTree

from defusedxml.ElementTree import iterparse

from autograder.sanitising.svg_allowlist import SVG

MOST_ELEMENTS = 20_000
DEEPEST = 40


class UnsupportedSvgError(Exception):
    """The source is not an SVG, or one that no page should have to show."""


def parse(source: str) -> ElementTree.Element:
    """Return the root element of an SVG.

    Raises:
        UnsupportedSvgError: it is another document, or has too many or too deep elements.
    """
    if "<!ATTLIST" in source:  # would give every element an attribute of a megabyte
        raise UnsupportedSvgError
    root: ElementTree.Element | None = None
    depth = count = 0
    raw = BytesIO(re.sub(r"^\s*<\?xml[^>]*\?>", "", source).encode("utf-8", errors="replace").lstrip())
    for event, element in iterparse(raw, ("start", "end"), forbid_dtd=False, forbid_entities=True):
        if event == "start":
            root = element if root is None else root
            depth, count = depth + 1, count + 1
            if depth > DEEPEST or count > MOST_ELEMENTS:
                raise UnsupportedSvgError
        else:
            depth -= 1
    if root is None or name_of(root) != "svg":
        raise UnsupportedSvgError
    return root


def name_of(element: ElementTree.Element) -> str:
    """Return an SVG element's name without its namespace; others keep theirs, so no allow-list has them."""
    tag = element.tag
    return tag.removeprefix(SVG) if isinstance(tag, str) else ""
