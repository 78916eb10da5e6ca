"""The policy: which HTML and TeX of a student's may stand on a page; `links` and `pictures` say which of these.

The sanitiser is nh3, the Python binding of Rust's ammonia: it parses as browsers do (html5ever), knows an
allow-list only, and is maintained, while bleach, which nbconvert still uses, is deprecated by its authors
and leaves `style`, `class` and `id` to whoever writes them.
"""

from __future__ import annotations

import re
from html import unescape

import nh3
from pygments.token import STANDARD_TYPES

from autograder.notebooks.piled_marks import without_piles
from autograder.sanitising.links import link_target
from autograder.sanitising.pictures import picture_in

_LABORIOUS = {"q", "ruby", "rb", "rt", "rp", "rtc"}
"""Of these, browsers lay out a page in the square of their number."""
TAGS = nh3.ALLOWED_TAGS - {"map", "area", "wbr"} - _LABORIOUS  # MathJax reads across a wbr
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

_FILE_BESIDE = re.compile(r"(?!.*\.\.)\w(?:[\w./ -]|%20)*\.(png|jpe?g|gif|webp)", re.IGNORECASE)
_LOADING = r"href|url|class|style|cssId|require|bbox|data|unicode|mmlToken|html\w*"
_DEFINING = r"(?:g|e|x)?def|(?:future)?let|(?:re)?new(?!line)[a-z]+|Newextarrow|providecommand|Declare\w+|definecolor"
r"""MathJax keeps what one formula defines for the whole page: `\def\frac#1#2{...}` rewrote the course's own."""
_SETTING = r"mathtoolsset|usetagform|set[oO]ptions|kernHyps"
_MOVING = r"raise|raisebox|lower|moveleft|moveright|MoveEqLeft|shove(?:left|right)|smash|(?:up|left)root"
_MOVING += r"|(?:math|cramped)?[lrc]lap|[rR]ule|Space"
"""What stands elsewhere than in its place may cover what stands there."""
_GAP = r"[\s\ufeff]*"
"""What JavaScript takes for space: of Python's list, the mark at the start of a file is missing."""
_FAR = rf"{_GAP}(?:-|\+?\d{{3}})"
_DISTANCE = rf"(?:kern|mkern|hskip|mskip|hspace|mspace)(?={_GAP}\*?{_GAP}\{{?{_FAR})|\\(?=\*?\[{_FAR})"
_TEX = re.compile(rf"\\((?:{_LOADING}|{_DEFINING}|{_SETTING}|{_MOVING})(?![a-zA-Z])|{_DISTANCE})")

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
        html, before = inert_tex(without_piles(_CLEANER.clean(html))), html
        if html == before:
            return html
    return inert_tex(nh3.clean_text(html))


def makes_tex_active(html: str) -> bool:
    """Whether MathJax may find such a macro in what a page shows, where entities are characters and tags are none."""
    return bool(_TEX.search(unescape(_TAG.sub("", html))))


def inert_tex(text: str) -> str:
    r"""Text in which MathJax finds no macro that loads, links, defines or moves: `\href` reads `\ href`."""
    return _TEX.sub(lambda found: "\\\\ " if found[1] == "\\" else f"\\ {found[1]}", text)


def image_source(url: str) -> str | None:
    """An image inside the page, or in a file beside the notebook; None for one that asks any server."""
    if (inside := picture_in(url)) is not None:
        return inside.address
    return url if _FILE_BESIDE.fullmatch(url) else None


def _attribute(tag: str, name: str, value: str) -> str | None:
    if name == "src":
        return image_source(value)
    if name == "href":
        return link_target(value)
    if name == "style":
        return ";".join(filter(_DECLARATION.fullmatch, value.split(";")))
    if name in NUMBERS:
        return value if re.fullmatch(r"\d{1,4}%?" if name in ("width", "height") else r"\d{1,2}", value) else None
    return value


_CLEANER = nh3.Cleaner(
    tags=TAGS,
    attributes=ATTRIBUTES,
    attribute_filter=_attribute,
    allowed_classes=CLASSES,
    filter_style_properties=STYLES,
    url_schemes={"http", "https", "mailto", "data"},
)
