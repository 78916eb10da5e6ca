"""A link leads to a public host, however its address is written: judged as a browser reads it."""

from __future__ import annotations

import pytest

from autograder.sanitising.html import inert_html
from autograder.sanitising.links import link_target
from autograder.sanitising.markdown import inert_markdown

PUBLIC = [
    "https://pytorch.org/docs/stable/autograd.html?a=b#c",
    "HTTPS://PyTorch.org/",
    "http://bücher.example/",
    "http://xn--bcher-kva.example:8080/",
    "https://例え.テスト例.jp/",
    "https://en.wikipedia.org/wiki/Localhost",
    "https://example.org./",
    "https://a_b.example.org/",
    "mailto:someone@example.org",
    "#here",
]
LOCAL = [
    "http://①②⑦.⓪.⓪.①:8888/",
    "http://⑫７.0.0.1/",
    "http://ｌｏｃａｌｈｏｓｔ:8888/",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
    "http://foo.ｌocalhost/",
    "http://local\u00adhost/",
    "http://local\u200bhost.localhost/",
    "http://hub.ℒocalhost/",
    "http://127。0。0。1/",
    "http://127｡1/",
    "http://a.b@①②⑦.⓪.⓪.①/",
    "http://%6c%6f%63%61%6c%68%6f%73%74/",
    "http://%31%32%37.0.0.1/",
    "http://x.%6c%6f%63%61%6c%68%6f%73%74/",
    "http://localhost./",
    "http://x.localhost./",
    "http://x.localhost/",
    "http://x.LOCALHOST/",
    "http://localhost.localdomain/",
    "http://127.0.0.1./",
    "http://127.1/",
    "http://0/",
    "http://0.0.0.0/",
    "http://0x7f.1/",
    "http://0x7F000001/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://2130706433/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::]/",
    "http://[fe80::1]/",
    "http://10.0.0.1/",
    "http://printer.local/",
    "http://jupyter.internal/",
    "http://router.home.arpa/",
    "http://router.lan/",
    "http://localhost.localdomain4:8888/",
    "http://localhost6.localdomain6:8888/",
    "http://x.localhost4/",
    "http://hub.default.svc/",
    "http://hub.intra/",
    "http://hub.localnet/",
    "http://hub.dhcp/",
    "http://1.0.0.127.in-addr.arpa/",
    "http://hub.onion/",
    "http://hub.invalid/",
    "http://[0:0:0:0:0:ffff:127.0.0.1]/",
    "http://127.0.0.1%2f@example.org/",
    "http://example.org%00.localhost/",
    "http://x.localhost\u3002/",
    "http://printer.\u2113ocal/",
    "http://jupyter/",
    "http:/formgrader/",
    "http:evil.example/formgrader",
    "http:///evil.example/",
    "//evil.example/",
    "http://user:password@evil.example/",
    "http://pytorch.org@evil.example/",
    "http://evil.example\\@pytorch.org/",
    "http://evil.example/\t/",
    "ht\ntp://localhost/",
    "http://hub.example.org/%2566ormgrader",
    "ftp://example.org/",
    "file://example.org/etc/passwd",
    "http://",
    "http://exa mple.org/",
    "http://[",
    "http://example.org:99999/",
]


@pytest.mark.parametrize("url", PUBLIC)
def test_a_public_link_stays(url: str) -> None:
    assert link_target(url) == url
    assert inert_markdown(f"[x](<{url}>)") == f"[x](<{url}>)"


@pytest.mark.parametrize("url", LOCAL, ids=ascii)
def test_a_link_to_here_or_to_neighbours_is_no_link(url: str) -> None:
    assert link_target(url) is None
    assert "href" not in inert_html(f'<a href="{url}">x</a>')
    assert "href" not in inert_markdown(f'<a href="{url}">x</a>')
