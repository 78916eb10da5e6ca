"""The policy: which HTML, links, images and TeX of a student's may stand on a page.

The sanitiser is nh3, the Python binding of Rust's ammonia: it parses as browsers do (html5ever), knows an
allow-list only, and is maintained, while bleach, which nbconvert still uses, is deprecated by its authors
and leaves `style`, `class` and `id` to whoever writes them.
"""

from __future__ import annotations

import base64
import re
from html import unescape
from urllib.parse import unquote, urlsplit

import nh3
from pygments.token import STANDARD_TYPES

TAGS = nh3.ALLOWED_TAGS - {"map", "area", "wbr"}  # MathJax reads across the last of these
ATTRIBUTES = {
    "*": {"title", "style", "dir", "lang", "align"},
    "a": {"href"},
    "img": {"src", "alt", "width", "height"},
    "ol": {"start"},
    "table": {"border"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "details": {"open"},
}
NUMBERS = {"width", "height", "start", "border", "colspan", "rowspan"}
# No class and no id, on which the formgrader's own scripts act, but those of tables and highlighted code.
CLASSES = {"table": {"dataframe"}, "div": {"highlight"}, "span": {name for name in STANDARD_TYPES.values() if name}}
# Nothing that loads, moves out of its place or covers what stands beside it.
STYLES = {"text-align", "vertical-align", "color", "background-color", "font-weight", "font-style", "max-width"}
_DECLARATION = re.compile(r"\s*[\w-]+\s*:[\w\s#%.,!+-]*((rgb|hsl)a?\([\w\s#%.,/+-]*\)[\w\s!]*)?", re.IGNORECASE)
"""In a style: words, lengths and colours, and no other function: `url(...)` loads, `var(...)` is the page's."""

PICTURES = ("png", "jpeg", "gif", "webp", "svg+xml")
"""Image types that may be embedded. As an image, an SVG runs no script and loads nothing."""
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
DATA_IMAGE = re.compile(rf"data:image/({'|'.join(map(re.escape, PICTURES))});base64,[A-Za-z0-9+/=\s]*")
_FILE_BESIDE = re.compile(r"(?!.*\.\.)\w(?:[\w./ -]|%20)*\.(png|jpe?g|gif|webp)", re.IGNORECASE)
_PUBLIC_HOST = re.compile(r"(?:[\w-]+\.)+(?!localhost)[^\W\d][\w-]*")
_TEX = re.compile(r"\\(href|url|class|style|cssId|require|bbox|data|unicode|mmlToken|html\w*)(?![a-zA-Z])")

_TAG = re.compile(r"<[^>]*>")

ACTIVE = re.compile(
    r"<\s*/?\s*(script|iframe|frame|object|embed|form|input|button|select|textarea|meta|link|base|style|svg|math"
    r"|template|video|audio|source|applet|portal)\b|[\s/\"']on\w+\s*=|(java|vb)script:|data:text",
    re.IGNORECASE,
)
"""Recognises what was probably left out, for the note that says so; no decision hangs on it."""
MOST_PASSES = 6
"""Three were needed by what fuzzing found; what does not settle is shown as text."""
NOTE = "Left out of this page, because a browser could run it: scripts, frames, forms or the like."


def inert_html(html: str) -> str:
    """HTML with nothing that runs, loads or poses as a part of the page; well-formed, whatever came in.

    A browser parses what was written here once more, and links around a table move then; and a tag that is left out
    may have stood within a macro's name. So it is cleaned until it stays as it is.
    """
    for _ in range(MOST_PASSES):
        html, before = inert_tex(_CLEANER.clean(html)), html
        if html == before:
            return html
    return inert_tex(nh3.clean_text(html))


def makes_tex_active(html: str) -> bool:
    """Whether MathJax may find such a macro in what a page shows, where entities are characters and tags are none."""
    return bool(_TEX.search(unescape(_TAG.sub("", html))))


def inert_tex(text: str) -> str:
    r"""Text in which MathJax finds no macro that makes links, styles, ids or loads code: `\href` reads `\ href`."""
    return _TEX.sub(r"\\ \1", text)


def link_target(url: str) -> str | None:
    """A link that an instructor may safely be offered, or None.

    Links into the page, and to public hosts over HTTP or mail. Not to files or pages of the server that
    shows the notebook: a GET of `/formgrader?path=...` alone makes nbgrader run the configuration in a folder.
    """
    if re.search(r"[\s\x00-\x1f\\]", url):
        return None
    if url.startswith("#"):
        return url
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return None
    if parts.scheme.lower() == "mailto":
        return url
    public = parts.scheme.lower() in ("http", "https") and _PUBLIC_HOST.fullmatch(host)
    return url if public and "formgrader" not in unquote(unquote(url)).lower() else None


def image_source(url: str) -> str | None:
    """An image inside the page, or in a file beside the notebook; None for one that asks any server."""
    return url if DATA_IMAGE.fullmatch(url) or _FILE_BESIDE.fullmatch(url) else None


def is_base64(text: object) -> bool:
    """Whether this may stand in a `data:` address."""
    return isinstance(text, str) and bool(_BASE64.fullmatch(text))


def svg_image(svg: str, alt: str) -> str:
    """An SVG as an image."""
    data = base64.b64encode(svg.encode("utf-8", errors="replace")).decode("ascii")
    return inert_html(f'<img src="data:image/svg+xml;base64,{data}" alt="{nh3.clean_text(alt)}">')


def _attribute(tag: str, name: str, value: str) -> str | None:
    if name == "src":
        return image_source(value)
    if name == "href":
        return link_target(value)
    if name == "style":
        return ";".join(filter(_DECLARATION.fullmatch, value.split(";")))
    if name in NUMBERS:
        return value if re.fullmatch(r"\d{1,4}%?", value) else None
    return value


_CLEANER = nh3.Cleaner(
    tags=TAGS,
    attributes=ATTRIBUTES,
    attribute_filter=_attribute,
    allowed_classes=CLASSES,
    filter_style_properties=STYLES,
    url_schemes={"http", "https", "mailto", "data"},
)
