"""Landlock: restrict for good which paths a process, and all that it starts, may access."""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from autograder.supervisor.kernel_calls import (
    SYS_landlock_add_rule,
    SYS_landlock_create_ruleset,
    SYS_landlock_restrict_self,
    syscall,
)

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
TRUNCATE = 1 << 14
IOCTL_DEVICE = 1 << 15
READ = EXECUTE | READ_FILE | READ_DIR
NETWORK = 3  # bind and connect TCP
SCOPES = 3  # keep abstract Unix sockets and signals inside the sandbox
_RIGHTS_BY_VERSION = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # number of access rights on files in each ABI version
_ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE


def version() -> int:
    """Return the kernel's Landlock ABI version; 0 if unsupported."""
    try:
        return syscall(SYS_landlock_create_ruleset, None, 0, 1, what="landlock")
    except OSError:
        return 0


def scopes_signals() -> bool:
    """Return whether Landlock can keep signals inside the sandbox (Linux 6.12)."""
    return version() >= 6


def judges_truncating() -> bool:
    """Return whether Landlock can refuse that a file is emptied without being opened (Linux 6.2)."""
    return version() >= 3


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def restrict(
    readable: Iterable[str], writable: Iterable[str], written: Iterable[str], controlled: Iterable[str] = ()
) -> None:
    """Allow access to these paths and refuse everything else; skip paths that do not exist. Needs no_new_privs.

    Args:
        readable: folders and files that may be read.
        writable: folders in which everything is allowed.
        written: existing files that may be read, written and emptied, or folders of such.
        controlled: device files that also accept ioctl.

    Raises:
        OSError: if the kernel has no Landlock.
    """
    known = version()
    everything = (1 << _RIGHTS_BY_VERSION.get(known, 16)) - 1
    rules = _Ruleset(everything, NETWORK if known >= 4 else 0, SCOPES if known >= 6 else 0)
    size = 24 if known >= 6 else 16 if known >= 4 else 8
    ruleset = syscall(SYS_landlock_create_ruleset, ctypes.byref(rules), size, 0, what="landlock")
    try:
        use = READ_FILE | WRITE_FILE
        rewrite = use | TRUNCATE
        groups = ((readable, READ), (writable, everything), (written, rewrite), (controlled, use | IOCTL_DEVICE))
        for paths, rights in groups:
            for path in paths:
                with contextlib.suppress(FileNotFoundError):
                    _allow(ruleset, path, rights & everything)
        syscall(SYS_landlock_restrict_self, ruleset, 0, what="landlock_restrict_self")
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not Path(path).is_dir():
            rights &= _ON_FILES
        rule = _PathBeneath(rights, parent)
        syscall(SYS_landlock_add_rule, ruleset, 1, ctypes.byref(rule), 0, what=f"landlock_add_rule {path}")
    finally:
        os.close(parent)
