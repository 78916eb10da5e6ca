"""Each sandbox has an equal share of the processors, however many processes are in it."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.grader.sandbox_process import SandboxProcess
from autograder.sandbox.limits import Limits
from autograder.supervisor import control_groups
from autograder.supervisor.control_groups import ControlGroups

SPIN = """
import json, os, time
end, mine = time.monotonic() + {seconds}, {processes}
pipes = []
for _ in range(mine - 1):
    read, write = os.pipe()
    if os.fork() == 0:
        os.setsid()  # a session is a group of its own to the scheduler, where no control group is
        while time.monotonic() < end:
            pass
        os.write(write, str(time.process_time()).encode())
        os._exit(0)
    os.close(write)
    pipes.append(read)
before = time.process_time()
while time.monotonic() < end:
    pass
print(json.dumps(time.process_time() - before + sum(float(os.read(pipe, 100)) for pipe in pipes)))
"""
SECONDS, FORKS = 3.0, 24


def test_an_honest_submission_keeps_its_share_beside_one_that_forks() -> None:
    """In CPU time, and as a ratio of the two, so that it does not matter what else this machine does."""
    if not ControlGroups().weights_cpu:
        pytest.skip("control groups with a weight cannot be made here")
    used: dict[int, float] = {}
    begin = threading.Barrier(2)

    def spin(processes: int) -> None:
        with SandboxProcess(Limits()) as sandbox:
            sandbox.request({"op": "run", "source": "1"}, seconds=60)
            begin.wait()
            source = SPIN.format(seconds=SECONDS, processes=processes)
            reply, *_ = sandbox.request({"op": "run", "source": source}, seconds=60)
            used[processes] = json.loads(reply["outputs"][0]["text"])

    threads = [threading.Thread(target=spin, args=(processes,)) for processes in (1, FORKS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    shares = os.sched_getaffinity(0)
    least = 1 / (2 * len(shares))  # alone it has one processor; the other may have all that are left
    assert used[1] > least * used[FORKS], used


def _fake_group(folder: Path, *names: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).touch()


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], dict[str, str]]:
    """What is written into a sandbox's group of a tree of files that looks like the kernel's."""
    monkeypatch.setattr(control_groups, "ROOT", tmp_path)
    monkeypatch.setattr(control_groups, "_own_group", lambda controller: "/")
    mkdir, rmdir = os.mkdir, os.rmdir

    def make(path: str, mode: int = 0o777, *, dir_fd: int | None = None) -> None:
        mkdir(path, mode, dir_fd=dir_fd)
        if dir_fd is None:
            return
        folder = Path(os.readlink(f"/proc/self/fd/{dir_fd}"))
        _fake_group(folder / path, "cgroup.procs", *(folder / "provides").read_text().split())

    def remove(path: str, *, dir_fd: int | None = None) -> None:
        if dir_fd is None:
            return rmdir(path)
        folder = Path(os.readlink(f"/proc/self/fd/{dir_fd}")) / path
        for file in folder.iterdir():
            file.unlink()
        return rmdir(folder)

    monkeypatch.setattr(control_groups.os, "mkdir", make)
    monkeypatch.setattr(control_groups.os, "rmdir", remove)

    def of(controller: str, provides: str) -> dict[str, str]:
        folder = tmp_path / controller
        _fake_group(folder, "cgroup.subtree_control")
        (folder / "provides").write_text(provides)
        (folder / "cgroup.controllers").write_text("cpu memory pids" if not controller else "")
        groups = ControlGroups()
        groups.make("x", 4711, Limits())
        found = {file.name: file.read_text() for file in (folder / "autograder-x").iterdir()}
        groups.remove("x")
        assert not (folder / "autograder-x").exists()
        groups.close()
        return found

    return of


def test_version_2_has_a_weight(written: Callable[[str, str], dict[str, str]]) -> None:
    found = written("", "memory.max memory.swap.max pids.max cpu.weight")
    assert found["cpu.weight"] == "100"
    assert found["memory.max"] == str(Limits().memory)
    assert found["memory.swap.max"] == "0"
    assert found["cgroup.procs"] == "4711"


def test_version_2_without_a_processor_controller_limits_what_it_can(
    written: Callable[[str, str], dict[str, str]],
) -> None:
    found = written("", "memory.max pids.max")
    assert set(found) == {"memory.max", "pids.max", "cgroup.procs"}
    assert found["pids.max"] == str(Limits().processes + 1)


@pytest.mark.parametrize(
    ("controller", "file", "value"),
    [
        ("cpu", "cpu.shares", "1024"),
        ("pids", "pids.max", str(Limits().processes + 1)),
        ("memory", "memory.limit_in_bytes", str(Limits().memory)),
    ],
)
def test_version_1_has_a_group_in_each_hierarchy(
    controller: str, file: str, value: str, written: Callable[[str, str], dict[str, str]]
) -> None:
    found = written(controller, file)
    assert found[file] == value
    assert found["cgroup.procs"] == "4711"
