"""A static HTML page that holds students' texts: it loads nothing, runs nothing, and shows what is invisible.

The Content Security Policy of a page allows its own style, no script and no connection, and no image unless the page
brings it along.
"""

from __future__ import annotations

from html import escape

from autograder.visible_text import visible

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
OWN_IMAGES = "; img-src data:"


def page(title: str, body: str, style: str, head: str = "", images: bool = False) -> str:
    """Return a whole page.

    Args:
        title: text.
        body: HTML.
        style: CSS.
        head: HTML for the head.
        images: whether the page holds images of its own, as data.
    """
    policy = POLICY + (OWN_IMAGES if images else "")
    first = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
    first += '<meta name="viewport" content="width=device-width, initial-scale=1">'
    first += f'<meta name="robots" content="noindex">{head}<title>{shown(title)}</title>'
    return (
        f'<!doctype html>\n<html lang="en"><head>{first}<style>{style}</style></head>\n'
        f"<body>\n<main>\n{body}\n</main>\n</body></html>\n"
    )


def shown(text: str) -> str:
    """Return a text that a student may have chosen for a page: escaped, with invisible characters spelled out."""
    return escape(visible(text))
