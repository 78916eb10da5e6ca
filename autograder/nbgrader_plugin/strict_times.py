"""A patch of nbgrader, applied on import, that parses times with `autograder.times`.

It covers due dates, the folder names of submissions and timestamp.txt. No trait changes that.
"""

from __future__ import annotations

import sys
from datetime import datetime

from nbgrader import utils

from autograder.times import parse

nbgraders_parse_utc = utils.parse_utc


def parse_utc(time: datetime | str | None) -> datetime | None:
    """Parse a time as UTC; replaces nbgrader's own function.

    Raises:
        NotATimeError: if a text is ambiguous or not a time.
    """
    if isinstance(time, str):
        return parse(time)
    utc: datetime | None = nbgraders_parse_utc(time)
    return utc


for module in [module for name, module in sys.modules.items() if name.partition(".")[0] == "nbgrader"]:
    if getattr(module, "parse_utc", None) is nbgraders_parse_utc:  # modules loaded later import it from `utils`
        setattr(module, "parse_utc", parse_utc)  # noqa: B010  (no type knows this attribute)
