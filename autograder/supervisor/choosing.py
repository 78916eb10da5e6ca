"""Choose the highest tier that works on this machine by making a sandbox in each, before heavy imports."""

from __future__ import annotations

import contextlib
import os
import traceback
from typing import NoReturn

import autograder
from autograder.sandbox.limits import Limits
from autograder.supervisor import kernel_calls, landlock, privileges, seccomp, view
from autograder.supervisor.control_groups import ControlGroups
from autograder.supervisor.service import Choice, Supervisor
from autograder.supervisor.tiers import Tier, from_highest

WORKS = b"works"


def choose(wanted: Tier, device: str = "cpu") -> Choice:
    """Return the first choice that works, trying tiers from `wanted` down and, as root, another user id first.

    Args:
        wanted: the highest tier to try.
        device: the type of device that sandboxes compute on.

    Raises:
        RuntimeError: if not even a process with limits can be made.
    """
    refused: list[str] = []
    users = [privileges.FIRST_SANDBOX_USER, None] if os.getuid() == 0 else [None]
    for tier in from_highest(wanted):
        for user in users:
            reason = ""
            try:
                choice = Choice(tier, user, _program(tier, user, device), device, tuple(refused))
            except (ImportError, OSError, RuntimeError) as error:
                reason = f"{type(error).__name__}: {error}"
            if not reason and not (reason := _try(choice)):
                return choice
            refused.append(f"tier {tier} as {'this user' if user is None else f'user {user}'}: {reason}")
    raise RuntimeError(f"no sandbox can be made: {'; '.join(refused)}")


def _program(tier: Tier, user: int | None, device: str) -> bytes:
    """Compile the filter of system calls while libseccomp is still in view."""
    if tier is Tier.PROCESS:
        return b""
    own = tier is Tier.NAMESPACES or user is not None
    return seccomp.compiled(
        signals=own or landlock.scopes_signals(),
        owners=own,
        truncating=tier is Tier.NAMESPACES or landlock.judges_truncating(),
        device=device,
    )


def enter(tier: Tier, device: str = "cpu") -> None:
    """Enter the surroundings that the supervisor needs to make sandboxes of a tier on a type of device.

    Raises:
        OSError: if the kernel refuses.
    """
    if tier is not Tier.NAMESPACES:
        if tier is Tier.LANDLOCK and not landlock.version():
            raise OSError("the kernel has no Landlock")
        kernel_calls.prctl(kernel_calls.PR_SET_CHILD_SUBREAPER, 1)
        return
    try:
        kernel_calls.unshare(kernel_calls.CLONE_NEWNS)
    except PermissionError:
        user, group = os.getuid(), os.getgid()
        kernel_calls.unshare(kernel_calls.CLONE_NEWUSER | kernel_calls.CLONE_NEWNS)
        for file, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with open(f"/proc/self/{file}", "w") as stream:
                stream.write(text)
    view.enter(device)


def _try(choice: Choice) -> str:
    """Return why a sandbox of this choice cannot be made; an empty string if it can."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        _trial(choice, write)
    os.close(write)
    with open(read, "rb") as stream:
        said = stream.read()
    os.waitpid(pid, 0)
    if said == WORKS:
        return ""
    # A traceback, plain or inside JSON, of which only the last line matters.
    words = said.decode(errors="replace").replace("\\n", "\n").rstrip('"}\n')
    return words.rpartition("\n")[2].rpartition('{"failed":"')[2] or "it ended without a word"


def _trial(choice: Choice, write: int) -> NoReturn:
    try:
        groups = ControlGroups()
        enter(choice.tier, choice.device)
        supervisor = Supervisor(choice, _self_test, groups)
        requests, replies, status = os.pipe(), os.pipe(), os.pipe()
        sandbox = supervisor.start(Limits(), (requests[0], replies[1], status[1]))
        os.close(replies[1])
        os.close(status[1])
        said = _read_all(replies[0]) or _read_all(status[0])
        supervisor.clear(sandbox.pidfd)
        os.write(write, said)
    except BaseException:
        os.write(write, traceback.format_exc().encode())
    finally:
        os._exit(0)


def _read_all(fd: int) -> bytes:
    with open(fd, "rb") as stream:
        return stream.read()


def _self_test(requests: int, replies: int) -> None:
    """Report from inside a sandbox whether Python's files can be read and the scratch folder can be used."""
    try:
        for path in (os.__file__, autograder.__file__):
            with open(path, "rb") as file:
                file.read(1)
        with open("trial", "w") as file:
            file.write("x")
        os.remove("trial")
        os.write(replies, WORKS)
    except OSError as error:  # no traceback, because it would read sources, which may be what failed
        with contextlib.suppress(OSError):
            os.write(replies, f"{type(error).__name__}: {error}".encode())
