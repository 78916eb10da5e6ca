"""What changes around student code where it runs on a GPU. Only the last tests need one; the others look at the walls.

A sandbox for CUDA is made here without a card: everything but the card's own part is then as it would be with one.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from autograder.checks.catalogue import tasks_of
from autograder.checks.task import PUBLIC_SEED
from autograder.classroom.course import Course
from autograder.classroom.errors import CourseError
from autograder.classroom.job import Job
from autograder.classroom.preparing import answers_key
from autograder.grader.answers_file import fits, pack_answers, unpack_answers
from autograder.grader.custody import NotebookRun
from autograder.grader.sandbox_process import SandboxProcess
from autograder.judging.judge import judge
from autograder.probes.counters import passes_run
from autograder.sandbox.limits import MIB, Limits
from autograder.supervisor import gpu, privileges
from autograder.supervisor.warming import environment, warm_torch
from tests.depth import proof
from tests.sandboxes import TIERS, said, sandbox, tier
from tests.submissions import COURSE, solution_sources

EXERCISE, TASK = "02_grad", "gradient_of_vector"
LIMITS = Limits(memory=1024 * MIB, device_memory=256 * MIB)
cards = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device here")
no_cards = pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device here")

REQUESTS = """
import errno, fcntl, os
read, write = os.pipe()
def asked(request):
    try:
        return fcntl.ioctl(read, request)
    except OSError as error:
        return errno.errorcode[error.errno]
print(*map(asked, (0xC020462A, 0x21, 0x30000001, 0x5412, 0x1260, 0x8927)))
"""
"""To a card, to nvidia-uvm twice; to a terminal, a disk and a network card."""


RESERVING = """
import mmap
NORESERVE = 0x4000
print(len(mmap.mmap(-1, 1 << 37, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NORESERVE, mmap.PROT_READ)))
"""


NAMING = """
import threading
done = threading.Event()
other = threading.Thread(target=done.wait)
other.start()
def written(path):
    try:
        open(path, "w").close()
        return "yes"
    except OSError as error:
        return type(error).__name__
print(*(written(f"/proc/self/{name}") for name in (f"task/{other.native_id}/comm", "comm", "oom_score_adj")))
done.set()
"""
"""The driver names its threads by these files, and fails where it cannot."""


LISTENING = """
import errno, os, socket
def tried(kind, work):
    try:
        with socket.socket(socket.AF_UNIX, kind) as end:
            work(end)
            return "yes"
    except OSError as error:
        return errno.errorcode[error.errno]
def listen(end):
    end.bind(f"\\0cuda-uvmfd-{os.getpid()}")
    end.listen(1)
kinds = (socket.SOCK_SEQPACKET, socket.SOCK_STREAM, socket.SOCK_DGRAM)
print(*(tried(kind, listen) for kind in kinds), tried(kinds[0], lambda end: end.connect("\\0x")))
"""
"""The driver listens on such a socket; nothing may connect to one."""


@pytest.fixture(params=[pytest.param(one, marks=proof) for one in TIERS])
def for_cuda(request: pytest.FixtureRequest) -> Iterator[SandboxProcess]:
    """A sandbox for CUDA of each tier, before the card is touched."""
    with tier(request.param), SandboxProcess(LIMITS, "cuda") as process:
        process._device = "cpu"  # there is nothing to begin with
        process.tier = request.param
        yield process


def test_cards_are_hidden_unless_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    for device in ("cpu", "lazy", "mps"):
        assert environment(device)["CUDA_VISIBLE_DEVICES"] == ""
    assert environment("cuda")["CUDA_VISIBLE_DEVICES"] == "0"
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3,1")
    assert environment("cuda")["CUDA_VISIBLE_DEVICES"] == "3"
    assert environment("cpu")["CUDA_VISIBLE_DEVICES"] == ""


def test_no_backward_pass_runs_before_the_fork() -> None:
    """The first one starts a thread for each card, and no fork would have them."""
    with passes_run() as passes:
        warm_torch("cuda")
        assert not passes
        warm_torch()
        assert passes


def printed_by(program: str, *arguments: str) -> str:
    """What a process of its own prints: this one may have begun with a card."""
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_a_process_that_has_opened_a_card_serves_nobody(tmp_path: Path) -> None:
    program = (
        "import sys; from autograder.supervisor import gpu; print(gpu.is_in_use())\n"
        "with open(sys.argv[1], 'w'): print(gpu.is_in_use())"
    )
    assert printed_by(program, str(tmp_path / "nvidiactl")) == "False\nTrue\n"


THREAD = """
import ctypes, sys, threading
from autograder.supervisor.warming import refuse_threads
done, named = threading.Event(), threading.Event()
def keep():
    ctypes.CDLL(None).prctl(15, sys.argv[1].encode())
    named.set()
    done.wait()
