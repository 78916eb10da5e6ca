"""Where a link may lead: to public hosts, by the browsers' own URL parser."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import unquote

import ada_url

_HERE = {"localhost", "localdomain", "localdomain4", "localdomain6", "localhost4", "localhost6"}
_NEAR = {"local", "internal", "intranet", "intra", "lan", "localnet", "home", "corp", "private", "dhcp", "svc"}
_RESERVED = {"test", "invalid", "onion", "alt", "arpa"}
NOT_PUBLIC = _HERE | _NEAR | _RESERVED
"""Last labels of host names that are local, private or reserved; `arpa` covers `home.arpa`."""
_ADDRESS = re.compile(r"https?://(?![/\\])[^\s\x00-\x1f\\]+", re.IGNORECASE)
_NAME = re.compile(r"(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]{1,62}")


def link_target(url: str) -> str | None:
    """Return the URL if an instructor may safely follow it, else None.

    Allowed are links into the page and to public hosts over HTTP or mail, but not to files or pages of the server
    that shows the notebook: a mere GET of `/formgrader?path=...` makes nbgrader run the configuration in a folder.
    """
    if re.search(r"[\s\x00-\x1f\\]", url):
        return None
    if url.startswith("#") or re.match(r"mailto:", url, re.IGNORECASE):
        return url
    if not _ADDRESS.fullmatch(url) or not _is_public(read_host(url)):
        return None
    return None if "formgrader" in unquote(unquote(url)).lower() else url


def read_host(url: str) -> str:
    """Return the host that a browser will ask, by the WHATWG URL standard; empty if there is none or it is disguised.

    Browsers read circled digits as digits, `0x7f.1` as 127.0.0.1 and `%6c` as a letter.
    """
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return ""
    return "" if parsed.username or parsed.password else parsed.hostname.rstrip(".").lower()


def _is_public(host: str) -> bool:
    """Return whether a host is a public name; IP addresses never are."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return bool(_NAME.fullmatch(host)) and host.rsplit(".", 1)[-1] not in NOT_PUBLIC
    return False
