"""An independent judge of sanitised HTML: parsed as browsers parse, by another parser than the sanitiser's.

It allows what it knows and objects to everything else, and shares neither lists nor code with
`autograder.sanitising`.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

import html5lib

XHTML = "{http://www.w3.org/1999/xhtml}"
_ELEMENTS = """
    a abbr acronym article aside b bdi bdo blockquote br caption center cite code col colgroup data dd del details
    dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li mark nav ol p pre q
    rp rt rtc ruby s samp small span strike strong sub summary sup table tbody td th thead time tr tt u ul var
    tfoot section
"""
_HARMLESS = "title dir lang align alt width height start border colspan rowspan scope open rel"
ELEMENTS, HARMLESS = frozenset(_ELEMENTS.split()), frozenset(_HARMLESS.split())

_IMAGE = re.compile(r"data:image/(png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/=\s]*|[^:/?#\\]*(/[^:/?#\\]+)*")
PROPERTIES = {"", "text-align", "vertical-align", "color", "background-color", "font-weight", "font-style", "max-width"}
FUNCTIONS = {"rgb", "rgba", "hsl", "hsla", "calc", "min", "max"}


def objections(html: str, *, rendered: bool = False) -> list[str]:
    """What in a piece of HTML could run, load or pose as the page, as a browser reads it; nothing where it is inert.

    Args:
        html: a fragment.
        rendered: the pages' Markdown renderer made it, which adds ids, classes and task-list boxes of its own.
    """
    found: list[str] = []
    for scripting in (True, False) if "noscript" in html.lower() else (True,):
        tree = _parsed(html, scripting)
        found += _walk(tree, rendered)
        # Whoever writes the tree down and reads it again must find nothing new: mutations hide in that.
        found += _walk(_parsed(_written(tree), scripting), rendered)
        found += [macro for text in tree.itertext() for macro in _macros(text)]
    return sorted(set(found))


def _parsed(html: str, scripting: bool) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return html5lib.parseFragment(html, container="div", treebuilder="etree", scripting=scripting)


def _written(tree: Any) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return html5lib.serialize(tree, tree="etree", quote_attr_values="always", omit_optional_tags=False)


def _walk(tree: Any, rendered: bool) -> Iterator[str]:
    for element in tree.iter():
        tag = element.tag
        if not isinstance(tag, str):
            yield "a comment"
            continue
        if tag == "DOCUMENT_FRAGMENT":
            continue
        name = tag.removeprefix(XHTML)
        if name == "input" and rendered and element.get("type") == "checkbox" and element.get("disabled") is not None:
            continue
        if name not in ELEMENTS:
            yield f"<{tag}>"
        for attribute, value in element.attrib.items():
            if not _is_inert(name, str(attribute), value, rendered):
                yield f"<{name} {attribute}={value[:60]!r}>"


def _macros(shown: str) -> Iterator[str]:
    """TeX that loads, links or names. MathJax reads on over a comment and a <wbr>, and over no other element."""
    for macro in re.findall(r"\\(?:href|url|class|style|cssId|require|html\w*)(?![a-zA-Z])", shown):
        yield f"TeX's {macro}"


def _is_inert(element: str, name: str, value: str, rendered: bool) -> bool:
    if name in HARMLESS:
        return True
    if name == "href":
        return element == "a" and _is_public(value)
    if name == "src":
        return element == "img" and _IMAGE.fullmatch(value) is not None and ".." not in value.split("/")
    if name == "style":
        properties = {declaration.partition(":")[0].strip() for declaration in value.split(";")}
        functions = set(re.findall(r"([\w-]*)\s*\(", value.lower()))
        return properties <= PROPERTIES and functions <= FUNCTIONS and not re.search(r"[\\@{}]|/\*", value)
    if name == "class":
        return rendered or all(re.fullmatch(r"dataframe|highlight|[a-z]\w?\d?", one) for one in value.split())
    return name == "id" and rendered


def _is_public(url: str) -> bool:
    """A link to elsewhere in the open: not to the server that shows the page, nor to code."""
    if url.startswith("#"):
        return True
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    if parts.scheme == "mailto":
        return True
    host = unicodedata.normalize("NFKC", unquote(parts.hostname or "")).lower().replace("。", ".").rstrip(".")
    here = re.search(r"(^|\.)(localhost|localdomain|local|internal|home\.arpa)$|^[\d.]+$|[\[\]]", host)
    return parts.scheme in ("http", "https") and "." in host and "@" not in parts.netloc and not here
