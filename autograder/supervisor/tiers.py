"""How much of the machine's protection is really there: three tiers, found by trying."""

from __future__ import annotations

import enum
import os
import sys

MEANING = {
    "a": "Tier a: student code runs in a world of its own; unknown people's notebooks may be graded here.",
    "b": "Tier b: student code is kept from files, network and other processes, but it sees which files exist, and "
    "shares this machine's disk for temporary files; grade people whom you know.",
    "c": "Tier c: verdicts are still made outside the student's process, BUT NOTHING PROTECTS THIS MACHINE beyond "
    "limits on time and memory; grade people whom you trust, or inside a container.",
}
"""What each tier means, in a sentence for an instructor."""


class Tier(enum.StrEnum):
    """What stands around student code. The verdict is made outside its process in all three."""

    NAMESPACES = "a"
    """Namespaces, a root of its own, Landlock, a list of system calls, limits."""
    LANDLOCK = "b"
    """Landlock, a list of system calls, limits."""
    PROCESS = "c"
    """A process with limits."""


HIGHEST = "AUTOGRADER_SANDBOX_TIER"
"""Set to "b" or "c" to use no higher tier than that, as tests do."""


def highest_wanted() -> Tier:
    """The highest tier that this process may use.

    Raises:
        ValueError: for a setting that names none.
    """
    if sys.platform != "linux":
        return Tier.PROCESS
    value = os.environ.get(HIGHEST, Tier.NAMESPACES)
    try:
        return Tier(value)
    except ValueError:
        raise ValueError(f"{HIGHEST} is {value!r}; it names a tier, which is one of a, b and c") from None


def from_highest(wanted: Tier) -> list[Tier]:
    """That tier and those below it, best first."""
    tiers = list(Tier)
    return tiers[tiers.index(wanted) :]
