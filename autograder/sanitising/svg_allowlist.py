"""The allow-list of SVG elements, attributes and values."""

from __future__ import annotations

import re

LONGEST = 500
"""Characters of an attribute other than a path's."""

SVG = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}href"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"

SHAPES = {
    "path": {"d"},
    "rect": {"x", "y", "width", "height", "rx", "ry"},
    "circle": {"cx", "cy", "r"},
    "ellipse": {"cx", "cy", "rx", "ry"},
    "line": {"x1", "y1", "x2", "y2"},
    "polyline": {"points"},
    "polygon": {"points"},
}
TEXTS = {name: {"x", "y", "dx", "dy", "rotate"} for name in ("text", "tspan")}
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
ATTRIBUTES = SHAPES | TEXTS | _COLOURS | _OTHERS
"""The elements that are kept, each with its own attributes."""
_LOOKS = """
    fill fill-opacity fill-rule clip-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin
    stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color visibility display paint-order font font-family
    font-size font-style font-weight font-stretch font-variant text-anchor dominant-baseline baseline-shift
    letter-spacing text-decoration writing-mode white-space stop-color stop-opacity clip-path shape-rendering
    text-rendering image-rendering
"""
LOOKS = frozenset(_LOOKS.split())
"""Presentation properties that any element may have, as attributes or in its style."""
IN_STYLE_SHEET = frozenset({"stroke-linejoin", "stroke-linecap"})
"""Properties that a style sheet may set on all elements at once, because they cost nothing."""
INSIDE = {"clipPath": set(SHAPES), "pattern": set(SHAPES), "linearGradient": {"stop"}, "radialGradient": {"stop"}}
"""The children of elements that others refer to; a shape in there refers to nothing."""
TARGETS = {"use": set(SHAPES), "clip-path": {"clipPath"}, "fill": {"pattern", *_COLOURS}, "stroke": set(_COLOURS)}
"""The elements that each kind of reference may lead to."""
# Possessive, because a value that almost fits must not be tried in every way: 30 digits and a `!` would take hours.
VALUE = re.compile(r"(?:(?:rgb|hsl)a?\([\w\s%.,/+-]*+\)|[\w\s#%.,+'\"-])*+")
DASHES = re.compile(r"none|(?:(?:\d++(?:\.\d*+)?|\.\d++)(?:px)?[\s,]*+)++")
"""Dash lengths in the SVG's own units: how long percents, say, would be is unknown here."""
TRANSFORM = re.compile(r"\s*+(?:(?:matrix|translate|scale|rotate|skewX|skewY)\s*+\([\d\s.,eE+-]*+\)[\s,]*+)*+")
REFERENCE = re.compile(r"url\(\s*['\"]?#([\w.:-]+)['\"]?\s*\)")
SHEET = re.compile(r"\s*\*\s*\{([^{}]*)\}\s*")
LENGTH = re.compile(r"\s*+(\d++(?:\.\d++)?)\s*+(?:px|pt|em|ex|mm|cm|in|pc)?\s*+")
