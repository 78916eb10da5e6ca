"""`python -m benchmarks.sandbox_start [N]`: wall time and CPU time of a sandbox, apart from its cells.

CPU time is that of all processes of the sandbox and their supervisor. In tier a, Linux does not report the CPU time
of the student's process when it is killed, so it is missing there; AUTOGRADER_SANDBOX_TIER=b counts it.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from pathlib import Path

from autograder.grader.sandbox_process import SandboxProcess
from autograder.grader.supervision import supervisor
from autograder.supervisor.service import FORKS_BEFORE_HUGE_PAGES


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process and of its descendants that have exited."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def one_notebook(cells: int) -> tuple[float, float, float]:
    """Return the wall seconds of starting a sandbox, of running that many cells, and of ending it."""
    begun = time.perf_counter()
    with SandboxProcess() as process:
        process.request({"op": "run", "source": ""}, seconds=60)
        started = time.perf_counter()
        for n in range(cells):
            process.request({"op": "run", "source": f"x{n} = {n} + 1\nx{n}"}, seconds=60)
        ran = time.perf_counter()
    return started - begun, ran - started, time.perf_counter() - ran


def main(notebooks: int) -> None:
    """Print a line of measurements for each size of notebook."""
    begun = time.perf_counter()
    facts = supervisor().facts
    print(f"tier {facts.tier}, supervisor warm after {time.perf_counter() - begun:.1f} s")
    for _ in range(FORKS_BEFORE_HUGE_PAGES + 1):
        one_notebook(0)
    for cells in (0, 1, 13):
        before = cpu_seconds(supervisor().pid)
        times = [one_notebook(cells) for _ in range(notebooks)]
        cpu = (cpu_seconds(supervisor().pid) - before) / notebooks
        start, run, end = (1000 * statistics.median(each) for each in zip(*times, strict=True))
        print(f"{cells:2} cells: start {start:.0f} ms, cells {run:.0f} ms, end {end:.0f} ms; CPU {1000 * cpu:.0f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
