"""The site as files: its pages, and what they link to."""

from __future__ import annotations

import functools
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from bs4 import BeautifulSoup

from tests.submissions import COURSE

SITE = COURSE / "build" / "site"
HOST = "http://site.example/"
"""Stands for the site itself while links are resolved."""
MADE_BY_SPHINX = {"genindex.html", "search.html", "py-modindex.html"}
PARTS = {"a": "href", "link": "href", "img": "src", "script": "src", "iframe": "src", "source": "src", "object": "data"}


@functools.cache
def pages() -> tuple[str, ...]:
    """All pages by their paths, "lessons/01_scalar_graphs.html"."""
    found = [path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html")]
    return tuple(sorted(name for name in found if not name.startswith(("_static/", "_sources/"))))


@functools.cache
def page(name: str) -> BeautifulSoup:
    """A page, parsed."""
    return BeautifulSoup((SITE / name).read_text(encoding="utf-8"), "html.parser")


@functools.cache
def anchors(name: str) -> frozenset[str]:
    """What a link to this page may name after its `#`."""
    return frozenset(str(tag.get("id") or tag.get("name")) for tag in page(name).find_all(id=True)) | {"", "top"}


def links(name: str) -> list[tuple[str, str]]:
    """All that a page links to or loads: the tag, and the address as it stands there."""
    return [
        (tag.name, str(tag[PARTS[tag.name]]))
        for tag in page(name).find_all(list(PARTS))
        if tag.get(PARTS[tag.name]) is not None
    ]


def resolved(name: str, address: str) -> tuple[str, str] | None:
    """The file within the site and its fragment; None for an address elsewhere."""
    full = urlsplit(urljoin(HOST + name, address))
    if full.scheme in ("http", "https") and full.netloc == urlsplit(HOST).netloc:
        return unquote(full.path.lstrip("/")) or "index.html", unquote(full.fragment)
    return None


def is_dead(name: str, address: str) -> bool:
    """Whether a link within the site leads nowhere."""
    target = resolved(name, address)
    if target is None:
        return False
    file, fragment = target
    if not (SITE / file).is_file():
        return True
    return file.endswith(".html") and fragment not in anchors(file)


def text(path: Path) -> str:
    """A text file of the site."""
    return path.read_text(encoding="utf-8")
