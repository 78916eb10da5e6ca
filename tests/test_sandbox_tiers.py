"""A table of attacks, and which tier refuses which: each tier tested with those above it switched off."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pyseccomp
import pytest

from autograder.grader.supervision import supervisor
from autograder.sandbox.limits import MIB, Limits
from autograder.supervisor import choosing
from autograder.supervisor.privileges import FIRST_SANDBOX_USER
from autograder.supervisor.service import Choice
from autograder.supervisor.tiers import Tier
from tests.depth import one_of_each
from tests.sandboxes import said, sandbox, tier
from tests.submissions import COURSE

LIMITS = Limits(memory=512 * MIB, scratch=32 * MIB, file=16 * MIB, processes=32)
REFERENCES = COURSE / "solutions" / "01_scalar_graphs" / "_tasks" / "partials" / "task.py"

NUMBERS = {
    name: pyseccomp.resolve_syscall(pyseccomp.system_arch(), name)
    for name in (
        *("process_vm_readv", "ptrace", "pidfd_open", "unshare", "clone", "mount", "shmget", "io_uring_setup"),
        *("userfaultfd", "keyctl", "perf_event_open", "bpf", "name_to_handle_at"),
    )
}
SYSCALL = f"""
import ctypes
number = {NUMBERS}.get
libc = ctypes.CDLL(None, use_errno=True)
def call(*arguments):
    if libc.syscall(*arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")
"""

# Each attack raises where it is refused, and is followed by the tiers that refuse it; "?" where tier c's answer
# depends on who runs it. {secret}, {folder}, {port} and {grader} are the test's own.
ATTACKS: dict[str, tuple[str, str]] = {
    "read the references": ("ab", f"open({str(REFERENCES)!r}).read()"),
    "read a file of the grader's": ("ab", "open({secret!r}).read()"),
    "list a folder of the grader's": ("ab", "import os; os.listdir({folder!r})"),
    "see that a file exists": ("a", "import os; os.stat({secret!r})"),
    "write beside the grader's files": ("ab", "open({folder!r} + '/planted', 'w').write('x')"),
    "change the package": ("ab", f"open({str(COURSE / 'autograder/__init__.py')!r}, 'a').close()"),
    "change a file's mode": (
        "ab?",
        "import os; os.chmod({secret!r}, 0o646)\nif os.stat({secret!r}).st_mode & 0o777 != 0o646: raise OSError",
    ),
    "change a file's times": (
        "ab?",
        "import os; os.utime({secret!r}, (7, 7))\nif os.stat({secret!r}).st_mtime != 7: raise OSError",
    ),
    "empty a file": ("ab", "import os; os.truncate({secret!r}, 0)"),
    "remove a file": ("ab", "import os; os.remove({secret!r})"),
    "signal the grader": ("ab", "import os; os.kill({grader}, 0)"),
    "signal a sibling's group": ("ab", "import os; os.killpg(os.getpgid({grader}), 0)"),
    "read the grader's environment": ("ab?", "open('/proc/{grader}/environ').read()"),
    "see the grader in /proc": ("ab", "import os; os.listdir('/proc/{grader}')"),
    "open the grader's memory": ("ab?", "open('/proc/{grader}/mem', 'rb')"),
    "read the grader's memory": ("ab?", SYSCALL + "call(number('process_vm_readv'), {grader}, None, 0, None, 0, 0)"),
    "trace the grader": ("ab?", SYSCALL + "call(number('ptrace'), 0x4206, {grader}, 0, 0)"),
    "take the grader's descriptors": ("ab", SYSCALL + "call(number('pidfd_open'), {grader}, 0)"),
    "change the grader's limits": ("ab", "import resource; resource.prlimit({grader}, resource.RLIMIT_CORE)"),
    "choose the grader's processors": (
        "ab?",
        "import os; os.sched_setaffinity({grader}, os.sched_getaffinity({grader}))",
    ),
    "connect over TCP": ("ab", "import socket; socket.create_connection(('127.0.0.1', {port}), 1)"),
    "connect to a Unix socket": (
        "ab",
        "import socket; s = socket.socket(socket.AF_UNIX); s.connect({folder!r} + '/socket')",
    ),
    "a UDP socket": ("ab", "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)"),
    "an IPv6 socket": ("ab", "import socket; socket.socket(socket.AF_INET6)"),
    "a netlink socket": ("ab", "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)"),
    "a vsock socket": ("ab?", "import socket; socket.socket(socket.AF_VSOCK)"),
    "a datagram pair, which could connect on": (
        "ab",
        "import socket; socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    ),
    "a new user namespace": ("ab?", SYSCALL + "call(number('unshare'), 0x10000000)"),
    "a clone into one": (
        "ab?",
        SYSCALL + "import os\nif call(number('clone'), 0x10000011, 0, 0, 0, 0) == 0: os._exit(0)",
    ),
    "a mount": ("ab?", SYSCALL + "call(number('mount'), b'x', b'/tmp', b'tmpfs', 0, None)"),
    "memory without a name": ("ab", "import os; os.memfd_create('x')"),
    "a System V segment": ("ab", SYSCALL + "call(number('shmget'), 0, 4096, 0o1600)"),
    "io_uring": ("ab?", SYSCALL + "call(number('io_uring_setup'), 4, ctypes.create_string_buffer(120))"),
    "userfaultfd": ("ab?", SYSCALL + "call(number('userfaultfd'), 1)"),
    "keyctl": ("ab?", SYSCALL + "call(number('keyctl'), 0, -3, 0)"),
    "perf_event_open": (
        "ab?",
        SYSCALL + "call(number('perf_event_open'), ctypes.create_string_buffer(128), 0, -1, -1, 0)",
    ),
    "bpf": ("ab?", SYSCALL + "call(number('bpf'), 0, ctypes.create_string_buffer(128), 128)"),
    "open a file by its handle": ("ab?", SYSCALL + "call(number('name_to_handle_at'), -100, b'/', None, None, 0)"),
    "a new name for the machine": ("ab?", "import socket; socket.sethostname('mine')"),
    "a device": ("ab?", "import os, stat; os.mknod('device', 0o600 | stat.S_IFBLK, os.makedev(254, 0))"),
    "become root": (
        "ab?",
        "import os; before = os.getuid(); os.setuid(0)\nif os.getuid() == before: raise OSError('as before')",
    ),
    "a capability": (
        "abc",
        "if '0000000000000000' in [l for l in open('/proc/self/status') if l[:6] == 'CapEff'][0]: raise OSError",
    ),
    "a descriptor of somebody else's": (
        "abc",
        "import os\nopen_ones = []\nfor fd in range(5, 256):\n    try: os.fstat(fd); open_ones.append(fd)\n"
        "    except OSError: pass\nif not open_ones: raise OSError",
    ),
    "the grader's environment variables": ("abc", "import os; os.environ['A_SECRET']"),
    "see others' processes": ("ab", "import os\nif sum(n.isdigit() for n in os.listdir('/proc')) < 3: raise OSError"),
    "a gigabyte of memory": ("abc", "x = bytearray(1 << 30)"),
    "a gigabyte of memory in a tensor": ("abc", "import torch; torch.zeros(1 << 28)"),
    "a hundred processes": (
        "abc",
        "import os, time\nfor _ in range(100):\n    if os.fork() == 0:\n        time.sleep(5); os._exit(0)",
    ),
    "a hundred threads": (
        "abc",
        "import threading, time\n"
        "for _ in range(100): threading.Thread(target=time.sleep, args=[2], daemon=True).start()",
    ),
    "a file beyond its size": ("abc", "open('large', 'wb').write(bytes(20 << 20))"),
    "scratch beyond its size": ("a", "for n in range(4): open(f'large{n}', 'wb').write(bytes(10 << 20))"),
    "a core file": ("abc", "import resource\nif resource.getrlimit(resource.RLIMIT_CORE) == (0, 0): raise OSError"),
    "a higher limit": ("abc", "import resource; resource.setrlimit(resource.RLIMIT_AS, (1 << 50, 1 << 50))"),
}


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict]:
    """Things of the grader's that a sandbox should have no part in."""
    folder = tmp_path_factory.mktemp("outside")
    secret = folder / "secret"
    secret.write_text("the seed")
    os.environ["A_SECRET"] = "1"
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(folder / "socket"))
        unix.listen()
        port = tcp.getsockname()[1]
        yield {"secret": str(secret), "folder": str(folder), "grader": os.getpid(), "port": port}
    del os.environ["A_SECRET"]