refuse_threads("cuda")
threading.Thread(target=keep).start()
named.wait()
for device in ("cpu", "cuda"):
    try:
        refuse_threads(device)
    except RuntimeError as error:
        print(device, error)
done.set()
"""


def test_a_package_that_starts_a_thread_is_named() -> None:
    """A fork would lack it. pyarrow has a setting that keeps it from starting one."""
    refused = "a package started threads, and a fork would lack them:"
    assert printed_by(THREAD, "keeper") == f"cpu {refused} keeper\ncuda {refused} keeper\n"
    assert environment()["JE_ARROW_MALLOC_CONF"] == "background_thread:false"


def test_the_drivers_own_thread_is_in_nobodys_way_on_the_cpu() -> None:
    assert printed_by(THREAD, "cuda00001400006").startswith("cuda a package started threads")


def test_a_fork_finds_torch_loaded_and_cuda_untouched(for_cuda: SandboxProcess) -> None:
    assert said(for_cuda, "import sys; print('torch' in sys.modules)") == "True\n"
    assert said(for_cuda, "import torch; print(torch.cuda.is_initialized())") == "False\n"
    opened = "print(any('nvidia' in os.path.realpath(f'/proc/self/fd/{n}') for n in os.listdir('/proc/self/fd')))"
    assert said(for_cuda, f"import os; {opened}") == "False\n"
    assert said(for_cuda, "import os; print(os.environ['CUDA_VISIBLE_DEVICES'])") == "0\n"
    first = "x = torch.ones(2, requires_grad=True); (x * x).sum().backward(); print(x.grad)"
    assert said(for_cuda, first) == "tensor([2., 2.])\n"


def test_addresses_have_no_limit_and_memory_has(for_cuda: SandboxProcess) -> None:
    assert said(for_cuda, "import resource; print(resource.getrlimit(resource.RLIMIT_AS)[0])") == "-1\n"
    assert "MemoryError" in said(for_cuda, f"bytearray({2 * LIMITS.memory + privileges.address_space()})")
    # What is only reserved, as CUDA reserves far more than there is, costs nothing.
    assert said(for_cuda, RESERVING) == f"{1 << 37}\n"


def test_the_drivers_requests_and_no_others(for_cuda: SandboxProcess) -> None:
    if for_cuda.tier == "c":
        pytest.skip("tier c refuses no request")
    assert said(for_cuda, REQUESTS).split() == ["ENOTTY"] * 3 + ["EPERM"] * 3
    with sandbox(for_cuda.tier) as process:
        assert said(process, REQUESTS).split() == ["EPERM"] * 6


def test_the_driver_may_name_its_threads(for_cuda: SandboxProcess) -> None:
    if for_cuda.tier == "c":
        pytest.skip("tier c refuses no file")
    assert said(for_cuda, NAMING) == "yes PermissionError PermissionError\n"
    with sandbox(for_cuda.tier) as process:
        assert said(process, NAMING) == "PermissionError PermissionError PermissionError\n"


def test_the_driver_may_listen_and_nobody_may_connect(for_cuda: SandboxProcess) -> None:
    if for_cuda.tier == "c":
        pytest.skip("tier c refuses no socket")
    assert said(for_cuda, LISTENING) == "yes EPERM EPERM EPERM\n"
    with sandbox(for_cuda.tier) as process:
        assert said(process, LISTENING) == "EPERM EPERM EPERM EPERM\n"


def test_no_other_device_file_is_in_sight(for_cuda: SandboxProcess) -> None:
    if for_cuda.tier != "a":
        pytest.skip("only tier a has a /dev of its own")
    seen = set(said(for_cuda, "import os; print(*os.listdir('/dev'))").split())
    known = {"null", "zero", "random", "urandom", "stdin", "stdout", "stderr", "fd"}
    assert {name for name in seen - known if not gpu.CARDS.fullmatch(name)} <= {"nvidia-caps"}
    assert known <= seen


def test_the_device_files_of_cards(tmp_path: Path) -> None:
    (tmp_path / "nvidia-caps").mkdir()
    names = ["nvidia-caps/nvidia-cap1", "nvidia-uvm", "nvidia-uvm-tools", "nvidia0", "nvidia12", "nvidiactl"]
    for name in [*names, "nvidia-modeset", "nvidia-nvswitch0", "nvidia0.old", "sda", "dri"]:
        (tmp_path / name).touch()
    assert sorted(gpu.devices(tmp_path)) == [str(tmp_path / name) for name in names]
    assert gpu.devices(tmp_path / "elsewhere") == []


def test_the_drivers_library_is_readable_where_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_it, without = tmp_path / "driver", tmp_path / "other"
    for folder in (with_it, without):
        folder.mkdir()
    (with_it / gpu.LIBRARY).touch()
    monkeypatch.setenv("LD_LIBRARY_PATH", f"{without}::relative:{with_it}")
    assert str(with_it) in gpu.readable()
    assert str(without) not in gpu.readable()


MISSING = "there is no CUDA device here"


@no_cards
def test_without_a_card_a_class_run_says_so() -> None:
    with pytest.raises(CourseError, match=MISSING):
        _ = Course(COURSE, "cuda").device


@no_cards
@proof
def test_without_a_card_each_door_says_so(tmp_path: Path) -> None:
    with SandboxProcess(LIMITS, "cuda") as process, pytest.raises(RuntimeError, match=MISSING):
        process.request({"op": "run", "source": "1"}, seconds=20)
    path = COURSE / "exercises" / EXERCISE / f"{EXERCISE}.ipynb"
    command = [sys.executable, "-m", "pytest", str(path), "--device", "cuda", "-p", "no:cacheprovider"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert MISSING in done.stderr


def test_a_class_is_graded_on_the_cpu_unless_it_is_asked_otherwise() -> None:
    assert Course(COURSE).device == "cpu"
    assert Course(COURSE, "auto").device == ("cuda" if torch.cuda.is_available() else "cpu")
    assert Course(COURSE, "cuda", here=False).device == "cuda"  # a cluster's workers know better


def test_answers_are_stored_for_their_device() -> None:
    cells = [{"cell_type": "code", "source": solution_sources(EXERCISE)[TASK], "metadata": {}}]
    jobs = [
        Job({"cells": cells}, EXERCISE, None, {}, PUBLIC_SEED.ljust(32), "v", device=device)
        for device in ("cpu", "lazy")
    ]
    assert len({answers_key(job) for job in jobs}) == 2
    assert [Job.unpack(job.pack()) for job in jobs] == jobs
    tasks = {TASK: tasks_of(EXERCISE)[TASK]}
    raw = pack_answers(NotebookRun(cells, tasks, PUBLIC_SEED, LIMITS, "lazy").custody(), tasks)
    again = unpack_answers(raw, PUBLIC_SEED, "lazy")
    assert fits(again, tasks)
    assert judge().verdicts(tasks, again.evidence)[TASK].reason == ""
    assert not fits(unpack_answers(raw, PUBLIC_SEED), tasks)


@cards
def test_a_cards_memory_has_a_limit_that_costs_its_author_alone() -> None:
    """Needs a card."""
    cells = [
        {"cell_type": "code", "source": source, "metadata": {}}
        for source in ("import torch\nkept = torch.ones(1 << 29)", "torch.ones(2).device")
    ]
    custody = NotebookRun(cells, {}, PUBLIC_SEED, LIMITS, "cuda").custody()
    assert custody.outputs[0][0]["ename"] == "OutOfMemoryError"
    assert custody.outputs[1][0]["data"]["text/plain"] == "device(type='cuda', index=0)"
    with SandboxProcess(LIMITS, "cuda") as process:
        assert said(process, "import torch; print(torch.ones(1 << 20).sum().item())") == "1048576.0\n"


@cards
def test_the_supervisor_of_cards_does_not_touch_them() -> None:
    """Needs a card: two notebooks after each other, so that the first has not spoilt the second."""
    for _ in range(2):
        with SandboxProcess(LIMITS, "cuda") as process:
            assert said(process, "import torch; print(torch.ones(2).device)") == "cuda:0\n"
