"""Sandboxes begin, are interrupted, end, and leave nothing behind; so does their supervisor."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from unittest import mock

import pytest

from autograder.grader import supervision
from autograder.grader.sandbox_process import SandboxEndedError, SandboxProcess
from autograder.grader.supervision import SupervisorError, supervisor
from autograder.sandbox.limits import MIB, Limits
from autograder.supervisor import service
from autograder.supervisor.control_groups import ROOT as CONTROL_GROUPS
from autograder.supervisor.control_groups import ControlGroups
from autograder.supervisor.requests import LONGEST, WARM
from autograder.supervisor.service import Choice, Supervisor
from autograder.supervisor.tiers import HIGHEST, Tier
from tests.depth import one_of_each, proof
from tests.sandboxes import TIERS, said, sandbox, tier

DAEMON = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
os.makedirs("deep/" + "x/" * 40)
os.chmod("deep", 0)
open("left.txt", "w").write("x" * 1000)
keep = [open("left.txt") for _ in range(20)]
print("done")
"""


def descendants(pid: int) -> set[int]:
    """All processes below one, zombies included."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(status.parent.name)] = int(status.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def traces(pid: int) -> dict[str, object]:
    """What sandboxes could leave: processes, descriptors, mounts, folders, control groups."""
    environment = dict(v.split("=", 1) for v in Path(f"/proc/{pid}/environ").read_text().split("\0") if v)
    groups = [name for _, names, _ in os.walk(CONTROL_GROUPS) for name in names]  # it passes over what goes meanwhile
    return {
        "processes": descendants(pid),
        "descriptors of the supervisor": len(os.listdir(f"/proc/{pid}/fd")),
        "descriptors of the grader": len(os.listdir("/proc/self/fd")),
        "mounts of the supervisor": Path(f"/proc/{pid}/mounts").read_text(),
        "mounts": Path("/proc/mounts").read_text(),
        "folders": {str(path) for path in Path(environment["TMPDIR"]).glob("sandbox-*")},
        "control groups": [name for name in groups if name.startswith(f"autograder-{pid}-")],
    }


@pytest.mark.parametrize("highest", one_of_each(TIERS, type))
def test_nothing_is_left_behind(highest: str) -> None:
    with sandbox(highest):
        pass
    with tier(highest):
        pid = supervisor().pid
    time.sleep(0.1)
    before = traces(pid)
    for _ in range(3):
        with sandbox(highest) as process:
            assert "done" in said(process, DAEMON)
            guard_and_student = 2
            left = 0 if highest == "a" else 3  # a cell's own end with it where signals stay inside
            assert len(descendants(pid)) >= guard_and_student + left
    deadline = time.monotonic() + 5
    while traces(pid) != before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert traces(pid) == before


@pytest.mark.parametrize("highest", one_of_each(TIERS, type))
def test_a_forks_copy_answers_nothing(highest: str) -> None:
    with sandbox(highest) as process:
        assert said(process, "import os\nos.fork()\nprint('first')") == "first\n"
        assert said(process, "print('second')") == "second\n"
        assert said(process, "print(len(os.listdir('.')))") == "0\n"


def test_what_a_cell_starts_ends_with_it() -> None:
    bomb = "import os, time\nend = time.monotonic() + 1\nwhile time.monotonic() < end:\n    os.fork()"
    files = "import pathlib\nfiles = list(pathlib.Path('/proc').glob('[0-9]*/stat'))"
    running = f"{files}\nprint([file.parts[2] for file in files if ' Z ' not in file.read_text()])"
    with sandbox("a", Limits(processes=20)) as process:
        for cell in (DAEMON, bomb, "import subprocess\nleft = subprocess.Popen(['sleep', '600'])"):
            said(process, cell)
            assert said(process, running) == "['2']\n"  # itself


@pytest.mark.parametrize("highest", one_of_each(TIERS, type))
@pytest.mark.parametrize("cell", ["while True: pass", "import time; time.sleep(99)", "!sleep 99"])
def test_a_cell_over_its_time_is_interrupted(highest: str, cell: str) -> None:
    with sandbox(highest) as process:
        reply, _, late = process.request({"op": "run", "source": cell}, seconds=0.3)
        assert late
        assert "Interrupt" in str(reply["outputs"])
        assert said(process, "1 + 1") == "2"


@pytest.mark.parametrize(
    ("highest", "cell"),
    one_of_each(
        [
            ("a", "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"),
            ("a", "import signal; signal.signal(signal.SIGINT, lambda *a: None)\nwhile True: pass"),
            ("a", "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass"),
            ("a", "import time\nwhile True:\n    try: time.sleep(9)\n    except BaseException: pass"),
            *((tier, "sum(range(10**12))") for tier in TIERS),
            *((tier, "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)") for tier in TIERS),
        ],
        type,
        several=True,
    ),
)
def test_a_cell_deaf_to_the_interrupt_is_killed(highest: str, cell: str) -> None:
    with sandbox(highest) as process:
        said(process, "1")
        begun = time.monotonic()
        with pytest.raises(SandboxEndedError) as ended:
            process.request({"op": "run", "source": cell}, seconds=0.2)
        assert ended.value.kind == "time"
        assert time.monotonic() - begun < 6


def test_a_handler_from_one_cell_does_not_save_the_next() -> None:
    with sandbox() as process:
        said(process, "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)")
        _, _, late = process.request({"op": "run", "source": "while True: pass"}, seconds=0.3)
        assert late
        assert said(process, "2 + 2") == "4"


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("import os; os._exit(7)", "exited with status 7"),
        ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
        ("import os; os.abort()", "SIGABRT"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL"),
        ("import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 2))\nwhile True: pass", "CPU time"),
        ("import os, struct; os.write(4, struct.pack('>4sIQ', b'grad', 1 << 20, 1 << 40))", "what is no reply"),
        ("import os; os.write(4, b'no frame at all, whatever it is')", "what is no reply"),
        ("import os; os.close(3); os.close(4)", "pipe|exited"),
    ],
)
def test_the_reason_is_told(cell: str, reason: str) -> None:
    with sandbox() as process, pytest.raises(SandboxEndedError, match=reason) as ended:
        process.request({"op": "run", "source": cell}, seconds=20)
    assert ended.value.kind == "killed"


def test_a_sandbox_that_does_not_listen_costs_its_time() -> None:
    stop = "import os, signal, threading, time\n"
    stop += "threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGSTOP]).start()"
    with sandbox() as process:
        said(process, stop)
        time.sleep(0.6)
        with pytest.raises(SandboxEndedError) as ended:
            process.request({"op": "ask", "question": {}}, bytes(8 << 20), seconds=0.5)
    assert ended.value.kind == "time"


def test_the_graders_ends_of_the_pipes_do_not_block() -> None:
    """Student code can open both pipes again, and take away what `select` saw."""
    with SandboxProcess() as process:
        assert not os.get_blocking(process._channel.read_fd)
        assert not os.get_blocking(process._channel.write_fd)
        assert said(process, "print('x' * 300_000)").count("x") == 300_000


def test_replies_have_a_size_and_a_sum() -> None:
    big = "from IPython.display import display\ndisplay({'text/plain': 'x' * 900_000}, raw=True)"
    with sandbox(limits=Limits(reply=MIB // 2)) as process, pytest.raises(SandboxEndedError):
        process.request({"op": "run", "source": big}, seconds=20)
    with sandbox(limits=Limits(output=2 * MIB)) as process:
        for _ in range(2):
            process.request({"op": "run", "source": big}, seconds=20)
        with pytest.raises(SandboxEndedError, match="larger than"):
            process.request({"op": "run", "source": big}, seconds=20)


def test_memory_has_a_sum() -> None:
    if not supervisor().facts.memory_capped_in_total:
        pytest.skip("the kernel lets this user limit no sum of memory")
    hungry = "import os\nfor _ in range(8):\n    if os.fork() == 0:\n        x = bytearray(100 << 20); os._exit(9)\n"
    count = "print([os.waitstatus_to_exitcode(os.wait()[1]) for _ in range(8)])"
    parallel = hungry.replace("os._exit(9)", "import time; time.sleep(1); os._exit(9)")
    with sandbox(limits=Limits(memory=300 * MIB)) as process:
        try:
            told = said(process, parallel + count)
        except SandboxEndedError as end:
            told = end.reason
        assert "-9" in told or "SIGKILL" in told


def test_sandboxes_know_nothing_of_each_other() -> None:
    with sandbox() as one, sandbox() as two:
        said(one, "secret = 1; open('mine', 'w').write('x')")
        assert "NameError" in said(two, "secret")
        assert said(two, "import os; print(os.listdir('.'))").strip() == "[]"
        assert said(two, "print(sorted(n for n in os.listdir('/proc') if n.isdigit()))").strip() in (
            "['2']",
            "['1', '2']",
        )


def test_random_numbers_differ() -> None:
    draw = "import random, numpy, torch; print(random.random(), numpy.random.rand(), torch.rand(1).item())"
    with sandbox() as one, sandbox() as two:
        first, second = said(one, draw).split(), said(two, draw).split()
    assert all(a != b for a, b in zip(first, second, strict=True))


@proof
def test_a_supervisor_that_answers_too_late_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its late answer would be taken for that to the next request, and so on to the end of the run."""
    monkeypatch.setattr(supervision, "START_SECONDS", 0.05)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        theirs.send(b'{"tier": "c", "user": null, "refused": [], "memory_capped_in_total": false}')
        late = supervision.Supervisor(ours)
        with pytest.raises(SupervisorError, match="does not answer"):
            late.start(Limits(), [0])
        assert not late.alive


