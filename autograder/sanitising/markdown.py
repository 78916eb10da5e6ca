"""Markdown cells and outputs: unchanged if nbconvert renders them without active content, else sanitised HTML.

nbconvert's renderer decides: it runs once as the pages use it, and once with raw HTML as text and links by the
policy. If both agree, there is nothing to remove, and code spans, maths, tables and attached images stay as the
student wrote them. JupyterLab has another parser, so Markdown that parsers may read differently is sanitised too.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection
from html import unescape
from typing import Any

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.filters.strings import strip_files_prefix

from autograder.notebooks.combining_marks import limit_marks
from autograder.sanitising.allowance import Allowance
from autograder.sanitising.html import ACTIVE, NOTE, image_source, inert_html, inert_tex, makes_tex_active
from autograder.sanitising.links import link_target
from autograder.sanitising.other_parsers import PLAIN_TAG, reads_alike

MOST_CHARACTERS = 10_000
"""Characters in one cell, without embedded images; a longer cell is shown as text, cut off."""
MOST_GROWTH = 6
"""How many times longer than its source HTML may be: an escaped `&` has five characters."""
MOST_SECONDS = 0.7
"""CPU time for rendering one cell: some texts cost the renderer the square of their length."""
MOST_ATTACHED = 20_000_000
"""Characters of attached images in a page, which holds a copy for each reference."""
_DATA_IMAGE = re.compile(r"data:image/[a-z+]+;base64,[A-Za-z0-9+/=\s]*")
_HEADING_ID = re.compile(r'^<h\d id="([^"]*)"')
HIGHLIGHTED = {"python", "python3", "py", "pycon", "text"}
"""Languages of code blocks that nbconvert may highlight: some of Pygments' lexers need hours for one long line."""
LONGEST_LINE = 1_000
CUT = "... the rest is in the submission"
Attachments = dict[str, dict[str, str]]
"""By file name, the data by MIME type."""


class _Pages(IPythonRenderer):
    """The pages' renderer, except that it leaves code of most languages without colours, and remembers that."""

    left_plain = False

    def block_code(self, code: str, info: str | None = None) -> str:
        """Render a code block, running no lexer that a student may choose."""
        if set((info or "text").lower().split()[:1]) <= HIGHLIGHTED:
            return str(super().block_code(code, info))
        self.left_plain = True
        return str(super(IPythonRenderer, self).block_code(code, info))


class _Strict(_Pages):
    """The same, except that raw HTML is text and links and images follow the policy."""

    def __init__(self, reserved: Collection[str], **kwargs: Any) -> None:
        super().__init__(escape=True, **kwargs)
        self._reserved = reserved

    def inline_html(self, html: str) -> str:
        return html if PLAIN_TAG.fullmatch(html) else str(super().inline_html(html))

    def text(self, text: str) -> str:
        """Escape text as the pages do, which leaves well-formed entities."""
        return str(IPythonRenderer(escape=False).text(text))

    def link(self, text: str, url: str, title: str | None = None) -> str:
        return super().link(text, url if link_target(url) else "#", title)

    def image(self, text: str, url: str, title: str | None = None) -> str:
        source = self._embed_image_or_attachment(url)
        return super().image(text, url if image_source(source) == source else "", title)

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        html = super().heading(text, level, **attrs)
        found = _HEADING_ID.match(html)
        return html.replace(found[0], f"<h{level}", 1) if found and found[1] in self._reserved else html


