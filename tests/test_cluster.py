"""Grading on a Dask cluster: what a run here writes, whoever comes and goes meanwhile."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed.cli.dask_worker import main as worker

from autograder.classroom.cluster import Cluster
from autograder.classroom.executors import BackendError
from autograder.classroom.job import Job, JobResult
from autograder.classroom.worker import work
from autograder.grader.secret_seed import SEED_BYTES
from tests.course import autograded, results, rows, start_grading, wait_for_results
from tests.dask_cluster import DaskCluster
from tests.depth import proof
from tests.interrupted_class import EXERCISE, new_class
from tests.submissions import COURSE

SIZE = 12


@pytest.fixture(scope="module")
def ungraded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with a class that has handed in."""
    course = new_class(tmp_path_factory.mktemp("class"), SIZE)
    (course / "gradebook" / "secret_seed").write_bytes(b"5" * 64)
    return course


@pytest.fixture(scope="module")
def here(ungraded: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, graded on this machine's cores."""
    course = shutil.copytree(ungraded, tmp_path_factory.mktemp("here"), dirs_exist_ok=True)
    said, _ = (process := start_grading(course, EXERCISE)).communicate(timeout=300)
    assert process.returncode == 0, said
    return course


@pytest.fixture
def course(ungraded: Path, tmp_path: Path) -> Path:
    """The class, to be graded on a cluster."""
    return shutil.copytree(ungraded, tmp_path / "course")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskCluster]:
    """A scheduler with a worker."""
    (tmp_path / "machines").mkdir()
    with DaskCluster(tmp_path / "machines") as cluster:
        cluster.add_worker()
        cluster.wait_for_workers(1)
        yield cluster


def assert_same(course: Path, here: Path) -> None:
    assert len(results(course)) == SIZE
    assert rows(course, EXERCISE) == rows(here, EXERCISE)
    for number in range(SIZE):
        student = f"student-{number:04}"
        assert autograded(course, student, EXERCISE) == autograded(here, student, EXERCISE)


@proof
def test_a_cluster_whose_workers_come_and_go_writes_what_this_machine_writes(
    cluster: DaskCluster, course: Path, here: Path
) -> None:
    cluster.add_worker()
    process = start_grading(course, EXERCISE, "--scheduler", cluster.address)
    wait_for_results(course, 3, process)
    cluster.kill_worker()
    cluster.add_worker()
    said, _ = process.communicate(timeout=300)
    assert process.returncode == 0, said
    assert f"{SIZE} graded" in said
    assert "\nTier " in said
    assert_same(course, here)


@proof
def test_a_scheduler_that_comes_back(cluster: DaskCluster, course: Path, here: Path) -> None:
    process = start_grading(course, EXERCISE, "--scheduler", cluster.address)
    wait_for_results(course, 3, process)
    cluster.kill_scheduler()
    cluster.start_scheduler()
    cluster.add_worker()
    said, _ = process.communicate(timeout=300)
    assert process.returncode == 0, said
    assert "went away" in said
    assert f"{SIZE} graded" in said
    assert_same(course, here)


@proof
def test_a_lost_scheduler_loses_no_result(cluster: DaskCluster, course: Path, here: Path) -> None:
    process = start_grading(course, EXERCISE, "--scheduler", cluster.address, "--reach", "2")
    wait_for_results(course, 3, process)
    cluster.kill_scheduler()
    said, _ = process.communicate(timeout=300)
    assert process.returncode == 2, said
    written = len(results(course))
    assert 3 <= written < SIZE
    process = start_grading(course, EXERCISE)
    said, _ = process.communicate(timeout=300)
    assert f"{SIZE - written} graded, {written} unchanged" in said
    assert_same(course, here)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("tcp://127.0.0.1:9", r"no Dask scheduler answers at tcp://127.0.0.1:9 .*: start `dask scheduler`"),
        ("tcp://127.0.0.1", r"no Dask scheduler answers at tcp://127.0.0.1 \(missing port number"),
        ("nonsense://x", "no Dask scheduler answers at nonsense://x"),
        ("tls://127.0.0.1:9", "Dask is not configured for tls://127.0.0.1:9 .*: give it its certificates"),
    ],
)
def test_nobody_at_the_address_is_said(address: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No client is made, which would print a traceback when it goes."""
    monkeypatch.setattr("autograder.classroom.cluster.Client", lambda *_, **__: pytest.fail("a client"))
    with pytest.raises(BackendError, match=told):
        Cluster(address, seconds=0.5).open()


def test_the_documented_worker_takes_every_core() -> None:
    """`--nworkers auto` overrides `--nthreads`: fewer workers of several threads each, of which ours use one."""
    (words,) = re.findall(r"dask worker (.*?)  +#", (COURSE / "docs" / "class_grading.md").read_text())
    options = worker.make_context("dask worker", words.split()).params
    assert (options["n_workers"], options["nthreads"]) == ("-1", 1)


def test_a_cluster_without_workers_is_said(tmp_path: Path) -> None:
    with DaskCluster(tmp_path) as empty:
        place = Cluster(empty.address, seconds=60)
        executor = place.open()
        assert place.capacity() == 1
        assert place.why_waiting().endswith(f"has no workers: start some with `dask worker {empty.address}`")
        place.leave(executor)


def test_a_worker_of_another_version_refuses() -> None:
    job = Job({}, EXERCISE, None, {}, b"s" * SEED_BYTES, "another version")
    assert "has another version of the course" in JobResult.unpack(work(job.pack())).error


def test_without_dask_the_command_says_what_to_install(course: Path) -> None:
    command = "import sys; sys.modules['distributed'] = None; from autograder.command_line import main; "
    command += "sys.exit(main(['grade', '--scheduler', 'tcp://127.0.0.1:9']))"
    done = subprocess.run([sys.executable, "-c", command], cwd=course, capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install" in done.stderr
    assert len(done.stderr.splitlines()) == 1