def test_sandboxes_of_two_owners_have_different_users(monkeypatch: pytest.MonkeyPatch) -> None:
    """They run at the same time, and who shares a user id may end the other."""
    groups = ControlGroups()
    forking = service.Supervisor(service.Choice(Tier.PROCESS, None, b""), lambda *_: None, groups)
    groups.close()
    monkeypatch.setattr(service.Supervisor, "serve", lambda self, owner: owner.send(bytes([next(self._users)])))
    firsts = []
    for _ in range(2):
        ours, theirs = socket.socketpair()
        with ours, socket.socket() as owner:
            forking._serve_another(owner, theirs.detach())
            firsts.append(ours.recv(1)[0])
        os.wait()
    assert len({next(forking._users), *firsts}) == 3


def test_a_supervisor_that_died_is_replaced() -> None:
    with sandbox() as process:
        said(process, "1")
        os.kill(supervisor().pid, signal.SIGKILL)
        with pytest.raises(SandboxEndedError, match="from outside"):
            process.request({"op": "run", "source": "import time; time.sleep(9)"}, seconds=20)
    with sandbox() as process:
        assert said(process, "1 + 1") == "2"


@proof
@pytest.mark.parametrize("highest", TIERS)
def test_everything_ends_with_the_grader(highest: str, tmp_path: Path) -> None:
    script = (
        "import os, signal\nfrom autograder.grader.sandbox_process import SandboxProcess\n"
        "from autograder.grader.supervision import supervisor\n"
        "p = SandboxProcess(); p.request({'op': 'run', 'source': '1'}, seconds=20)\n"
        "print(supervisor().pid, flush=True); input()"
    )
    grader = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {HIGHEST: highest, "TMPDIR": str(tmp_path)},
    )
    pid = int(grader.stdout.readline())
    processes = {pid} | descendants(pid)
    assert len(processes) == 3
    grader.kill()
    grader.communicate()
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{p}").exists() for p in processes) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(Path(f"/proc/{p}").exists() for p in processes)
    assert not list(tmp_path.iterdir())


