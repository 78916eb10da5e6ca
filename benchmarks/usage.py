"""Wall time, CPU time and memory of a command and its descendants."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from tests.submissions import COURSE

SAMPLED_SECONDS = 3.0


@dataclasses.dataclass(frozen=True)
class Usage:
    """The resources that a command used.

    Attributes:
        wall: wall time in seconds.
        cpu: busy seconds of all cores meanwhile, from /proc/stat, which includes sandboxes, whatever process waited
            for them, and everything else that the machine did.
        memory: peak of the summed private memory of its processes, in bytes.
    """

    wall: float
    cpu: float
    memory: int


def used_by(command: list[str], folder: Path, **environment: str) -> Usage:
    """Run a command and return the resources that it used.

    Raises:
        RuntimeError: the command failed.
    """
    start, cpu = time.monotonic(), _busy()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    watch = _Watch(process.pid)
    watch.start()
    said = process.stderr.read()
    status = process.wait()
    watch.over.set()
    watch.join()
    if status != 0:
        raise RuntimeError(f"{' '.join(command)} failed: {said[-2000:]}")
    return Usage(time.monotonic() - start, _busy() - cpu, watch.memory)


def evaluated(module: str, call: str) -> Any:
    """Return the value of a call of a module's function, evaluated in a new process."""
    text = f"import json; from pathlib import Path; from {module} import *; print(json.dumps({call}))"
    done = subprocess.run([sys.executable, "-c", text], cwd=COURSE, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def _busy() -> float:
    """Return the seconds that all cores together were busy since the machine started."""
    user, nice, system = map(int, Path("/proc/stat").read_text().split()[1:4])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


class _Watch(threading.Thread):
    """Samples a process tree's private memory and keeps the peak.

    The system counts a process's pages one by one and lets it not fork meanwhile: every 0.2 s of that took a sixth of
    a core from what is measured.
    """

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self.root, self.memory = root, 0
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(SAMPLED_SECONDS):
            self.memory = max(self.memory, sum(map(memory, tree(self.root))))


def tree(root: int) -> list[int]:
    """Return the process ids of a process and its descendants."""
    found, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            try:
                waiting += map(int, task.read_text().split())
            except OSError:
                continue
    return found


def memory(pid: int) -> int:
    """Return a process's private memory in bytes; pages shared with a live fork do not count."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in text.splitlines() if line.startswith("Private_"))
