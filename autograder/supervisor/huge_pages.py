"""Move a warm process's memory into huge pages, which halve the cost of a fork."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

from autograder.supervisor.kernel_calls import collapse

SIZE = 2 << 20
_WRITABLE = re.compile(r"([0-9a-f]+)-([0-9a-f]+) rw-p \S+ \S+ 0 +(?!\[stack)")


def collapse_memory() -> int:
    """Collapse this process's private memory into huge pages.

    It takes some tenths of a second, which pays off after about a hundred forks.

    Returns:
        The number of huge pages; 0 if the kernel has none.
    """
    collapsed = 0
    for line in Path("/proc/self/maps").read_text().splitlines():
        if found := _WRITABLE.match(line):
            first, last = -(-int(found[1], 16) // SIZE) * SIZE, int(found[2], 16) // SIZE * SIZE
            for start in range(first, last, SIZE):
                with contextlib.suppress(OSError):  # a region that is shared or mostly empty
                    collapse(start, SIZE)
                    collapsed += 1
    return collapsed
