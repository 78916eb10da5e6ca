"""Throughput of a Dask cluster on this machine, and the coordinator's CPU time per submission."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

from autograder.tasks.folders import COURSE
from benchmarks.classes import new_class
from tests.dask_cluster import DaskCluster

FEW, MANY = 10, 110


def throughput(folder: Path, exercise: str) -> dict[int, dict[str, float]]:
    """Measure what one more submission takes with 1 worker, with 2, and with as many as there are cores.

    Returns:
        By number of workers, `wall` and the coordinator's `cpu`, in seconds per submission.
    """
    counts = sorted({1, 2, len(os.sched_getaffinity(0))})
    return {count: _with_workers(folder / f"workers-{count}", exercise, count) for count in counts}


def _with_workers(folder: Path, exercise: str, count: int) -> dict[str, float]:
    machines, course = folder / "machines", new_class(folder / "course", exercise, FEW)
    machines.mkdir(parents=True)
    # The workers' checks are those of the course, too; machines elsewhere have a copy.
    with mock.patch.dict(os.environ, {COURSE: str(course / "solutions")}), DaskCluster(machines) as cluster:
        for _ in range(count):
            cluster.add_worker()
        cluster.wait_for_workers(count)
        _graded(folder, exercise, FEW, cluster)  # warms the workers' sandboxes
        few, many = _graded(folder, exercise, FEW, cluster), _graded(folder, exercise, MANY, cluster)
    return {key: (many[key] - few[key]) / (MANY - FEW) for key in many}


def _graded(folder: Path, exercise: str, size: int, cluster: DaskCluster) -> dict[str, float]:
    """Grade a class and return the wall time and the coordinator's CPU time, in seconds."""
    course = new_class(folder / "course", exercise, size)
    command = [sys.executable, "-m", "autograder.command_line", "grade", exercise, "--scheduler", cluster.address]
    start, before = time.monotonic(), _cpu()
    subprocess.run(command, cwd=course, check=True, stdout=subprocess.DEVNULL)
    return {"wall": time.monotonic() - start, "cpu": _cpu() - before}


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