def inert_markdown(
    source: str,
    attachments: Attachments | None = None,
    reserved: Collection[str] = (),
    allowance: Allowance | None = None,
) -> str:
    """Return Markdown that nbconvert renders without active content.

    Args:
        source: a student's Markdown.
        attachments: the cell's, in nbformat's form, already reduced to images.
        reserved: element ids that belong to the page and that no heading may take.
        allowance: the notebook's, from which the cost is subtracted; after its deadline all Markdown becomes text.

    Returns:
        The source itself if it is harmless; else one line of sanitised HTML; else, if it cannot be rendered or does
        not fit, its text as a code block.
    """
    allowance = Allowance() if allowance is None else allowance
    if _is_text(source):
        return source
    if _is_reduced(source):
        return source if allowance.admits(source) else as_text(source)
    source = inert_tex(limit_marks(source))
    if time.thread_time() > allowance.deadline:
        return as_text(source)
    if len(_DATA_IMAGE.sub("", source)) > MOST_CHARACTERS:
        return as_text(f"{source[:MOST_CHARACTERS]}\n{CUT}")
    if source.count("attachment:") * _longest(attachments) > MOST_ATTACHED:
        return as_text(source)
    started = time.thread_time()
    try:
        made = _shown(source, attachments, reserved, allowance)
    except Exception:  # a missing attachment or too deep nesting, which nbconvert could not render either
        made = None
    return made if made is not None and time.thread_time() - started < MOST_SECONDS else as_text(source)


def _longest(attachments: Attachments | None) -> int:
    return max((len(data) for bundle in (attachments or {}).values() for data in bundle.values()), default=0)


def _shown(source: str, attachments: Attachments | None, reserved: Collection[str], allowance: Allowance) -> str | None:
    rendered = _harmless(source, attachments, reserved)
    if rendered is not None:
        return source if allowance.admits(rendered) else None
    reduced = _reduced(source, attachments)
    return reduced if _is_reduced(reduced) and allowance.admits(reduced) else None


def as_text(source: str) -> str:
    """Return a text as a fenced code block of Markdown.

    Very long lines are broken, because nbconvert's search for links takes time quadratic in their length.
    """
    lines = source.split("\n")
    source = "\n".join(line[at : at + LONGEST_LINE] for line in lines for at in range(0, len(line) or 1, LONGEST_LINE))
    runs = [len(run) for run in re.findall("`+", source)]
    fence = "`" * max([3, *(length + 1 for length in runs)])
    return f"{fence}text\n{source}\n{fence}"


def _is_text(source: str) -> bool:
    """Return whether a source is a result of `as_text`."""
    made = re.fullmatch(r"(`{3,})text\n(.*)\n\1", source, re.DOTALL)
    return made is not None and as_text(made[2]) == source


def _harmless(source: str, attachments: Attachments | None, reserved: Collection[str]) -> str | None:
    """Return the HTML that nbconvert renders from harmless Markdown; None if it is not harmless."""
    rendered = _render(source, pages := _Pages(escape=False, attachments=attachments))
    if pages.left_plain or not reads_alike(source, rendered.count("<img ")):
        return None
    if makes_tex_active(rendered) or limit_marks(shown := unescape(rendered)) != shown:
        return None
    return rendered if rendered == _render(source, _Strict(reserved, attachments=attachments)) else None


def _is_reduced(source: str) -> bool:
    """Return whether a source is one line of HTML that neither the sanitiser nor the pages' renderer changes."""
    if not source.startswith("<div>") or len(_DATA_IMAGE.sub("", source)) > MOST_GROWTH * MOST_CHARACTERS:
        return False
    if _one_line(inert_html(source)) != source:
        return False
    return _render(source, pages := _Pages(escape=False)).rstrip("\n") == source and not pages.left_plain


def _render(source: str, renderer: IPythonRenderer) -> str:
    return str(strip_files_prefix(MarkdownWithMath(renderer=renderer).render(source)))


def _reduced(source: str, attachments: Attachments | None) -> str:
    rendered = _render(source, _Pages(escape=False, attachments=attachments))
    note = f"<p><em>{NOTE}</em></p>" if ACTIVE.search(source) else ""
    return _one_line(inert_html(f"<div>{note}{rendered}</div>"))


def _one_line(html: str) -> str:
    """Return HTML as one line, because an empty line would end a block of HTML in Markdown."""
    return html.strip().replace("\r", "").replace("\n", "&#10;")
