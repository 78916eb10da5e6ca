"""System calls that Python 3.11 does not wrap. Each raises OSError if the kernel refuses."""

from __future__ import annotations

import ctypes
import os
import signal

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
ALL_NAMESPACES = 0x7E020000

MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV = 1, 2, 4
AT_RECURSIVE = 0x8000
OPEN_TREE_CLONE = 1
MADV_COLLAPSE = 25

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_SECUREBITS = 28
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47

# Calls newer than Linux 5.1 have the same numbers on every architecture.
SYS_open_tree, SYS_clone3, SYS_mount_setattr = 428, 435, 442
SYS_landlock_create_ruleset, SYS_landlock_add_rule, SYS_landlock_restrict_self = 444, 445, 446
# Older calls have different numbers.
SYS_pivot_root = {"x86_64": 155, "aarch64": 41}

# PyDLL keeps Python's global lock during a call: after a clone, the child continues in the calling thread.
_libc = ctypes.PyDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(number: int, *arguments: object, what: str) -> int:
    """Make a system call by number; `what` names it in the error."""
    wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _checked(_libc.syscall(ctypes.c_long(number), *wide), what)


def prctl(option: int, *arguments: int) -> int:
    """Call prctl(2)."""
    padded = [ctypes.c_ulong(a) for a in (*arguments, 0, 0, 0, 0)[:4]]
    return _checked(_libc.prctl(option, *padded), f"prctl {option}")


def unshare(flags: int) -> None:
    """Call unshare(2)."""
    _checked(_libc.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Call mount(2)."""
    texts = [text.encode() for text in (source, target, kind)]
    _checked(_libc.mount(*texts, ctypes.c_ulong(flags), options.encode()), f"mount {kind or source} on {target}")


def detach(target: str) -> None:
    """Unmount lazily with umount2(2) and MNT_DETACH: the mount can no longer be reached."""
    _checked(_libc.umount2(target.encode(), MNT_DETACH), f"umount {target}")


def restrict_mounts(target: str, attributes: int) -> None:
    """Set attributes on a mount and all mounts below it with mount_setattr(2)."""
    wanted = (ctypes.c_uint64 * 4)(attributes, 0, 0, 0)
    size = ctypes.sizeof(wanted)
    syscall(SYS_mount_setattr, -100, target.encode(), AT_RECURSIVE, wanted, size, what="mount_setattr")


def pivot_root(new_root: str) -> None:
    """Make `new_root` this process's root and unmount the old one."""
    os.chdir(new_root)
    syscall(SYS_pivot_root[os.uname().machine], b".", b".", what="pivot_root")
    detach(".")
    os.chdir("/")


def enter_copy_of_root() -> None:
    """Change the root to a detached copy of all mounts, so that /proc lists none of them.

    /proc lists those mounts of a namespace that can be reached from the root, with their paths on the machine. The copy
    belongs to no namespace, so the list is empty, while every file stays at its path.
    """
    tree = syscall(SYS_open_tree, -100, b"/", OPEN_TREE_CLONE | AT_RECURSIVE | os.O_CLOEXEC, what="open_tree")
    os.chdir(tree)
    os.close(tree)
    os.chroot(".")


def sethostname(name: str) -> None:
    """Call sethostname(2)."""
    _checked(_libc.sethostname(name.encode(), len(name)), "sethostname")


def collapse(start: int, size: int) -> None:
    """Collapse an address range into huge pages with madvise(2) and MADV_COLLAPSE."""
    _checked(_libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(size), MADV_COLLAPSE), "madvise")


class _CloneArguments(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_uint64)
        for name in ("flags", "pidfd", "child_tid", "parent_tid", "exit_signal", "stack", "stack_size", "tls")
    ]


def fork_into(namespaces: int) -> int:
    """Fork like `os.fork`, with the child in new namespaces; only for a process with a single thread.

    Args:
        namespaces: CLONE_NEW* flags.

    Returns:
        0 in the child, the child's process id in the parent.
    """
    arguments = _CloneArguments(flags=namespaces, exit_signal=signal.SIGCHLD)
    ctypes.pythonapi.PyOS_BeforeFork()
    pid: int = _libc.syscall(ctypes.c_long(SYS_clone3), ctypes.byref(arguments), ctypes.sizeof(arguments))
    if pid == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        return 0
    number = ctypes.get_errno()
    ctypes.pythonapi.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(number, f"clone: {os.strerror(number)}")
    return pid


def capset(capabilities: int) -> None:
    """Set this process's capabilities to exactly these bits with capset(2)."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    low, high = capabilities & 0xFFFFFFFF, capabilities >> 32
    data = (ctypes.c_uint32 * 6)(low, low, 0, high, high, 0)
    _checked(_libc.capset(header, data), "capset")
