"""What any Markdown parser could make of a source: JupyterLab's and nbconvert's disagree on lists, fences and formulas.

nbconvert saw code in `- ```` and the line after it where JupyterLab saw a picture, and asked its author's server for
it; or the formgrader, which a GET makes run the configuration in a folder. So nothing is asked here of what a parser
finds: an address, a picture or an element that is written anywhere counts, inside code too.
"""

from __future__ import annotations

import re
from html import unescape

from autograder.sanitising.links import link_target

PLAIN_TAG = re.compile(r"</?(b|i|em|strong|u|s|sub|sup|code|kbd|br|hr)\s*/?>", re.IGNORECASE)
"""Elements that do nothing but look."""
_ELEMENT = re.compile(r"<[a-z/!?]", re.IGNORECASE)
_INSIDE = r"attachment:[\w. -]+|data:image/[a-z+]+;base64,[A-Za-z0-9+/=]+|\w[\w./-]*"
_PICTURE = re.compile(rf"!\[[^\[\]`<$\\\n]*\]\((?:{_INSIDE})\)")
"""A picture that every parser reads alike, and finds inside the page or beside the notebook."""
_AUTOMATIC = re.compile(r"<(https?://[^\s<>]*)>", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?:|www\.)[^\s<>()\[\]`'\"]*[^\s<>()\[\]`'\".,;:!?*_~|$}]", re.IGNORECASE)
_OTHER = re.compile(r"(?:java|vb)script\s*:|data:text|\](?:\(|:)\s*<?\s*[/\\]", re.IGNORECASE)
"""Addresses that run, and such as lead to the server of the page."""
_FENCE = re.compile(r"(?:`{3}|~{3})([^\n]*)")


def reads_alike(source: str, pictures: int) -> bool:
    """Whether no parser of Markdown finds anything in a source that nbconvert's does not.

    Args:
        source: Markdown whose rendering by nbconvert is harmless.
        pictures: how many it shows there.
    """
    if not len(_PICTURE.findall(source)) == source.count("![") == pictures:
        return False
    if any(_is_diagram(line) for line in _FENCE.findall(source)):
        return False
    written = _AUTOMATIC.sub(r" \1 ", PLAIN_TAG.sub("", _PICTURE.sub("", source)))
    bare = _ADDRESS.sub("", written)
    element = _ELEMENT.search(bare)
    if element and element.start() < bare.rfind("="):  # without an attribute none loads anything
        return False
    return not _OTHER.search(unescape(written)) and all(map(_is_harmless, _ADDRESS.findall(written)))


def _is_harmless(address: str) -> bool:
    address = unescape(address)
    return link_target(f"http://{address}" if address.lower().startswith("www.") else address) is not None


def _is_diagram(fence: str) -> bool:
    """Whether JupyterLab draws what follows: Mermaid does for minutes what a few lines say."""
    return "mermaid" in re.sub(r"[^a-z]", "", unescape(fence).lower())
