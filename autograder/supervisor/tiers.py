"""Three tiers of protection for the machine, of which the supervisor finds the highest that works by trying."""

from __future__ import annotations

import enum
import os
import sys

MEANING = {
    "a": "Tier a: student code runs in a world of its own; unknown people's notebooks may be graded here.",
    "b": "Tier b: student code is kept from files, network and other processes, but it sees which files exist, and "
    "shares this machine's disk for temporary files; grade people you know.",
    "c": "Tier c: verdicts are still reached outside the student's process, BUT NOTHING PROTECTS THIS MACHINE beyond "
    "limits on time and memory; grade people you trust, or inside a container.",
}
"""The meaning of each tier, in a sentence for instructors."""


class Tier(enum.StrEnum):
    """The protection around student code. In every tier the verdict is reached outside its process."""

    NAMESPACES = "a"
    """Namespaces, a root of its own, Landlock, seccomp, limits."""
    LANDLOCK = "b"
    """Landlock, seccomp, limits."""
    PROCESS = "c"
    """A process with limits."""


HIGHEST = "AUTOGRADER_SANDBOX_TIER"
"""Environment variable with the highest tier to use, "b" or "c", as tests set it."""


class NoSandboxError(RuntimeError):
    """No sandbox can be made on this system; the message says what works on it instead."""


def check_system() -> None:
    """Refuse a system where no process can be started with the two pipes that lead to the grader.

    Raises:
        NoSandboxError: if this is Windows.
    """
    if sys.platform == "win32":
        raise NoSandboxError(
            "On Windows no saved notebook can be run and judged. In an open notebook, check() and hint() work; for the "
            "rest, install the course in WSL, the Windows Subsystem for Linux."
        )


def highest_wanted() -> Tier:
    """Return the highest tier that this process may use.

    Raises:
        ValueError: if the environment variable names no tier.
    """
    if sys.platform != "linux":
        return Tier.PROCESS
    value = os.environ.get(HIGHEST, Tier.NAMESPACES)
    try:
        return Tier(value)
    except ValueError:
        raise ValueError(f"{HIGHEST} is {value!r}; it names a tier, which is one of a, b and c") from None


def from_highest(wanted: Tier) -> list[Tier]:
    """Return a tier and those below it, best first."""
    tiers = list(Tier)
    return tiers[tiers.index(wanted) :]
