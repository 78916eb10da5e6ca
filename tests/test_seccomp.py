"""What Python's own library does in an honest notebook works with the calls that are allowed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autograder.grader.sandbox_process import SandboxProcess
from autograder.sandbox.limits import Limits
from autograder.supervisor import choosing, landlock, seccomp
from autograder.supervisor.kernel_calls import PR_SET_NO_NEW_PRIVS, prctl
from autograder.supervisor.tiers import Tier
from tests import sandboxes

HONEST = {
    "a coroutine": ("import asyncio\nawait asyncio.sleep(0.01)\nprint('done')", "done"),
    "a coroutine in a loop of its own": (
        "import asyncio, threading\n"
        "t = threading.Thread(target=lambda: print(asyncio.run(asyncio.sleep(0.01, 'done'))))\nt.start()\nt.join()",
        "done",
    ),
    "a program and its output": (
        "import subprocess\nprint(subprocess.run('echo done | cat', shell=True, capture_output=True).stdout)",
        "done",
    ),
    "a program of asyncio's": (
        "import asyncio\np = await asyncio.create_subprocess_exec('echo', 'done', stdout=-1)\n"
        "print((await p.communicate())[0].decode())",
        "done",
    ),
    "threads": (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor(4) as pool: print(sum(pool.map(abs, range(5))), 'done')",
        "10 done",
    ),
    "a process and a pipe": (
        "import multiprocessing as mp\nours, theirs = mp.get_context('fork').Pipe()\n"
        "p = mp.get_context('fork').Process(target=theirs.send, args=('done',))\np.start()\n"
        "print(ours.recv())\np.join()",
        "done",
    ),
    "several threads of torch's": (
        "import torch\ntorch.set_num_threads(2)\nx = torch.ones(300, 300, requires_grad=True)\n"
        "(x @ x).sum().backward()\ntorch.save(x.grad, 'x.pt')\nprint(torch.load('x.pt').shape, 'done')",
        "done",
    ),
    "an alarm": (
        "import signal, time\nsignal.signal(signal.SIGALRM, lambda *_: print('done'))\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.01)\ntime.sleep(0.2)",
        "done",
    ),
    "files": (
        "import pathlib, shutil, tempfile\nd = pathlib.Path(tempfile.mkdtemp(), 'a')\nd.mkdir()\n"
        "(d / 'b').write_text('done')\nshutil.copytree(d, 'c')\nshutil.rmtree(d)\nprint(open('c/b').read())",
        "done",
    ),
    "a magic and a shell": ("%timeit -n 1 -r 1 sum(range(10))\n!ls / > /dev/null && echo done", "done"),
}


@pytest.fixture(scope="module")
def sandbox() -> SandboxProcess:
    """One for all: what one leaves behind is part of the proof."""
    with SandboxProcess(Limits()) as sandbox:
        yield sandbox


@pytest.mark.parametrize("name", HONEST)
def test_honest_code_meets_no_refusal(name: str, sandbox: SandboxProcess) -> None:
    source, says = HONEST[name]
    reply, *_ = sandbox.request({"op": "run", "source": source}, seconds=60)
    told = str(reply["outputs"])
    assert says in told, told
    assert "Error" not in told, told


def test_a_file_is_copied_where_modes_are_left_alone() -> None:
    with sandboxes.sandbox("b") as process:
        source = "import shutil\nopen('a', 'w').write('x')\nshutil.copy2('a', 'b')\nprint(open('b').read())"
        assert sandboxes.said(process, source).strip() == "x"


@pytest.mark.parametrize(("known", "emptied"), [(2, False), (3, True)])
def test_what_landlock_does_not_judge_yet_is_refused(
    known: int, emptied: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(landlock, "version", lambda: known)
    file = tmp_path / "gradebook.db"
    file.write_text("points")
    program = choosing._program(Tier.LANDLOCK, None, "cpu")
    if (pid := os.fork()) == 0:
        try:
            prctl(PR_SET_NO_NEW_PRIVS, 1)
            seccomp.load(program)
            os.truncate(file, 0)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    assert (file.read_text() == "") is emptied
