"""Let a warm process hold its memory in huge pages, which a fork copies at half the cost."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

from autograder.supervisor.syscalls import collapse

SIZE = 2 << 20
_WRITABLE = re.compile(r"([0-9a-f]+)-([0-9a-f]+) rw-p \S+ \S+ 0 +(?!\[stack)")


def gather() -> int:
    """Gather this process's own memory into huge pages.

    It takes some tenths of a second, so it pays where a hundred forks follow.

    Returns:
        How many there are; 0 where the kernel has none.
    """
    gathered = 0
    for line in Path("/proc/self/maps").read_text().splitlines():
        if found := _WRITABLE.match(line):
            first, last = -(-int(found[1], 16) // SIZE) * SIZE, int(found[2], 16) // SIZE * SIZE
            for start in range(first, last, SIZE):
                with contextlib.suppress(OSError):  # a region that is shared, or mostly empty
                    collapse(start, SIZE)
                    gathered += 1
    return gathered
