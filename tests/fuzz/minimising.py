"""A find made small: pieces are cut out for as long as it breaks the same invariant."""

from __future__ import annotations

import importlib
import re
import time

MOST_SECONDS = 20.0


def failure(name: str, data: bytes) -> str | None:
    """What an input breaks in a target: the exception's class and message; None where nothing."""
    try:
        importlib.import_module(f"tests.fuzz.{name}").check(data)
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:300]
    return None


def minimised(name: str, data: bytes, why: str) -> bytes:
    """The smallest input found within some seconds that breaks a target in the same way."""
    deadline, kind = time.monotonic() + MOST_SECONDS, _kind(why)
    size = max(1, len(data) // 2)
    while size:
        at = 0
        while at < len(data):
            if time.monotonic() > deadline:
                return data
            shorter = data[:at] + data[at + size :]
            broken = failure(name, shorter)
            if broken is not None and _kind(broken) == kind:
                data = shorter
            else:
                at += size
        size //= 2
    return data


def _kind(why: str) -> str:
    """The exception's class and the first words of its message, without numbers and quoted texts."""
    return re.sub(r"'.*?'|\d+", "", why)[:40]
