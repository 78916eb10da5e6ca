"""The library that decides where a link leads reads addresses as the browser does that follows them."""

from __future__ import annotations

import sys
from typing import Any

from autograder.sanitising.links import link_target, read_host
from tests.browser import needs_chromium
from tests.depth import proof
from tests.test_links import LOCAL, PUBLIC

pytestmark = needs_chromium
HOSTS = """urls => urls.map(url => { try {
    const read = new URL(url); return read.username || read.password ? '' : read.hostname.replace(/[.]$/, '');
} catch { return ''; } })"""


def in_browser(browser: Any, urls: list[str]) -> list[str]:
    """The host that Chromium finds in each address; empty where it finds none, or a user's name before it."""
    page = browser.new_page()
    try:
        return page.evaluate(HOSTS, urls)
    finally:
        page.close()


def test_both_find_the_same_hosts(browser: Any) -> None:
    urls = [url for url in (*LOCAL, *PUBLIC) if url.lower().startswith("http")]
    pairs = zip(urls, map(read_host, urls), in_browser(browser, urls), strict=True)
    assert not [pair for pair in pairs if pair[1] and pair[1] != pair[2]]  # where ours finds none, no link stays


@proof
def test_every_character_in_a_link_that_stays_is_read_alike(browser: Any) -> None:
    characters = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF]
    urls = [f"http://a{character}b.example/" for character in characters]
    urls = [url for url in urls if link_target(url) is not None]
    assert len(urls) > 100_000
    differ = [
        (url, here, there)
        for url, here, there in zip(urls, map(read_host, urls), in_browser(browser, urls), strict=True)
        if here != there and there  # where the browser finds none, it goes nowhere
    ]
    assert not differ, (len(differ), differ[:5])
