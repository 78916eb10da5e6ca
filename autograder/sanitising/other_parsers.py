"""Markdown parser differentials: JupyterLab and nbconvert disagree on lists, fences and formulas.

In `- ```` and the line after it nbconvert saw code where JupyterLab saw an image, which it fetched from its author's
server, or from the formgrader, where a GET runs the configuration in a folder. So no parser decides here: a URL, an
image or an element counts wherever it is written, inside code too.
"""

from __future__ import annotations

import re
from html import unescape

from autograder.sanitising.links import link_target

PLAIN_TAG = re.compile(r"</?(b|i|em|strong|u|s|sub|sup|code|kbd|br|hr)\s*/?>", re.IGNORECASE)
"""A tag of an element that only changes the look of text."""
_ELEMENT = re.compile(r"<[a-z/!?]", re.IGNORECASE)
_INSIDE = r"attachment:[\w. -]+|data:image/[a-z+]+;base64,[A-Za-z0-9+/=]+|\w[\w./-]*"
_IMAGE = re.compile(rf"!\[[^\[\]`<$\\\n]*\]\((?:{_INSIDE})\)")
"""An image that every parser reads alike, embedded in the page or in a file beside the notebook."""
_AUTOMATIC = re.compile(r"<(https?://[^\s<>]*)>", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?:|www\.)[^\s<>()\[\]`'\"]*[^\s<>()\[\]`'\".,;:!?*_~|$}]", re.IGNORECASE)
_OTHER = re.compile(r"(?:java|vb)script\s*:|data:text|\](?:\(|:)\s*+<?\s*+[/\\]", re.IGNORECASE)
"""URLs that run code or lead to the page's own server."""
_FENCE = re.compile(r"(?:`{3}|~{3})([^\n]*)")


def reads_alike(source: str, images: int) -> bool:
    """Return whether no Markdown parser can find active content that nbconvert's does not find.

    Args:
        source: Markdown that nbconvert renders harmlessly.
        images: how many images nbconvert shows.
    """
    if not len(_IMAGE.findall(source)) == source.count("![") == images:
        return False
    if any(_is_diagram(line) for line in _FENCE.findall(source)):
        return False
    written = _AUTOMATIC.sub(r" \1 ", PLAIN_TAG.sub("", _IMAGE.sub("", source)))
    bare = _ADDRESS.sub("", written)
    element = _ELEMENT.search(bare)
    if element and element.start() < bare.rfind("="):  # an element without attributes loads nothing
        return False
    return not _OTHER.search(unescape(written)) and all(map(_is_harmless, _ADDRESS.findall(written)))


def _is_harmless(address: str) -> bool:
    address = unescape(address)
    return link_target(f"http://{address}" if address.lower().startswith("www.") else address) is not None


def _is_diagram(fence: str) -> bool:
    """Return whether JupyterLab draws what follows a fence: a few lines of Mermaid can take it minutes."""
    return "mermaid" in re.sub(r"[^a-z]", "", unescape(fence).lower())
