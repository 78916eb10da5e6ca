"""Parse the times that people and programs write: strictly, and nowhere else in this project.

nbgrader's own parser guesses: it takes 10.11.2026 for a day in October, `+0200` after a space for 200 seconds, and a
time in a zone that this machine does not know for UTC.
"""

from __future__ import annotations

import contextlib
import re
from datetime import UTC, datetime, timedelta

from autograder.visible_text import visible

ONE_TIME = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)[T ](?P<hour>\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(?P<zone>Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?",
    re.ASCII,
)
"""ISO 8601 with date and time, and an optional space before the offset, as nbgrader writes it."""
IN_A_NAME = re.compile(r"^(\d{4}-\d\d-\d\d)-(\d\d)-(\d\d)-(\d\d)$", re.ASCII)
"""A time in a file's name, where no colon may be: 2026-11-10-13-30-00, as in nbgrader's documentation."""
EARLIEST, LATEST = datetime(1990, 1, 1), datetime(2200, 1, 1)
"""Limits within which no conversion between time zones overflows, and every page can show the time."""
NO_OFFSET = ("Z", "UTC", "GMT")
FARTHEST = timedelta(hours=14)
"""The largest UTC offset in use anywhere."""
LONGEST = 40


class NotATimeError(ValueError):
    """A text is not a time, or is ambiguous; the message quotes it and says how to write one."""


def parse(text: str) -> datetime:
    """Parse a time into UTC without `tzinfo`, which is how nbgrader stores it; a time without an offset is UTC.

    Raises:
        NotATimeError: if the text is not a time or is ambiguous.
    """
    text = text.strip()
    found = ONE_TIME.fullmatch(IN_A_NAME.sub(r"\1 \2:\3:\4", text))
    if found:
        zone = found["zone"] or "UTC"
        with contextlib.suppress(ValueError, OverflowError):
            time = datetime.fromisoformat(f"{found['day']}T{found['hour']}{'Z' if zone in NO_OFFSET else zone}")
            read = time.astimezone(UTC).replace(tzinfo=None)
            if abs(time.utcoffset() or timedelta()) <= FARTHEST and EARLIEST <= read <= LATEST:
                return read
    quoted = visible(text[:LONGEST] + ("..." if len(text) > LONGEST else ""), kept="")
    raise NotATimeError(
        f"'{quoted}' may mean several times or none: write 2026-11-10 13:30:00 +0200, the year first, with UTC or an "
        "offset"
    )