def test_a_package_that_starts_a_thread_is_told_and_ends_its_supervisor() -> None:
    warm, (ours, theirs) = mock.Mock(side_effect=RuntimeError("a package started threads")), socket.socketpair()
    own = Supervisor(Choice(Tier.PROCESS, None, b""), mock.Mock(), mock.Mock(), warm_package=warm)
    with ours, theirs:
        ours.send(WARM + b"sklearn")
        assert own._answer(theirs) == 0
        ours.send(json.dumps(dataclasses.asdict(Limits())).encode())
        assert own._answer(theirs) is None
        assert "started threads" in json.loads(ours.recv(LONGEST))["error"]


def test_a_start_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    groups = mock.Mock()
    groups.make.side_effect = OSError("no group")
    own = Supervisor(Choice(Tier.PROCESS, None, b""), lambda requests, replies: None, groups)
    read, write = os.pipe()
    with pytest.raises(OSError, match="no group"):
        own.start(Limits(), (read, write, write))
    assert not own._sandboxes
    assert not list(tmp_path.iterdir())
    groups.remove.assert_called_once()


def test_groups_of_a_killed_supervisor_are_removed_by_the_next() -> None:
    groups = ControlGroups()
    folders = [Path(f"/proc/self/fd/{controller.folder}") for controller in groups._controllers]
    if not folders:
        pytest.skip("no control group can be made here")
    for folder in folders:
        for name in ("abandoned", "just-made"):
            (folder / f"autograder-test-{name}").mkdir()
        os.utime(folder / "autograder-test-abandoned", (0, 0))
    groups.remove_abandoned()
    left = {path.name for folder in folders for path in folder.glob("autograder-test-*")}
    for folder in folders:
        for path in folder.glob("autograder-test-*"):
            path.rmdir()
    groups.close()
    assert left == {"autograder-test-just-made"}


def test_a_closed_sandbox_says_so() -> None:
    with sandbox() as process:
        process.close()
        with pytest.raises(SandboxEndedError):
            process.request({"op": "run", "source": "1"}, seconds=1)
    assert isinstance(process, SandboxProcess)


def test_a_plain_process_where_nothing_can_be_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with SandboxProcess() as process:
        monkeypatch.undo()
        assert said(process, "1 + 1") == "2"
        assert said(process, "import resource; resource.getrlimit(resource.RLIMIT_CORE)") == "(0, 0)"
        assert process.request({"op": "run", "source": "while True: pass"}, seconds=0.3)[2]
        scratch = Path(said(process, "import os; print(os.getcwd())").strip())
        with pytest.raises(SandboxEndedError, match="status 3"):
            process.request({"op": "run", "source": "os._exit(3)"}, seconds=20)
    assert not scratch.exists()
