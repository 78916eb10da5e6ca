"""The policy: which HTML and TeX by a student may stand on a page; `links` and `images` decide on URLs and images.

The sanitiser is nh3, the Python binding of Rust's ammonia: it parses as browsers do (html5ever), knows an
allow-list only, and is maintained, while bleach, which nbconvert still uses, is deprecated by its authors
and passes `style`, `class` and `id` through.
"""

from __future__ import annotations

import re
from html import unescape

import nh3
from pygments.token import STANDARD_TYPES

from autograder.notebooks.combining_marks import limit_marks
from autograder.sanitising.images import image_in_url
from autograder.sanitising.links import link_target

_LABORIOUS = {"q", "ruby", "rb", "rt", "rp", "rtc"}
"""Elements whose layout takes browsers time quadratic in their number."""
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
# The formgrader's scripts act on classes and ids: keep only the classes of tables and highlighted code.
CLASSES = {"table": {"dataframe"}, "div": {"highlight"}, "span": {name for name in STANDARD_TYPES.values() if name}}
# No property that loads a resource, moves its element or covers a neighbour.
STYLES = {"text-align", "vertical-align", "color", "background-color", "font-weight", "font-style", "max-width"}
_DECLARATION = re.compile(r"\s*[\w-]+\s*:[\w\s#%.,!+-]*((rgb|hsl)a?\([\w\s#%.,/+-]*\)[\w\s!]*)?", re.IGNORECASE)
"""A CSS declaration of words, lengths, colours and no other function: `url(...)` loads, `var(...)` is the page's."""

_FILE_BESIDE = re.compile(r"(?!.*\.\.)\w(?:[\w./ -]|%20)*\.(png|jpe?g|gif|webp)", re.IGNORECASE)
_LOADING = r"href|url|class|style|cssId|require|bbox|data|unicode|mmlToken|html\w*"
_DEFINING = r"(?:g|e|x)?def|(?:future)?let|(?:re)?new(?!line)[a-z]+|Newextarrow|providecommand|Declare\w+|definecolor"
r"""MathJax keeps a formula's definitions for the whole page: `\def\frac#1#2{...}` rewrote the course's own."""
_SETTING = r"mathtoolsset|usetagform|set[oO]ptions|kernHyps"
_MOVING = r"raise|raisebox|lower|moveleft|moveright|MoveEqLeft|shove(?:left|right)|smash|(?:up|left)root"
_MOVING += r"|(?:math|cramped)?[lrc]lap|[rR]ule|Space"
"""Macros that move content, which may then cover other content."""
_GAP = r"[\s\ufeff]*+"
"""White space in JavaScript: Python's, and the byte order mark."""
_FAR = rf"{_GAP}(?:-|\+?\d{{3}})"
_DISTANCE = rf"(?:kern|mkern|hskip|mskip|hspace|mspace)(?={_GAP}\*?{_GAP}\{{?{_FAR})|\\(?=\*?\[{_FAR})"
_TEX = re.compile(rf"\\((?:{_LOADING}|{_DEFINING}|{_SETTING}|{_MOVING})(?![a-zA-Z])|{_DISTANCE})")

_TAG = re.compile(r"<[^>]*>")

ACTIVE = re.compile(
    r"<\s*+/?\s*+(script|iframe|frame|object|embed|form|input|button|select|textarea|meta|link|base|style|svg|math"
    r"|template|video|audio|source|applet|portal)\b|[\s/\"']on\w+\s*=|(java|vb)script:|data:text",
    re.IGNORECASE,
)
"""Recognises content that was probably removed, for the note that says so; no decision depends on it."""
_FORMATTING = re.compile(r"<(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)[\s/>]", re.IGNORECASE)
_LASTING = r"(?!(?:br|col|dd|dt|hr|img|input|li|option|p|tbody|td|tfoot|th|thead|tr|wbr)\b)[a-z]"
_OPENING, _CLOSING = (re.compile(start + _LASTING, re.IGNORECASE) for start in ("<", "</"))
"""Tags of elements other than those that are empty, or end where the next one begins."""
MOST_REOPENED = 100_000_000
"""Characters of HTML with formatting, times its tags: 30 kB may have 3,000 tags."""
MOST_OPEN = 2_000
"""Elements that may be open at once."""
MOST_PASSES = 6
"""Passes of the sanitiser; fuzzing needed at most three. HTML that is still changing then is shown as text."""
NOTE = "Left out of this page, because a browser could run it: scripts, frames, forms or the like."


def inert_html(html: str) -> str:
    """Return well-formed HTML in which nothing runs, loads or poses as a part of the page.

    The browser parses this output once more, which moves links around a table; and a removed tag may have split a
    macro's name. So it is cleaned until another pass changes nothing.
    """
    for _ in range(0 if is_laborious(html) else MOST_PASSES):
        html, before = inert_tex(limit_marks(_CLEANER.clean(html))), html
        if html == before:
            return html
    return inert_tex(nh3.clean_text(html))


def is_laborious(html: str) -> bool:
    """Return whether a parser may take minutes or gigabytes for HTML.

    It opens all formatting elements that are still open again in each paragraph, and looks through all open elements
    at each new one. What is written in quotation marks may pose as a tag, so both are estimated from above.
    """
    if _FORMATTING.search(html) and html.count("<") * len(html) > MOST_REOPENED:
        return True
    text = _without_comments(html)  # in which an end tag ends nothing
    return len(_OPENING.findall(text)) - len(_CLOSING.findall(text)) > MOST_OPEN


def _without_comments(html: str) -> str:
    kept, at = list[str](), 0
    while (start := html.find("<!--", at)) >= 0:
        kept.append(html[at:start])
        end = html.find("-->", start)
        at = len(html) if end < 0 else end
    return "".join([*kept, html[at:]])


def makes_tex_active(html: str) -> bool:
    """Return whether MathJax may find a macro of `inert_tex` in HTML, where it reads entities and skips tags."""
    return bool(_TEX.search(unescape(_TAG.sub("", html))))


def inert_tex(text: str) -> str:
    r"""Disarm every TeX macro that loads, links, defines or moves: `\href` becomes `\ href`."""
    return _TEX.sub(lambda found: "\\\\ " if found[1] == "\\" else f"\\ {found[1]}", text)


def image_source(url: str) -> str | None:
    """Return the safe URL of an embedded image or of a file beside the notebook; None for one that asks any server."""
    if (inside := image_in_url(url)) is not None:
        return inside.url
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