@pytest.mark.parametrize("highest", one_of_each(["b", "a", "c"], type))  # test_hostile.py attacks tier a
@pytest.mark.parametrize("attack", ATTACKS)
def test_what_a_tier_refuses(highest: str, attack: str, outside: dict) -> None:
    refusing, source = ATTACKS[attack]
    for name, value in outside.items():
        source = source.replace(f"{{{name}!r}}", repr(value)).replace(f"{{{name}}}", str(value))
    Path(outside["secret"]).write_text("the seed")
    with sandbox(highest, LIMITS) as process:
        told = said(process, f"{source}\nprint('succeeded')")
    if highest in refusing:
        assert "succeeded" not in told
        assert "Error" in told
        assert not any(mistake in told for mistake in ("SyntaxError", "NameError", "TypeError", "ModuleNotFound"))
    elif "?" not in refusing:
        assert told.strip().endswith("succeeded")  # or the attack would prove nothing about the tiers above


@pytest.mark.skipif(os.getuid() != 0, reason="only root makes sandboxes of other users")
def test_another_user_reaches_its_scratch_folder() -> None:
    """In tier b, by its path. What else is in the supervisor's folder it cannot list."""
    with tier("b"):  # in tier a the folder is gone, for the new root has its own
        folder = Path(supervisor()._home.name)
    own = folder / "of-this-test"
    own.mkdir(mode=0o700)
    os.chown(own, FIRST_SANDBOX_USER, FIRST_SANDBOX_USER)
    try:
        listing = [subprocess.run(["/bin/ls", path], user=FIRST_SANDBOX_USER).returncode for path in (own, folder)]
    finally:
        own.rmdir()
    assert listing[0] == 0 != listing[1]


@pytest.mark.skipif(os.getuid() != 0, reason="only root owns the machine's devices")
def test_a_devices_mode_stays_where_the_student_has_roots_user_id(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where no other user can read Python's folder; the mode that is asked for is the one that it has."""

    def change_mode(requests: int, replies: int) -> None:
        try:
            os.chmod("/dev/null", 0o666)
            os.write(replies, b"changed")
        except OSError as error:
            with open("/dev/null", "w") as file:  # which is possible all the same
                file.write("x")
            os.write(replies, str(error.errno).encode())

    monkeypatch.setattr(choosing, "_self_test", change_mode)
    choice = Choice(Tier.NAMESPACES, None, choosing._program(Tier.NAMESPACES, None, "cpu"))
    assert choosing._try(choice) == str(errno.EROFS)
