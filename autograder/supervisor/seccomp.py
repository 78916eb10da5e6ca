"""The system calls that student code may make; all others are refused with an ordinary OSError.

libseccomp compiles the list once, before any fork, and each sandbox loads the compiled filter.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.supervisor import gpu
from autograder.supervisor.kernel_calls import ALL_NAMESPACES, PR_SET_SECCOMP, prctl

if TYPE_CHECKING:
    import pyseccomp

LIST = Path(__file__).with_suffix(".toml")

TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX = 0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451
HARMLESS_PRCTL = {"GET_PDEATHSIG": 2, "GET_DUMPABLE": 3, "SET_NAME": 15, "GET_NAME": 16, "GET_NO_NEW_PRIVS": 39}
HARMLESS_PRCTL |= {"SET_TIMERSLACK": 29, "CAPBSET_READ": 23, "GET_SECCOMP": 21, "SET_VMA": 0x53564D41}
AF_UNIX, SOCK_STREAM, SOCK_SEQPACKET, SOCK_TYPE = 1, 1, 5, 0xF
MSG_OOB = 1
CLONE_PTRACE, CLONE_PARENT, CLONE_UNTRACED, CLONE_IO = 0x2000, 0x8000, 0x800000, 0x80000000
REFUSED_CLONE_FLAGS = ALL_NAMESPACES | CLONE_PTRACE | CLONE_PARENT | CLONE_UNTRACED | CLONE_IO
"""Flags that neither a thread nor a fork needs."""
CSIGNAL = 0xFF
ADVICE = (0, 1, 2, 3, 4, 8, 10, 11, 14, 15, 16, 17, 18)
"""Allowed madvise(2) advice: on access patterns, freeing and forks, but not on merging, paging out or poisoning."""
F_GETPIPE_SZ, F_DUPFD_CLOEXEC = 1032, 1030
FCNTL = (*range(5), F_DUPFD_CLOEXEC, F_GETPIPE_SZ)
"""Allowed fcntl(2) commands, F_DUPFD to F_SETFL included; others set locks, signals, leases and pipe sizes."""


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def compiled(*, signals: bool = True, owners: bool = True, truncating: bool = True, device: str = "cpu") -> bytes:
    """Compile the list into a BPF filter.

    Args:
        signals: whether to allow `kill`, which is safe only if something else keeps signals inside the sandbox.
        owners: whether to allow what only a file's owner may do, which is safe only if the grader's files are not its.
        truncating: whether to allow `truncate`, which is safe only if something else keeps the grader's files whole.
        device: the type of device that sandboxes compute on; CUDA talks to its driver through ioctl.

    Raises:
        ImportError, OSError, RuntimeError: if libseccomp is missing or refuses.
    """
    import pyseccomp  # here, because it needs libseccomp.so, which not every machine has

    rules = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.EPERM))
    actions = {"allow": pyseccomp.ALLOW, "unknown": pyseccomp.ERRNO(errno.ENOSYS)}
    actions["owners"] = pyseccomp.ALLOW if owners else pyseccomp.ERRNO(0)
    actions |= {kind: pyseccomp.ALLOW for kind, safe in (("signals", signals), ("truncating", truncating)) if safe}
    for group in tomllib.loads(LIST.read_text(encoding="utf-8")).values():
        for kind, names in group.items():
            for name in names.split():
                if kind in actions:
                    _add(rules, actions[kind], name)
    arg, equal, masked = pyseccomp.Arg, pyseccomp.EQ, pyseccomp.MASKED_EQ
    for number in (0, signal.SIGCHLD):  # signal at its end: none from a thread, SIGCHLD from a fork
        _add(rules, pyseccomp.ALLOW, "clone", arg(0, masked, REFUSED_CLONE_FLAGS | CSIGNAL, number))
    for advice in ADVICE:
        _add(rules, pyseccomp.ALLOW, "madvise", arg(2, masked, 0xFFFFFFFF, advice))
    for request in (TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX):
        _add(rules, pyseccomp.ALLOW, "ioctl", arg(1, masked, 0xFFFFFFFF, request))
    if device == gpu.CUDA:
        _allow_cuda(rules)
    for option in HARMLESS_PRCTL.values():
        _add(rules, pyseccomp.ALLOW, "prctl", arg(0, masked, 0xFFFFFFFF, option))
    for name in ("prlimit64", "sched_setaffinity"):  # its own, not another process's
        _add(rules, pyseccomp.ALLOW, name, arg(0, masked, 0xFFFFFFFF, 0))
    for command in FCNTL:
        _add(rules, pyseccomp.ALLOW, "fcntl", arg(1, masked, 0xFFFFFFFF, command))
    # asyncio's loop wakes itself through a socket pair, which reaches no other process. No other socket can be made.
    _add(rules, pyseccomp.ALLOW, "socketpair", arg(0, equal, AF_UNIX), arg(1, masked, SOCK_TYPE, SOCK_STREAM))
    _add(rules, pyseccomp.ALLOW, "sendto", arg(3, masked, MSG_OOB, 0), arg(4, equal, 0))
    _add(rules, pyseccomp.ALLOW, "recvfrom", arg(3, masked, MSG_OOB, 0))
    with open(os.memfd_create("system-calls"), "w+b") as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


def _allow_cuda(rules: pyseccomp.SyscallFilter) -> None:
    """Allow the driver's ioctl requests; Landlock and the view decide which files they can reach.

    It also listens on a socket of its own, without which there is no context; nothing here can connect to one.
    """
    import pyseccomp

    arg, equal, masked = pyseccomp.Arg, pyseccomp.EQ, pyseccomp.MASKED_EQ
    _add(rules, pyseccomp.ALLOW, "ioctl", arg(1, masked, 0xFF00, gpu.IOCTL_TYPE))
    _add(rules, pyseccomp.ALLOW, "ioctl", arg(1, masked, 0xFFFFFFFF & ~(gpu.UVM_REQUESTS - 1), 0))
    for request in gpu.UVM_SPECIAL:
        _add(rules, pyseccomp.ALLOW, "ioctl", arg(1, masked, 0xFFFFFFFF, request))
    _add(rules, pyseccomp.ALLOW, "mbind")
    _add(rules, pyseccomp.ALLOW, "socket", arg(0, equal, AF_UNIX), arg(1, masked, SOCK_TYPE, SOCK_SEQPACKET))
    for name in ("bind", "listen"):
        _add(rules, pyseccomp.ALLOW, name)


def _add(rules: pyseccomp.SyscallFilter, action: int, name: str, *arguments: pyseccomp.Arg) -> None:
    import pyseccomp

    try:
        number = pyseccomp.resolve_syscall(pyseccomp.system_arch(), name)
    except ValueError:
        return
    if number >= 0:  # negative if this architecture or libseccomp lacks the call
        rules.add_rule(action, name, *arguments)


def load(program: bytes) -> None:
    """Apply a compiled filter to this process for good. Needs no_new_privs."""
    kept = _Program(len(program) // 8, program)
    prctl(PR_SET_SECCOMP, 2, ctypes.addressof(kept))
